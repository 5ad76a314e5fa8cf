//! Texts that try to be more than text, and texts that try to be too much of it.

use crate::desk::{Desk, both, response};
use crate::only_code::{CANARY, only_code};
use bailiwick_runs::Status;

fn hostile() -> Vec<String> {
    [
        "canary0 <script>alert(1)</script><img src=x onerror=alert(1)>",
        "canary0 </title></style></pre></td></table></section></main><iframe src=//evil.example>",
        "canary0 \"><svg/onload=alert(1)> ' onmouseover='x",
        "canary0 ```\n````\n``````\n# canary0 heading\n<b>canary0</b>",
        "canary0 ` `` ``` \\` | canary0 \\| canary0 \\\\| x |",
        "canary0 ~~~\n</details></summary>\n\ncanary0 [link](https://evil.example) ![image](https://evil.example/x.png)",
        "canary0 @everyone #1 GH-1 https://evil.example www.evil.example <https://evil.example> &lt;b&gt; &#60;script&#62;",
        "canary0 \u{1b}[31mred\u{1b}[0m \u{7}\u{8}\u{0} \u{202e}desrever\u{2066} \u{200b}\u{feff}\u{e0041}",
        "canary0 --- a/x\n+++ b/x\n@@ -1 +1 @@\n-canary0\n+canary0\n# generated: canary0 added, ",
        "canary0\r\rcanary0\u{2028}canary0\u{85}canary0",
        "- canary0\n\n    canary0 indented\n\n1. canary0\n\n> canary0\n\n***\n\n|canary0|\n|-|\n",
    ]
    .map(str::to_owned)
    .into()
}

#[test]
fn no_text_is_markup_in_a_page() {
    for (text, status) in hostile().iter().zip([Status::Pending, Status::Failed { kept: true }].iter().cycle()) {
        let desk = Desk::new();
        let id = desk.ended(text, &response("failure", text), *status);
        // The reader knows each tag and attribute that may occur.
        let (html, _) = both(&desk.report(&id));
        assert!(html.matches(CANARY).count() > 10, "{html}");
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<iframe"), "{text}");
    }
}

#[test]
fn no_text_is_markup_in_markdown() {
    for text in hostile() {
        let desk = Desk::new();
        let id = desk.ended(&text, &response("failure", &text), Status::Pending);
        let (_, markdown) = both(&desk.report(&id));
        assert!(markdown.matches(CANARY).count() > 5, "{markdown}");
        only_code(&markdown);
    }
}

#[test]
fn unseen_characters_are_written_out_in_both() {
    let desk = Desk::new();
    let id = desk.ended(&hostile()[7], &response("partial", &hostile()[7]), Status::Pending);
    let (html, markdown) = both(&desk.report(&id));
    for text in [html, markdown] {
        assert!(!text.contains(|character| character != '\n' && bailiwick_audit::is_invisible(character)));
        assert!(text.contains("\\u{1b}[31mred") && text.contains("\\u{202e}desrever"), "{text}");
    }
}

#[test]
fn megabytes_of_anything_stay_bounded() {
    for text in ["x".repeat(1 << 20), "<&\"'>\n".repeat(100_000), "`|\n".repeat(200_000), "\u{202e}".repeat(200_000)] {
        let desk = Desk::new();
        let mut response = response("failure", &text);
        for list in ["changesSummary", "modifiedFiles"] {
            response[list] = vec![text.chars().take(1_500).collect::<String>(); 1_200].into();
        }
        let lines: String = (0..20_000).map(|number| format!("-<{number}>\n+\"{number}\"\n")).collect();
        response["diff"] = format!("--- a/x\n+++ b/x\n@@ -1,20000 +1,20000 @@\n{lines}").into();
        let guidance = response["manualGuidance"][0].clone();
        response["manualGuidance"] = vec![guidance; 3].into();
        let id = desk.ended(&text, &response, Status::Pending);
        // `both` holds them against their largest sizes.
        let (html, markdown) = both(&desk.report(&id));
        assert!(html.contains("more, not shown here") && markdown.contains("more, not shown here"));
        only_code(&markdown);
    }
}

#[test]
fn known_secrets_are_taken_out() {
    let desk = Desk::new();
    let text = "the key is sk-canary-0123456789";
    let id = desk.ended(text, &response("failure", text), Status::Pending);
    let (html, markdown) = both(&desk.report(&id));
    for text in [html, markdown] {
        assert!(text.contains("[redacted]") && !text.contains("sk-canary"), "{text}");
    }
}
