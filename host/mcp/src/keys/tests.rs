//! What opens what.

use super::*;
use rmcp::model::SealOptions;
use std::time::Duration;

const OLD: &[u8] = b"the old key of a test, long enough";
const NEW: &[u8] = b"the new key of a test, long enough";

fn keys(keys: &[&[u8]]) -> Keys {
    Keys::shared(keys.iter().copied()).unwrap()
}

#[test]
fn keys_that_are_short_or_the_same_or_not_there_are_refused() {
    assert_eq!(Keys::shared([&OLD[..31]]).err(), Some(BadKeys::Short));
    assert_eq!(Keys::shared([OLD, &NEW[..8]]).err(), Some(BadKeys::Short));
    assert_eq!(Keys::shared([OLD, NEW, OLD]).err(), Some(BadKeys::Twice));
    assert_eq!(Keys::shared([]).err(), Some(BadKeys::None));
    assert_eq!(format!("{:?}", keys(&[OLD])), "Keys", "a key stands in no log");
}

#[test]
fn key_that_is_replaced_opens_until_it_is_left_out() {
    let (before, both, after) = (keys(&[OLD]), keys(&[NEW, OLD]), keys(&[NEW]));
    let old = before.states(Kind::Approval).unwrap().seal(b"state");
    let new = both.states(Kind::Approval).unwrap().seal(b"state");
    assert_eq!(both.states(Kind::Approval).unwrap().open(&old).unwrap(), b"state");
    assert_eq!(after.states(Kind::Approval).unwrap().open(&new).unwrap(), b"state");
    assert!(before.states(Kind::Approval).unwrap().open(&new).is_err(), "the first key seals");
    assert!(after.states(Kind::Approval).unwrap().open(&old).is_err(), "it was left out");

    let old = before.seal("a call", b"message").unwrap();
    let new = both.seal("a call", b"message").unwrap();
    assert_eq!(both.open("a call", &old).unwrap(), b"message");
    assert_eq!(after.open("a call", &new).unwrap(), b"message");
    assert_eq!((before.open("a call", &new), after.open("a call", &old)), (None, None));
}

#[test]
fn state_of_one_kind_is_none_of_another() {
    let keys = keys(&[OLD]);
    let sealed = keys.states(Kind::Approval).unwrap().seal(b"state");
    for other in [Kind::Sampling, Kind::AddedTool] {
        assert!(keys.states(other).unwrap().open(&sealed).is_err(), "{other:?}");
    }
}

#[test]
fn state_holds_for_its_call_and_its_time_under_a_shared_key_too() {
    let (one, other) = (keys(&[OLD]), keys(&[OLD]));
    let (one, other) = (one.states(Kind::Approval).unwrap(), other.states(Kind::Approval).unwrap());
    let sealed = |time| one.seal_with(b"state", &SealOptions::new().associated_data(b"anna").ttl(time));
    let state = sealed(Duration::from_secs(60));
    assert_eq!(other.open_with(&state, b"anna").unwrap(), b"state");
    assert!(other.open_with(&state, b"bob").is_err(), "another subject");
    let state = sealed(Duration::ZERO);
    std::thread::sleep(Duration::from_millis(5));
    assert!(other.open_with(&state, b"anna").is_err(), "it is over");
}

#[test]
fn message_that_was_changed_or_cut_or_is_about_something_else_is_not_opened() {
    let keys = keys(&[OLD]);
    let sealed = keys.seal("a call", b"message").unwrap();
    assert!(!sealed.windows(7).any(|piece| piece == b"message"), "it cannot be read");
    assert_ne!(sealed, keys.seal("a call", b"message").unwrap(), "each has a key of its own");
    assert_eq!(keys.open("another call", &sealed), None);
    for place in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[place] ^= 1;
        assert_eq!(keys.open("a call", &changed), None, "byte {place}");
        assert_eq!(keys.open("a call", &sealed[..place]), None, "cut after {place} bytes");
    }
}
