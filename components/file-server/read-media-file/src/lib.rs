//! `read_media_file`: an image, a sound, or any other file as bytes.

mod kind;

use bailiwick_tool_sdk::{Effects, Grants, Place, Tool, ToolError, export_tool, input, output};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The largest file of one answer; in base64 it is a third longer.
const FILE_LIMIT: u64 = 8 << 20;

input! {
    /// What `read_media_file` is given.
    pub struct Input {
        /// The file.
        pub path: String,
    }
}

output! {
    /// A file as it is.
    pub struct Media {
        /// What it is, by the ending of its name.
        pub mime_type: String,
        /// Its bytes in base64.
        pub data: String,
        /// The file.
        pub uri: String,
    }
}

output! {
    /// What `read_media_file` answers.
    pub struct Output {
        /// The file.
        pub media: Media,
    }
}

/// Reads a file that is no text.
pub struct ReadMediaFile;

impl Tool for ReadMediaFile {
    const NAME: &'static str = "read_media_file";
    const DESCRIPTION: &'static str = "Reads a file and returns its bytes in base64 with their MIME type: images and audio as \
        such, any other file as an embedded resource. Text is better read with read_text_file.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let place = grants.resolve(&input.path)?;
        let data = STANDARD.encode(place.read(FILE_LIMIT)?);
        let mime_type = kind::of(&input.path).to_owned();
        Ok(Output { media: Media { mime_type, data, uri: uri(grants, &place) } })
    }
}

/// A `file` URI: of the path that was asked for, or of the one that the caller has for its grant.
fn uri(grants: &Grants, place: &Place<'_>) -> String {
    if place.shown().starts_with('/') {
        return kind::uri(place.shown());
    }
    let called =
        grants.iter().find(|granted| granted.name() == place.grant()).and_then(|granted| granted.called().first());
    let base = called.cloned().unwrap_or_else(|| format!("/{}", place.grant()));
    kind::uri(&format!("{base}/{}", place.relative()))
}

export_tool!(ReadMediaFile);
