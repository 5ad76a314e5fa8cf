//! From the text of a file to a template.

use super::check;
use super::error::{Problem, TemplateError};
use super::template::{
    Block, Condition, Content, Enforcement, Guideline, Kind, Line, Need, Parameter, Piece, Section, SectionName, Stamp,
    Template,
};

/// What a safety section writes for the rule about data.
const FENCE_RULE: &str = "{{fence-rule}}";

impl Template {
    /// Reads a template and checks that it can be rendered with any values that fit its parameters.
    ///
    /// # Errors
    /// With the line, when the text is not a template.
    pub fn parse(source: &str) -> Result<Self, TemplateError> {
        let mut lines = source.lines().enumerate().map(|(index, line)| (index + 1, line));
        let front = front_matter(&mut lines)?;
        let mut body = Body::default();
        for (number, line) in lines {
            body.line(number, line).map_err(|problem| TemplateError { line: number, problem })?;
        }
        let (sections, guidelines) = body.finish()?;
        let template = Self { stamp: front.0, description: front.1, parameters: front.2, sections, guidelines };
        check::check(&template)?;
        Ok(template)
    }
}

fn front_matter<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
) -> Result<(Stamp, String, Vec<Parameter>), TemplateError> {
    let at = |line, problem| TemplateError { line, problem };
    if lines.next().is_none_or(|(_, line)| line != "---") {
        return Err(at(1, Problem::NoFrontMatter));
    }
    let (mut id, mut version, mut description) = (None, None, None);
    let mut parameters: Option<Vec<Parameter>> = None;
    for (number, line) in lines {
        if line == "---" {
            let missing = |name| move || at(number, Problem::Missing(name));
            let stamp = Stamp { id: id.ok_or_else(missing("id"))?, version: version.ok_or_else(missing("version"))? };
            return Ok((stamp, description.ok_or_else(missing("description"))?, parameters.unwrap_or_default()));
        }
        let unknown = || at(number, Problem::FrontMatter(line.trim().to_owned()));
        let (key, value) = line.split_once(':').map(|(key, value)| (key, value.trim())).ok_or_else(unknown)?;
        let place = match key {
            "id" => &mut id,
            "version" => &mut version,
            "description" => &mut description,
            "parameters" if value.is_empty() && parameters.is_none() => {
                parameters = Some(Vec::new());
                continue;
            }
            _ => {
                let name = key.strip_prefix("  ").filter(|name| !name.starts_with(' ')).ok_or_else(unknown)?;
                let known = parameters.as_mut().ok_or_else(unknown)?;
                let parameter = parameter(name, value).map_err(|problem| at(number, problem))?;
                if known.iter().any(|known| known.name == parameter.name) {
                    return Err(at(number, Problem::Duplicate(parameter.name)));
                }
                known.push(parameter);
                continue;
            }
        };
        match key {
            "id" if !is_name(value) => return Err(at(number, Problem::Name(value.to_owned()))),
            "version" if !is_version(value) => return Err(at(number, Problem::Version(value.to_owned()))),
            _ if value.is_empty() || parameters.is_some() || place.is_some() => return Err(unknown()),
            _ => *place = Some(value.to_owned()),
        }
    }
    Err(at(1, Problem::NoFrontMatter))
}

fn is_name(text: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.split('-').all(word)
}

fn is_version(text: &str) -> bool {
    text.split('.').count() == 3
        && text.split('.').all(|number| number.parse::<u16>().is_ok() && !number.starts_with('+'))
}

fn parameter(name: &str, declaration: &str) -> Result<Parameter, Problem> {
    if !is_name(name) {
        return Err(Problem::Name(name.to_owned()));
    }
    let (need, kind) = match declaration.strip_prefix("optional ") {
        Some(kind) => (Need::Optional, kind),
        None => (Need::Required, declaration),
    };
    let up_to = |rest: &str| {
        let number = rest.strip_prefix("up to ")?.strip_suffix(" characters")?;
        number.parse::<usize>().ok().filter(|limit| *limit > 0)
    };
    let choice = |rest: &str| {
        let values: Vec<String> = rest.split(", ").map(str::to_owned).collect();
        (need == Need::Required && values.iter().all(|value| is_name(value))).then_some(Kind::Choice(values))
    };
    let kind = match kind {
        "text" => Some(Kind::Text),
        "list" => Some(Kind::List),
        _ => None
            .or_else(|| kind.strip_prefix("choice of ").and_then(choice))
            .or_else(|| kind.strip_prefix("data list ").and_then(up_to).map(Kind::DataList))
            .or_else(|| kind.strip_prefix("data ").and_then(up_to).map(Kind::Data)),
    };
    let kind = kind.ok_or_else(|| Problem::Kind(declaration.to_owned()))?;
    Ok(Parameter { name: name.to_owned(), kind, need })
}

/// The sections, as far as they were read.
#[derive(Default)]
struct Body {
    sections: Vec<Section>,
    guidelines: Vec<Guideline>,
    /// The line that opened the code being read.
    code: Option<usize>,
    last: usize,
}

impl Body {
    fn line(&mut self, number: usize, line: &str) -> Result<(), Problem> {
        self.last = number;
        if line.trim_start().starts_with("```") {
            self.code = if self.code.is_some() { None } else { Some(number) };
        } else if self.code.is_none() {
            if let Some(heading) = line.strip_prefix("# ") {
                return self.section(number, heading.trim());
            }
            if let Some(heading) = line.strip_prefix("## ") {
                return self.block(number, heading.trim());
            }
            if let Some(comment) = line.trim().strip_prefix("<!--") {
                let comment = comment.strip_suffix("-->").ok_or(Problem::Comment)?;
                self.comment(comment.trim());
                return Ok(());
            }
        }
        let Some(section) = self.sections.last_mut() else {
            return if line.trim().is_empty() { Ok(()) } else { Err(Problem::Stray) };
        };
        if section.name == SectionName::SafetyGuidelines && line.trim() != FENCE_RULE {
            match (line.strip_prefix("- "), self.guidelines.last_mut()) {
                (Some(text), _) => {
                    self.guidelines.push(Guideline { text: text.to_owned(), enforced: Vec::new() });
                }
                (None, Some(guideline)) if !line.trim().is_empty() => {
                    guideline.text.push(' ');
                    guideline.text.push_str(line.trim());
                }
                _ => {}
            }
        }
        let content = content(line)?;
        if let Some(block) = section.blocks.last_mut() {
            block.lines.push(Line { number, content });
        }
        Ok(())
    }

    fn section(&mut self, number: usize, heading: &str) -> Result<(), Problem> {
        let expected = SectionName::ALL.get(self.sections.len());
        let Some(name) = expected.copied().filter(|name| name.heading() == heading) else {
            let expected = expected.map_or("nothing", |name| name.heading());
            return Err(Problem::Section { found: heading.to_owned(), expected });
        };
        let lead = Block { title: None, condition: None, line: number, lines: Vec::new() };
        self.sections.push(Section { name, line: number, blocks: vec![lead] });
        Ok(())
    }

    fn block(&mut self, number: usize, heading: &str) -> Result<(), Problem> {
        let section = self.sections.last_mut().ok_or(Problem::Stray)?;
        let (title, condition) = match heading.strip_suffix('}').and_then(|heading| heading.split_once(" {")) {
            None => (heading, None),
            Some((title, condition)) => {
                let condition = match condition.split_once(" = ") {
                    None => Condition::Given(condition.to_owned()),
                    Some((name, value)) => Condition::Is(name.to_owned(), value.to_owned()),
                };
                (title, Some(condition))
            }
        };
        if title.contains('{') {
            return Err(Problem::Condition(title.to_owned()));
        }
        let title = Some(title.to_owned());
        section.blocks.push(Block { title, condition, line: number, lines: Vec::new() });
        Ok(())
    }

    /// A comment in the safety section may name what enforces the guideline before it.
    fn comment(&mut self, comment: &str) {
        let in_safety = self.sections.last().is_some_and(|section| section.name == SectionName::SafetyGuidelines);
        let Some(places) = comment.strip_prefix("enforced:").filter(|_| in_safety) else { return };
        let Some(guideline) = self.guidelines.last_mut() else { return };
        let places = places.split(';').filter_map(|place| place.trim().split_once(' '));
        guideline.enforced.extend(
            places.map(|(file, symbol)| Enforcement { file: file.to_owned(), symbol: symbol.trim().to_owned() }),
        );
    }

    fn finish(self) -> Result<(Vec<Section>, Vec<Guideline>), TemplateError> {
        if let Some(line) = self.code {
            return Err(TemplateError { line, problem: Problem::OpenCode });
        }
        match SectionName::ALL.get(self.sections.len()) {
            None => Ok((self.sections, self.guidelines)),
            Some(expected) => {
                let problem = Problem::Section { found: "the end".into(), expected: expected.heading() };
                Err(TemplateError { line: self.last, problem })
            }
        }
    }
}

fn content(line: &str) -> Result<Content, Problem> {
    if line.trim() == FENCE_RULE {
        return Ok(Content::FenceRule);
    }
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").filter(|(name, _)| is_name(name)).ok_or(Problem::Placeholder)?;
        if !before.is_empty() {
            pieces.push(Piece::Literal(before.to_owned()));
        }
        pieces.push(Piece::Value(name.to_owned()));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Literal(rest.to_owned()));
    }
    Ok(match pieces.as_slice() {
        [Piece::Value(name)] => Content::Alone(name.clone()),
        _ => Content::Text(pieces),
    })
}
