//! What `ReadFile` answers is what is in the file, byte for byte, through the real component: its vector instructions
//! run nowhere else.

use crate::common::World;
use bailiwick_sandbox::Access;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Characters that JSON escapes, that have several bytes, and that are neither; now and then a long plain stretch.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z ]{0,40}\n",
        2 => "(?s)[\"\\\\\n\r\t\u{1}-\u{1f}\u{7f}]{1,20}",
        2 => "(?s)[éß€😀\u{feff}\u{2028}a]{1,30}",
        1 => "[ -~]{100,400}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: bailiwick_fuzz::cases(150), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_is_answered_as_it_is(pieces in proptest::collection::vec(piece(), 0..60), repeat in 1_usize..40) {
        let text = pieces.concat().repeat(repeat);
        prop_assume!(text.len() <= 1 << 20);
        let world = World::new(Access::ReadOnly);
        std::fs::write(world.granted().join("text.txt"), &text).unwrap();
        let report = world.call("ReadFile", &json!({"filePath": "box/text.txt"}));
        let answer: Value = serde_json::from_str(&report.outcome.unwrap()).unwrap();
        prop_assert_eq!(answer["content"].as_str().unwrap(), &text);
        let lines = text.matches('\n').count() + usize::from(!text.is_empty() && !text.ends_with('\n'));
        prop_assert_eq!(answer["totalLines"].as_u64().unwrap(), lines as u64);
        let first = world.call("ReadFile", &json!({"filePath": "box/text.txt", "endLine": 1}));
        let first: Value = serde_json::from_str(&first.outcome.unwrap()).unwrap();
        prop_assert_eq!(first["content"].as_str().unwrap(), text.split_inclusive('\n').next().unwrap_or(""));
    }

    #[test]
    fn byte_that_is_not_a_text_is_found_wherever_it_stands(
        before in 0_usize..200_000,
        after in 0_usize..100,
        byte in prop_oneof![Just(0_u8), Just(0xff), Just(0xc3), Just(0x80)],
    ) {
        let world = World::new(Access::ReadOnly);
        let text = [b"plain text\n".repeat(before / 11 + 1)[..before].to_vec(), vec![byte], vec![b'x'; after]].concat();
        std::fs::write(world.granted().join("text.txt"), &text).unwrap();
        let report = world.call("ReadFile", &json!({"filePath": "box/text.txt"}));
        prop_assert!(format!("{:?}", report.outcome).contains("NotText"), "{:?}", report.outcome.map(|_| ()));
    }
}
