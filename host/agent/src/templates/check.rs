//! What must hold of a template so that rendering fails for no values that fit its parameters.

use std::collections::BTreeSet;

use super::error::{Problem, TemplateError};
use super::template::{Block, Condition, Content, Kind, Line, Need, Piece, SectionName, Template};

pub(super) fn check(template: &Template) -> Result<(), TemplateError> {
    let mut used = BTreeSet::new();
    let mut fence_rules = 0;
    for section in &template.sections {
        let says_something = |block: &Block| block.lines.iter().any(|line| line.content != Content::Text(Vec::new()));
        let always = |block: &&Block| block.condition.is_none();
        if !section.blocks.iter().filter(always).any(says_something) {
            return Err(TemplateError { line: section.line, problem: Problem::Empty(section.name.heading()) });
        }
        for block in &section.blocks {
            let guard = condition(template, block).map_err(|problem| TemplateError { line: block.line, problem })?;
            for line in &block.lines {
                let at = |problem| TemplateError { line: line.number, problem };
                if line.content == Content::FenceRule {
                    fence_rules += 1;
                    if section.name != SectionName::SafetyGuidelines || block.condition.is_some() {
                        return Err(at(Problem::FenceRule));
                    }
                }
                used.extend(names(template, line, guard).map_err(at)?);
            }
        }
    }
    let first = |problem| TemplateError { line: 1, problem };
    let has_data = template.parameters.iter().any(|parameter| parameter.kind.is_data());
    if fence_rules != usize::from(has_data) {
        return Err(first(Problem::FenceRule));
    }
    for parameter in &template.parameters {
        let blocks = covered(template, &parameter.name);
        let missing = match &parameter.kind {
            Kind::Choice(values) if !blocks.is_empty() => values.iter().find(|value| !blocks.contains(value.as_str())),
            _ => None,
        };
        if let Some(value) = missing {
            return Err(first(Problem::NoBlock { parameter: parameter.name.clone(), value: value.clone() }));
        }
        if blocks.is_empty() && !used.contains(parameter.name.as_str()) {
            return Err(first(Problem::Unused(parameter.name.clone())));
        }
    }
    Ok(())
}

/// The optional parameter that has a value wherever the block is rendered.
fn condition<'a>(template: &Template, block: &'a Block) -> Result<Option<&'a str>, Problem> {
    let Some(condition) = &block.condition else { return Ok(None) };
    let wrong = || Problem::Condition(condition.to_string());
    match condition {
        Condition::Given(name) => {
            let optional = template.parameter(name).is_some_and(|parameter| parameter.need == Need::Optional);
            if optional { Ok(Some(name.as_str())) } else { Err(wrong()) }
        }
        Condition::Is(name, value) => match template.parameter(name).map(|parameter| &parameter.kind) {
            Some(Kind::Choice(values)) if values.contains(value) => Ok(None),
            _ => Err(wrong()),
        },
    }
}

/// The parameters a line uses.
fn names<'a>(template: &Template, line: &'a Line, guard: Option<&str>) -> Result<Vec<&'a str>, Problem> {
    let (names, alone): (Vec<&str>, bool) = match &line.content {
        Content::FenceRule => (Vec::new(), true),
        Content::Alone(name) => (vec![name], true),
        Content::Text(pieces) => {
            let values = pieces.iter().filter_map(|piece| match piece {
                Piece::Value(name) => Some(name.as_str()),
                Piece::Literal(_) => None,
            });
            (values.collect(), false)
        }
    };
    for name in &names {
        let parameter = template.parameter(name).ok_or_else(|| Problem::Undeclared((*name).to_owned()))?;
        if parameter.kind.stands_alone() && !alone {
            return Err(Problem::NotAlone((*name).to_owned()));
        }
        if parameter.need == Need::Optional && guard != Some(*name) {
            return Err(Problem::Unguarded((*name).to_owned()));
        }
    }
    Ok(names)
}

/// The values of a choice that have a block somewhere.
fn covered<'a>(template: &'a Template, choice: &str) -> BTreeSet<&'a str> {
    let blocks = template.sections.iter().flat_map(|section| &section.blocks);
    let values = blocks.filter_map(|block| match &block.condition {
        Some(Condition::Is(name, value)) if name == choice => Some(value.as_str()),
        _ => None,
    });
    values.collect()
}
