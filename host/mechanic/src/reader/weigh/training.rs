//! Writes what is said of each pair, for `cargo xtask weights`. Only in a program that is built with the feature `training`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use serde_json::json;

use super::columns::names;
use super::pairs::Weighed;
use super::ruled::is_called;
use crate::entities::Lookup;
use crate::names::key;

/// Appends a line to the file that `BAILIWICK_TRAINING` names: the request, and each pair with what is said of it.
///
/// A pair holds every name that it may stand for, because a language puts words around names.
pub(super) fn write(request: &str, pairs: &[Weighed], whole: &BTreeSet<String>, lookup: &Lookup<'_>) {
    let Some(path) = std::env::var_os("BAILIWICK_TRAINING") else { return };
    let described = pairs.iter().map(|pair| {
        let entity = lookup.entity(pair.target);
        let values: BTreeMap<&str, f64> = pair.second.values(0.0).into_iter().collect();
        json!({
            "aim": pair.aim.word(),
            // As requests and plans name a parameter.
            "target": entity.reference.replace("::parameters.", "."),
            "name": pair.text,
            "features": pair.features,
            "second": values,
            "bare": bare(entity.kind, &pair.key),
            "columns": names().iter().zip(&pair.columns).collect::<BTreeMap<_, _>>(),
        })
    });
    let line = json!({ "request": request, "pairs": described.collect::<Vec<_>>(), "whole": whole });
    if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path) {
        // In one piece: several readers may write at a time.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }
}

/// The ends of a name that the name may be without what a language puts around it.
fn bare(kind: bailiwick_sdk::tasks::EntityKind, written: &str) -> Vec<String> {
    let ends = written.char_indices().flat_map(|(start, _)| {
        let tail = written.get(start..).unwrap_or_default();
        ["", "async", "withresponse", "pager"].into_iter().filter_map(move |end| tail.strip_suffix(end))
    });
    let mut bare: Vec<String> = ends.filter(|one| is_called(kind, written, one)).map(key).collect();
    bare.sort();
    bare.dedup();
    bare
}
