//! The interpreter of raw operations. Its format is in the crate's documentation.

use crate::names::{self, Flags};
use crate::report::Roots;
use serde_json::{Value, json};
use wasip2::filesystem::types::{
    Advice, Datetime, Descriptor, DescriptorStat, ErrorCode, MetadataHashValue, NewTimestamp,
};

/// Why an operation has no `ok`.
enum Problem {
    /// The host says so.
    Host(ErrorCode),
    /// The operation cannot be read.
    Guest(&'static str),
}

impl From<ErrorCode> for Problem {
    fn from(code: ErrorCode) -> Self {
        Self::Host(code)
    }
}

/// Runs all of them, whatever each comes to.
pub(crate) fn run(roots: Roots, operations: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut table: Vec<Option<Descriptor>> = roots.granted.into_iter().map(|(_, handle)| Some(handle)).collect();
    operations
        .map(|operation| match one(&mut table, &operation) {
            Ok(value) => json!({ "ok": value }),
            Err(Problem::Host(code)) => json!({ "err": code.name() }),
            Err(Problem::Guest(what)) => json!({ "err": format!("guest: {what}") }),
        })
        .collect()
}

fn one(table: &mut Vec<Option<Descriptor>>, operation: &Value) -> Result<Value, Problem> {
    let parts = operation.as_array().ok_or(Problem::Guest("an operation is an array"))?;
    let name = parts.first().and_then(Value::as_str).ok_or(Problem::Guest("an operation has a name"))?;
    let of = Arguments(parts);
    let made = match name {
        "open-at" => {
            let flags = of.flags(3)?;
            Some(of.handle(table, 1)?.open_at(flags.path, of.text(2)?, flags.open, flags.rights)?)
        }
        "drop" => {
            of.handle(table, 1)?;
            table[of.index(1)?] = None;
            return Ok(Value::Null);
        }
        _ => None,
    };
    if let Some(made) = made {
        table.push(Some(made));
        return Ok(json!(table.len() - 1));
    }
    let handle = of.handle(table, 1)?;
    Ok(match name {
        "read" => {
            let (bytes, ended) = handle.read(of.number(2)?, of.number(3)?)?;
            json!([String::from_utf8_lossy(&bytes), ended])
        }
        "write" => json!(handle.write(of.text(2)?.as_bytes(), of.number(3)?)?),
        "set-size" => json!(handle.set_size(of.number(2)?)?),
        "stat" => stat(&handle.stat()?),
        "stat-at" => stat(&handle.stat_at(of.flags(3)?.path, of.text(2)?)?),
        "get-type" => json!(names::kind(handle.get_type()?)),
        "get-flags" => json!(names::rights(handle.get_flags()?)),
        "set-times" => json!(handle.set_times(of.time(2)?, of.time(3)?)?),
        "set-times-at" => {
            json!(handle.set_times_at(of.flags(3)?.path, of.text(2)?, of.time(4)?, of.time(5)?)?)
        }
        "readdir" => {
            let stream = handle.read_directory()?;
            let mut entries = Vec::new();
            loop {
                match stream.read_directory_entry() {
                    Ok(Some(entry)) => entries.push(json!([entry.name, names::kind(entry.type_)])),
                    Ok(None) => break Value::Array(entries),
                    Err(code) => entries.push(json!(code.name())),
                }
            }
        }
        #[cfg(feature = "built-in")]
        "entries" => {
            let listed = crate::listing::readdir(handle)?;
            let mut entries: Vec<Value> = listed.entries.into_iter().map(|entry| json!(entry)).collect();
            let undecodable = json!(ErrorCode::IllegalByteSequence.name());
            entries.extend(std::iter::repeat_n(undecodable, listed.undecodable as usize));
            Value::Array(entries)
        }
        "create-directory-at" => json!(handle.create_directory_at(of.text(2)?)?),
        "remove-directory-at" => json!(handle.remove_directory_at(of.text(2)?)?),
        "unlink-file-at" => json!(handle.unlink_file_at(of.text(2)?)?),
        "rename-at" => json!(handle.rename_at(of.text(2)?, of.handle(table, 3)?, of.text(4)?)?),
        "link-at" => {
            json!(handle.link_at(of.flags(3)?.path, of.text(2)?, of.handle(table, 4)?, of.text(5)?)?)
        }
        "symlink-at" => json!(handle.symlink_at(of.text(2)?, of.text(3)?)?),
        "readlink-at" => json!(handle.readlink_at(of.text(2)?)?),
        "sync" => json!(handle.sync()?),
        "sync-data" => json!(handle.sync_data()?),
        "advise" => json!(handle.advise(of.number(2)?, of.number(3)?, Advice::Normal)?),
        "is-same-object" => json!(handle.is_same_object(of.handle(table, 2)?)),
        "metadata-hash" => hash(handle.metadata_hash()?),
        "metadata-hash-at" => hash(handle.metadata_hash_at(of.flags(3)?.path, of.text(2)?)?),
        _ => return Err(Problem::Guest("no such operation")),
    })
}

/// The parts of an operation, its name at 0.
struct Arguments<'a>(&'a [Value]);

impl<'a> Arguments<'a> {
    fn text(&self, at: usize) -> Result<&'a str, Problem> {
        self.0.get(at).and_then(Value::as_str).ok_or(Problem::Guest("a string is missing"))
    }

    fn number(&self, at: usize) -> Result<u64, Problem> {
        self.0.get(at).and_then(Value::as_u64).ok_or(Problem::Guest("a number is missing"))
    }

    fn flags(&self, at: usize) -> Result<Flags, Problem> {
        Flags::parse(self.text(at)?).ok_or(Problem::Guest("no such flag"))
    }

    fn index(&self, at: usize) -> Result<usize, Problem> {
        usize::try_from(self.number(at)?).map_err(|_| Problem::Guest("no such descriptor"))
    }

    fn handle<'t>(&self, table: &'t [Option<Descriptor>], at: usize) -> Result<&'t Descriptor, Problem> {
        table.get(self.index(at)?).and_then(Option::as_ref).ok_or(Problem::Guest("no such descriptor"))
    }

    fn time(&self, at: usize) -> Result<NewTimestamp, Problem> {
        let time = self.0.get(at).ok_or(Problem::Guest("a time is missing"))?;
        match time.as_str() {
            Some("keep") => return Ok(NewTimestamp::NoChange),
            Some("now") => return Ok(NewTimestamp::Now),
            _ => {}
        }
        let number = |index: usize| time.get(index).and_then(Value::as_u64);
        let nanoseconds = number(1).and_then(|number| u32::try_from(number).ok());
        match (number(0), nanoseconds) {
            (Some(seconds), Some(nanoseconds)) => Ok(NewTimestamp::Timestamp(Datetime { seconds, nanoseconds })),
            _ => Err(Problem::Guest("no such time")),
        }
    }
}

fn stat(stat: &DescriptorStat) -> Value {
    let time = |time: Option<Datetime>| time.map(|time| json!([time.seconds, time.nanoseconds]));
    json!([
        names::kind(stat.type_),
        stat.link_count,
        stat.size,
        time(stat.data_access_timestamp),
        time(stat.data_modification_timestamp),
        time(stat.status_change_timestamp),
    ])
}

fn hash(value: MetadataHashValue) -> Value {
    json!([value.lower, value.upper])
}
