//! What a guest said, held against what a client can use. A guest writes what it likes: an address that breaks a line of
//! a list, a kind of data with an escape sequence in it, a form that shows a name as another one.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::clean::{line, lines, value};
use super::component::RichTool;
use super::exports::{prompts, resources, rich_tools};
use super::request::RichResponse;
use super::{Asks, Block, Data, Document, Link, Message, Question};
use crate::sanitize::sanitized;
use crate::schema::{Schema, Unfit};
use bailiwick_audit::is_invisible;

/// Parts of one answer, entries of one list.
const MOST_PARTS: usize = 1000;
/// Questions that are asked at once.
const MOST_QUESTIONS: usize = 8;
/// Bytes of what a guest wants to remember until it is called again: the client carries it.
const LONGEST_STATE: usize = 64 << 10;
/// Bytes of a form's schema, which is carried as well.
const LONGEST_FORM: usize = 16 << 10;
const LONGEST_ADDRESS: usize = 2048;
const LONGEST_KIND: usize = 128;
/// Values that are offered to complete an argument, as the protocol has it.
const MOST_VALUES: usize = 100;

/// What was said, made fit. The error says what is wrong with it.
pub(super) fn said(said: RichResponse, tool: Option<&RichTool>) -> Result<RichResponse, String> {
    Ok(match said {
        RichResponse::Described(tools) => RichResponse::Described(tools),
        RichResponse::Called(rich_tools::Outcome::Answered(answer)) => {
            RichResponse::Called(rich_tools::Outcome::Answered(answered(answer, tool)?))
        }
        RichResponse::Called(rich_tools::Outcome::Asks(asks)) => {
            RichResponse::Called(rich_tools::Outcome::Asks(self::asks(asks)?))
        }
        RichResponse::Resources(links) => {
            RichResponse::Resources(few(links)?.into_iter().map(link).collect::<Result<_, _>>()?)
        }
        RichResponse::Templates(templates) => {
            RichResponse::Templates(few(templates)?.into_iter().map(template).collect::<Result<_, _>>()?)
        }
        RichResponse::Read(resources) => {
            RichResponse::Read(few(resources)?.into_iter().map(document).collect::<Result<_, _>>()?)
        }
        RichResponse::Prompts(prompts) => {
            RichResponse::Prompts(few(prompts)?.into_iter().map(prompt).collect::<Result<_, _>>()?)
        }
        RichResponse::Got(prompts::Outcome::Got(got)) => RichResponse::Got(prompts::Outcome::Got(prompts::Got {
            description: lines(got.description),
            messages: messages(got.messages)?,
        })),
        RichResponse::Got(prompts::Outcome::Asks(asks)) => RichResponse::Got(prompts::Outcome::Asks(self::asks(asks)?)),
        RichResponse::Completed(values) => {
            RichResponse::Completed(values.iter().take(MOST_VALUES).map(|value| line(value)).collect())
        }
    })
}

fn few<T>(parts: Vec<T>) -> Result<Vec<T>, String> {
    if parts.len() > MOST_PARTS {
        return Err(format!("it has {} parts, more than {MOST_PARTS}", parts.len()));
    }
    Ok(parts)
}

fn answered(answer: rich_tools::Answer, tool: Option<&RichTool>) -> Result<rich_tools::Answer, String> {
    let schema = tool.and_then(|tool| tool.0.output.as_ref());
    match (schema, &answer.structured) {
        (Some(schema), Some(text)) => fits(schema, text)?,
        (Some(_), None) if !answer.is_error => return Err("its structured part is missing".into()),
        (None, Some(_)) => return Err("it has a structured part, for which the tool has no schema".into()),
        (_, None) => {}
    }
    let content = few(answer.content)?.into_iter().map(block).collect::<Result<_, _>>()?;
    Ok(rich_tools::Answer { content, ..answer })
}

fn fits(schema: &Schema, text: &str) -> Result<(), String> {
    let value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    schema.check(&value, text.len()).map_err(|Unfit(reason)| sanitized(&reason).into_owned())
}

fn block(block: Block) -> Result<Block, String> {
    Ok(match block {
        Block::Text(text) => Block::Text(text),
        Block::Image(data) => Block::Image(self::data(data, "image/")?),
        Block::Audio(data) => Block::Audio(self::data(data, "audio/")?),
        Block::Embedded(embedded) => Block::Embedded(document(embedded)?),
        Block::Link(one) => Block::Link(link(one)?),
    })
}

fn data(data: Data, family: &str) -> Result<Data, String> {
    kind(&data.mime_type)?;
    if !data.mime_type.starts_with(family) {
        return Err(format!("`{}` is not a kind of {}", data.mime_type, family.trim_end_matches('/')));
    }
    Ok(data)
}

fn document(document: Document) -> Result<Document, String> {
    address(&document.uri)?;
    document.mime_type.as_deref().map_or(Ok(()), kind)?;
    Ok(document)
}

fn link(link: Link) -> Result<Link, String> {
    address(&link.uri)?;
    link.mime_type.as_deref().map_or(Ok(()), kind)?;
    Ok(Link {
        name: line(&link.name),
        title: lines(link.title),
        description: lines(link.description),
        uri: link.uri,
        mime_type: link.mime_type,
    })
}

fn template(template: resources::Template) -> Result<resources::Template, String> {
    address(&template.uri_template)?;
    template.mime_type.as_deref().map_or(Ok(()), kind)?;
    Ok(resources::Template {
        name: line(&template.name),
        title: lines(template.title),
        description: lines(template.description),
        uri_template: template.uri_template,
        mime_type: template.mime_type,
    })
}

fn prompt(prompt: prompts::Prompt) -> Result<prompts::Prompt, String> {
    key(&prompt.name)?;
    let mut arguments = Vec::with_capacity(prompt.arguments.len());
    for argument in few(prompt.arguments)? {
        key(&argument.name)?;
        arguments.push(prompts::Argument { description: lines(argument.description), ..argument });
    }
    Ok(prompts::Prompt {
        arguments,
        title: lines(prompt.title),
        description: lines(prompt.description),
        name: prompt.name,
    })
}

fn messages(messages: Vec<Message>) -> Result<Vec<Message>, String> {
    let checked = few(messages)?.into_iter();
    checked.map(|message| Ok(Message { content: block(message.content)?, ..message })).collect()
}

fn asks(asks: Asks) -> Result<Asks, String> {
    if asks.questions.is_empty() || asks.questions.len() > MOST_QUESTIONS {
        return Err(format!("it asks {} questions, where 1 to {MOST_QUESTIONS} can be asked", asks.questions.len()));
    }
    if asks.state.as_deref().is_some_and(|state| state.len() > LONGEST_STATE) {
        return Err(format!("what it wants to remember is longer than {LONGEST_STATE} bytes"));
    }
    let mut questions: Vec<(String, Question)> = Vec::with_capacity(asks.questions.len());
    for (name, question) in asks.questions {
        key(&name)?;
        if questions.iter().any(|(other, _)| *other == name) {
            return Err(format!("two of its questions are called `{name}`"));
        }
        questions.push((name, self::question(question)?));
    }
    Ok(Asks { questions, state: asks.state })
}

fn question(question: Question) -> Result<Question, String> {
    Ok(match question {
        Question::Form(mut form) => {
            if form.schema.len() > LONGEST_FORM {
                return Err(format!("its form is longer than {LONGEST_FORM} bytes"));
            }
            let schema =
                serde_json::from_str(&form.schema).map_err(|error| format!("its form is not JSON: {error}"))?;
            let schema = value(schema);
            if schema.get("type").and_then(serde_json::Value::as_str) != Some("object") {
                return Err("its form is not the schema of an object".into());
            }
            Schema::new(&schema).map_err(|error| format!("its form cannot be used: {error}"))?;
            form.schema = schema.to_string();
            form.message = line(&form.message);
            Question::Form(form)
        }
        Question::Completion(mut completion) => {
            completion.messages = messages(completion.messages)?;
            let plain =
                |message: &Message| matches!(message.content, Block::Text(_) | Block::Image(_) | Block::Audio(_));
            if completion.messages.is_empty() || !completion.messages.iter().all(plain) {
                return Err("it asks for a completion of no messages, or of some that a model cannot be sent".into());
            }
            Question::Completion(completion)
        }
        Question::Roots => Question::Roots,
    })
}

fn key(name: &str) -> Result<(), String> {
    let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || name.len() > 64 || !name.chars().all(named) {
        return Err(format!("`{}` is not a valid name", brief(name)));
    }
    Ok(())
}

/// An address has a scheme, and nothing that breaks a line or hides.
fn address(uri: &str) -> Result<(), String> {
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    let starts = scheme.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    let named = scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let odd = |c: char| c.is_whitespace() || is_invisible(c);
    if uri.len() > LONGEST_ADDRESS || !starts || !named || uri.contains(odd) {
        return Err(format!("`{}` is not a valid address", brief(uri)));
    }
    Ok(())
}

/// Such as `text/plain; charset=utf-8`.
fn kind(mime_type: &str) -> Result<(), String> {
    let token = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_'))
    };
    let (main, parameters) = mime_type.split_once(';').unwrap_or((mime_type, ""));
    let named = main.split_once('/').is_some_and(|(family, kind)| token(family) && token(kind));
    if !named || mime_type.len() > LONGEST_KIND || !parameters.chars().all(|c| matches!(c, ' '..='~')) {
        return Err(format!("`{}` is not a MIME type", brief(mime_type)));
    }
    Ok(())
}

fn brief(text: &str) -> String {
    line(&text.chars().take(80).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rich::Form;

    fn form(schema: &str) -> Asks {
        let form = Form { message: "a\u{1b}[2J\nb".into(), schema: schema.into() };
        Asks { questions: vec![("name".into(), Question::Form(form))], state: None }
    }

    #[test]
    fn addresses_and_kinds_that_break_a_line_or_hide_are_refused() {
        for uri in
            ["", "notes", ":x", "1a:x", "a b:x", "a:x y", "a:\n", "a:\u{202e}", &format!("a:{}", "x".repeat(3000))]
        {
            assert!(address(uri).is_err(), "{uri:?}");
        }
        for uri in ["test://static-text", "test://template/{id}/data", "urn:x", "a+b-c.d:"] {
            assert!(address(uri).is_ok(), "{uri:?}");
        }
        for mime in ["", "png", "image/", "/png", "image/p ng", "image/png\n", "text/plain; \u{1b}"] {
            assert!(kind(mime).is_err(), "{mime:?}");
        }
        assert!(kind("text/plain; charset=utf-8").is_ok());
    }

    #[test]
    fn form_is_shown_as_one_line_and_has_to_be_of_an_object() {
        let asks = asks(form(r#"{"type":"object","properties":{"n":{"type":"string","title":"x\u202e"}}}"#)).unwrap();
        let Question::Form(form) = &asks.questions[0].1 else { panic!("it was a form") };
        assert_eq!(form.message, "a\\u{1b}[2J b");
        assert!(form.schema.contains("x\\\\u{202e}"), "{}", form.schema);
        for schema in ["", "[]", "{}", r#"{"type":"array"}"#, r##"{"type":"object","allOf":[{"$ref":"#"}]}"##] {
            assert!(super::asks(self::form(schema)).is_err(), "{schema}");
        }
    }

    #[test]
    fn questions_are_few_and_each_has_its_own_name() {
        let of = |names: &[&str], state: Option<usize>| Asks {
            questions: names.iter().map(|name| ((*name).to_owned(), Question::Roots)).collect(),
            state: state.map(|length| "x".repeat(length)),
        };
        assert!(asks(of(&["a", "b"], Some(100))).is_ok());
        assert!(asks(of(&[], None)).is_err());
        assert!(asks(of(&["a", "a"], None)).is_err());
        assert!(asks(of(&["a b"], None)).is_err());
        assert!(asks(of(&["a", "b", "c", "d", "e", "f", "g", "h", "i"], None)).is_err());
        assert!(asks(of(&["a"], Some(LONGEST_STATE + 1))).is_err());
    }

    #[test]
    fn bytes_that_are_not_picture_are_not_called_one() {
        let of = |mime_type: &str| Block::Image(Data { mime_type: mime_type.into(), bytes: vec![1] });
        assert!(block(of("image/png")).is_ok());
        assert!(block(of("text/html")).is_err());
    }
}
