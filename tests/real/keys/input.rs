//! What cannot be used is said in a sentence before anything runs: it names the variable, and who chose the model.

use super::canary::KEY;
use super::{AGENT, Desk};
use std::fs;

struct Case {
    /// What stands before the tables of the agent file.
    file: &'static str,
    model: Option<&'static str>,
    variables: &'static [(&'static str, &'static str)],
    code: i32,
    says: &'static [&'static str],
    hints: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        file: "",
        model: Some("openai:m"),
        variables: &[],
        code: 2,
        says: &["`--model`", "`openai:m` needs a key", "`OPENAI_API_KEY`"],
        hints: &["`OPENAI_API_KEY`", "`BAILIWICK_KEY_FILE`", "`BAILIWICK_KEY_COMMAND`"],
    },
    Case {
        file: "",
        model: None,
        variables: &[("BAILIWICK_MODEL", "anthropic:m")],
        code: 2,
        says: &["`BAILIWICK_MODEL`", "`ANTHROPIC_API_KEY`"],
        hints: &["`ANTHROPIC_API_KEY`"],
    },
    Case {
        file: "model = \"gemini:m\"",
        model: None,
        variables: &[("BAILIWICK_MODEL", "anthropic:m")],
        code: 2,
        says: &["`model` in the agent file", "`GEMINI_API_KEY`"],
        hints: &["`GEMINI_API_KEY`"],
    },
    Case {
        file: "model = \"opnai:m\"",
        model: None,
        variables: &[],
        code: 2,
        says: &["`model` in the agent file", "`opnai`", "nearest is `openai`"],
        hints: &["`gemini`"],
    },
    Case {
        file: "",
        model: Some("gpt-5"),
        variables: &[],
        code: 2,
        says: &["`--model`", "`gpt-5`", "`PROVIDER:NAME`"],
        hints: &["mechanic"],
    },
    Case {
        file: "",
        model: Some("openai:m"),
        variables: &[("BAILIWICK_KEY_FILE", "/no/such/file"), ("BAILIWICK_KEY_COMMAND", "touch made")],
        code: 2,
        says: &["`BAILIWICK_KEY_FILE` and `BAILIWICK_KEY_COMMAND`"],
        hints: &["unset one"],
    },
    Case {
        file: "",
        model: Some("openai:m"),
        variables: &[("BAILIWICK_KEY_COMMAND", "sh -c 'echo sk-CanaryOne; exit 4'"), ("OPENAI_API_KEY", KEY)],
        code: 2,
        says: &["`BAILIWICK_KEY_COMMAND`", "`sh` ended with exit code 4"],
        hints: &["first line"],
    },
    Case {
        file: "",
        model: Some("openai:m"),
        variables: &[("BAILIWICK_KEY_COMMAND", "echo 'sk-CanaryOne CanaryTwo'")],
        code: 2,
        says: &["`BAILIWICK_KEY_COMMAND`", "spaces"],
        hints: &["the key alone"],
    },
    Case {
        file: "",
        model: Some("openai-compatible:m@http://192.0.2.1/v1"),
        variables: &[("BAILIWICK_KEY_COMMAND", "echo sk-CanaryOne"), ("BAILIWICK_PLAIN_HTTP_HOST", "192.0.2.2")],
        code: 2,
        says: &["`192.0.2.1`", "plain http", "`BAILIWICK_KEY_COMMAND`"],
        hints: &["`https://`", "`BAILIWICK_PLAIN_HTTP_HOST=192.0.2.1`"],
    },
    Case {
        file: "model = \"gemini:m\"",
        model: None,
        variables: &[("BAILIWICK_KEY_COMMAND", "echo sk-CanaryOne")],
        code: 3,
        says: &["`model` in the agent file", "`BAILIWICK_KEY_COMMAND`"],
        hints: &["`--model`", "`{provider}`"],
    },
];

#[test]
fn what_cannot_be_used_is_named_with_its_way_out_before_anything_runs() {
    for case in CASES {
        let desk = Desk::bare();
        fs::write(desk.path("agent.toml"), format!("{}\n{AGENT}", case.file)).unwrap();
        let mut arguments = vec!["agent", "run", "desk/agent.toml"];
        arguments.extend(case.model.iter().flat_map(|model| ["--model", model]));
        let answer = desk.run(&arguments, case.variables).exits(case.code);
        let (said, hint) = answer.stderr.split_once("\nhint: ").unwrap_or_else(|| panic!("no hint: {}", answer.stderr));
        assert!(said.starts_with("error: ") && said.trim().lines().count() == 1, "{said}");
        for word in case.says {
            assert!(said.contains(word), "`{word}` is not in: {said}");
        }
        for word in case.hints {
            assert!(hint.contains(word), "`{word}` is not in: {hint}");
        }
        assert!(answer.stdout.is_empty(), "{}", answer.stdout);
        assert!(!desk.world.state().exists(), "state was written");
        assert!(!desk.world.base().join("made").exists(), "the command was run");
    }
}
