//! The templates that come with the program.

use std::collections::BTreeSet;
use std::path::PathBuf;

use bailiwick_agent::templates::{Kind, Need, Value, Values};
use bailiwick_customize::prompts::{PromptId, check};
use bailiwick_sdk::tasks::Language;

use super::samples::samples;

#[test]
fn every_template_parses_under_its_own_name() {
    check().unwrap();
    for id in PromptId::ALL {
        let template = id.template().unwrap();
        assert_eq!(template.stamp().id, id.name());
        assert_eq!(PromptId::from_name(id.name()), Some(id));
        assert!(!template.description().is_empty());
    }
    assert_eq!(PromptId::from_name("Classification"), None);
}

#[test]
fn every_file_in_the_directory_is_a_template_that_comes_with_the_program() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("prompts");
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let expected: BTreeSet<_> = PromptId::ALL.iter().map(|id| format!("{id}.md")).collect();
    assert_eq!(files.collect::<BTreeSet<_>>(), expected);
}

/// No safety rule lives only in a prompt: each names a place in the program, and the place is there.
#[test]
fn every_safety_guideline_names_code_that_enforces_it() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    for id in PromptId::ALL {
        let guidelines = id.template().unwrap().guidelines();
        assert!(!guidelines.is_empty(), "{id}");
        for guideline in guidelines {
            assert!(!guideline.enforced.is_empty(), "{id}: nothing enforces `{}`", guideline.text);
            for place in &guideline.enforced {
                let source = std::fs::read_to_string(root.join(&place.file)).unwrap_or_default();
                assert!(source.contains(&place.symbol), "{id}: `{}` is not in `{}`", place.symbol, place.file);
            }
        }
    }
}

#[test]
fn all_values_together_use_every_parameter_of_a_template() {
    for id in PromptId::ALL {
        let given: Vec<_> = samples(id).into_iter().map(|(_, values)| serde_json::to_value(values).unwrap()).collect();
        for parameter in id.template().unwrap().parameters() {
            let with = given.iter().filter(|values| values.get(&parameter.name).is_some()).count();
            let (required, optional) = (parameter.need == Need::Required, with > 0 && with < given.len());
            assert!(
                required && with == given.len() || optional,
                "{id}: no samples with and without {}",
                parameter.name
            );
        }
    }
}

#[test]
fn languages_of_the_repair_are_scope_tokens() {
    let template = PromptId::CodePatch.template().unwrap();
    let language = template.parameters().iter().find(|parameter| parameter.name == "language").unwrap();
    let Kind::Choice(languages) = &language.kind else { panic!("{language:?}") };
    assert!(languages.iter().all(|token| Language::from_scope_token(token).is_some()), "{languages:?}");
    assert!(languages.contains(&"python".to_owned()));
}

#[test]
fn what_comes_from_outside_is_data_in_every_template() {
    // The kinds that are put in place unfenced; a name that is added here is the host's own.
    let own = [
        "language",
        "scope",
        "client-file",
        "validated",
        "decorators",
        "line-limit",
        "file-limit",
        "readme-file",
        "rules",
    ];
    for id in PromptId::ALL {
        for parameter in id.template().unwrap().parameters() {
            let fenced = matches!(parameter.kind, Kind::Data(_) | Kind::DataList(_));
            assert_eq!(fenced, !own.contains(&parameter.name.as_str()), "{id}: {}", parameter.name);
        }
    }
}

#[test]
fn values_are_read_one_by_one() {
    let values: Values = [("findings".to_owned(), Value::List(vec!["x".into()]))].into_iter().collect();
    assert_eq!(values, Values::new().list("findings", ["x"]));
}
