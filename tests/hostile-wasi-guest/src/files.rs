//! Files through streams. A path is that of a file in the first grant.

use serde_json::{Value, json};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags, filesystem_error_code};
use wasip2::io::streams::StreamError;

/// The name of a stream's error: `closed`, or the code of the file operation behind it.
pub(crate) fn stream(error: StreamError) -> String {
    match error {
        StreamError::Closed => "closed".into(),
        StreamError::LastOperationFailed(error) => match filesystem_error_code(&error) {
            Some(code) => format!("{} {}", code.name(), error.to_debug_string()),
            None => format!("? {}", error.to_debug_string()),
        },
    }
}

fn named(code: ErrorCode) -> String {
    code.name().to_owned()
}

fn open(path: &str, flags: DescriptorFlags) -> Result<Descriptor, String> {
    let (root, _) = wasip2::filesystem::preopens::get_directories().into_iter().next().ok_or("no grant")?;
    let create = if flags.contains(DescriptorFlags::WRITE) { OpenFlags::CREATE } else { OpenFlags::empty() };
    root.open_at(PathFlags::empty(), path, create, flags).map_err(named)
}

pub(crate) fn attempt(name: &str, path: &str, number: u64) -> Option<Value> {
    let came = match name {
        "file-read" => read(path, number),
        "file-write" => write(path, number),
        "file-append" => append(path),
        "file-splice" => splice(path),
        "file-outlives-descriptor" => outlives(path),
        "file-wrong-way" => wrong_way(path),
        "file-too-much" => too_much(path),
        "file-streams" => streams(path, number),
        "file-fill" => fill(path),
        _ => return None,
    };
    Some(came.unwrap_or_else(|error| json!({ "error": error })))
}

/// The whole file from an offset, in the pieces it comes in.
fn read(path: &str, offset: u64) -> Result<Value, String> {
    let file = open(path, DescriptorFlags::READ)?;
    let input = file.read_via_stream(offset).map_err(named)?;
    let (mut bytes, mut pieces) = (Vec::new(), 0);
    loop {
        match input.blocking_read(u64::MAX) {
            Ok(piece) => bytes.extend(piece),
            Err(StreamError::Closed) => break,
            Err(error) => return Err(stream(error)),
        }
        pieces += 1;
    }
    let sum = bytes.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    Ok(json!([bytes.len(), sum, pieces > 0]))
}

/// Three bytes at an offset.
fn write(path: &str, offset: u64) -> Result<Value, String> {
    let file = open(path, DescriptorFlags::WRITE)?;
    let output = file.write_via_stream(offset).map_err(named)?;
    let room = output.check_write().map_err(stream)?;
    output.write(b"abc").map_err(stream)?;
    output.blocking_write_zeroes_and_flush(2).map_err(stream)?;
    output.blocking_flush().map_err(stream)?;
    Ok(json!(room > 0))
}

fn append(path: &str) -> Result<Value, String> {
    let file = open(path, DescriptorFlags::WRITE)?;
    let one = file.append_via_stream().map_err(named)?;
    let other = file.append_via_stream().map_err(named)?;
    for (stream_of, text) in [(&one, "1"), (&other, "2"), (&one, "3")] {
        stream_of.blocking_write_and_flush(text.as_bytes()).map_err(stream)?;
    }
    Ok(json!("appended"))
}

/// Copies a file to `copy` beside it.
fn splice(path: &str) -> Result<Value, String> {
    let from = open(path, DescriptorFlags::READ)?.read_via_stream(0).map_err(named)?;
    let to = open("copy", DescriptorFlags::WRITE)?.write_via_stream(0).map_err(named)?;
    let mut copied = 0;
    loop {
        match to.blocking_splice(&from, u64::MAX) {
            Ok(count) => copied += count,
            Err(StreamError::Closed) => return Ok(json!(copied)),
            Err(error) => return Err(stream(error)),
        }
    }
}

fn outlives(path: &str) -> Result<Value, String> {
    let file = open(path, DescriptorFlags::READ)?;
    let input = file.read_via_stream(0).map_err(named)?;
    drop(file);
    Ok(json!(input.blocking_read(5).map_err(stream)?.len()))
}

/// Writing what was opened for reading, and the other way round.
fn wrong_way(path: &str) -> Result<Value, String> {
    let reads = open(path, DescriptorFlags::READ)?;
    let writes = open("written", DescriptorFlags::WRITE)?;
    Ok(json!([
        reads.write_via_stream(0).err().map(named),
        reads.append_via_stream().err().map(named),
        writes.read_via_stream(0).err().map(named),
    ]))
}

/// One write of more than any stream takes.
fn too_much(path: &str) -> Result<Value, String> {
    let output = open(path, DescriptorFlags::WRITE)?.write_via_stream(0).map_err(named)?;
    let room = usize::try_from(output.check_write().map_err(stream)?).unwrap_or(0);
    output.write(&vec![0; room + 1]).map_err(stream)?;
    Ok(json!("written"))
}

fn streams(path: &str, number: u64) -> Result<Value, String> {
    let file = open(path, DescriptorFlags::READ)?;
    let all: Result<Vec<_>, _> = (0..number).map(|_| file.read_via_stream(0)).collect();
    Ok(json!(all.map_err(named)?.len()))
}

/// Writes until it is refused.
fn fill(path: &str) -> Result<Value, String> {
    let output = open(path, DescriptorFlags::WRITE)?.write_via_stream(0).map_err(named)?;
    let piece = vec![b'x'; 64 << 10];
    loop {
        output.blocking_write_and_flush(&piece).map_err(stream)?;
    }
}
