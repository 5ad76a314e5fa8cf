//! Prompt templates, seen from outside: what is refused, what is rendered, and what cannot break out of a fence.
mod breakout;
mod parsing;
mod rendering;

/// A template of all kinds of parameter, for tests to change in one place.
pub(crate) const SMALL: &str = "\
---
id: small
version: 1.2.3
description: Tries everything
parameters:
  place: text
  language: choice of english, german
  manners: list
  letter: data up to 2000 characters
  people: optional data list up to 2000 characters
  remark: optional text
---
# System role
You greet people in {{place}}.
# Safety guidelines
{{fence-rule}}
- You only greet.
<!-- enforced: a/b.rs fn greet; c.rs Limits -->
# Task
{{letter}}
## People {people}
{{people}}
## English {language = english}
Say hello.
## German {language = german}
Say hallo.
# Constraints
{{manners}}
## A remark on the side {remark}
Mind this: {{remark}}, in {{language}}.
# Examples
```
# no section
{ no: condition }
```
# Output requirements
One line.
";
