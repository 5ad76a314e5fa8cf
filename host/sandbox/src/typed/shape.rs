//! A WIT type as far as JSON can carry it.

use wasmtime::component::types::Type;

/// A type whose values can be written as JSON. Finite and bounded: WIT has no recursion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    Bool,
    /// A whole number within these bounds, both included.
    Integer(Width),
    Float32,
    Float64,
    Char,
    Text,
    /// `list<u8>`.
    Bytes,
    List(Box<Shape>),
    /// `list<T, n>`.
    Array(Box<Shape>, usize),
    /// A map with keys of this shape.
    Map(Box<Shape>, Box<Shape>),
    Record(Vec<(String, Shape)>),
    Tuple(Vec<Shape>),
    Variant(Vec<(String, Option<Shape>)>),
    Enum(Vec<String>),
    Flags(Vec<String>),
    Option(Box<Shape>),
    Result(Option<Box<Shape>>, Option<Box<Shape>>),
}

/// The integers of WIT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    S8,
    U8,
    S16,
    U16,
    S32,
    U32,
    S64,
    U64,
}

impl Width {
    /// The least and the greatest.
    pub(crate) fn bounds(self) -> (i128, i128) {
        match self {
            Self::S8 => (i8::MIN.into(), i8::MAX.into()),
            Self::U8 => (0, u8::MAX.into()),
            Self::S16 => (i16::MIN.into(), i16::MAX.into()),
            Self::U16 => (0, u16::MAX.into()),
            Self::S32 => (i32::MIN.into(), i32::MAX.into()),
            Self::U32 => (0, u32::MAX.into()),
            Self::S64 => (i64::MIN.into(), i64::MAX.into()),
            Self::U64 => (0, u64::MAX.into()),
        }
    }

    /// Whether JSON's numbers, as most read them, cannot carry all of it.
    pub(crate) fn is_wide(self) -> bool {
        matches!(self, Self::S64 | Self::U64)
    }
}

/// Why a function is not offered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    /// A handle, a stream or a future: it means something only while an instance lives.
    #[error("it has a {0}, which cannot be written as JSON")]
    Kind(&'static str),
    /// It answers by what it prints, or to a connection.
    #[error("it is where a program or a server begins, which does not answer with a value")]
    Entry,
    /// Schemas and checks grow with it.
    #[error("its types have more than {0} parts")]
    Parts(usize),
    /// JSON is nested with it.
    #[error("its types are nested more than {0} deep")]
    Depth(usize),
}

/// Types of all parameters and the result of one function.
const MOST_PARTS: usize = 2_000;
const DEEPEST: usize = 24;

/// Reads types, counting their parts.
#[derive(Default)]
pub(crate) struct Reader {
    parts: usize,
    depth: usize,
}

impl Reader {
    /// The shape of a type.
    pub(crate) fn read(&mut self, ty: &Type) -> Result<Shape, Unfit> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(Unfit::Parts(MOST_PARTS));
        }
        if self.depth >= DEEPEST {
            return Err(Unfit::Depth(DEEPEST));
        }
        self.depth += 1;
        let shape = self.inner(ty);
        self.depth -= 1;
        shape
    }

    fn inner(&mut self, ty: &Type) -> Result<Shape, Unfit> {
        Ok(match ty {
            Type::Bool => Shape::Bool,
            Type::S8 => Shape::Integer(Width::S8),
            Type::U8 => Shape::Integer(Width::U8),
            Type::S16 => Shape::Integer(Width::S16),
            Type::U16 => Shape::Integer(Width::U16),
            Type::S32 => Shape::Integer(Width::S32),
            Type::U32 => Shape::Integer(Width::U32),
            Type::S64 => Shape::Integer(Width::S64),
            Type::U64 => Shape::Integer(Width::U64),
            Type::Float32 => Shape::Float32,
            Type::Float64 => Shape::Float64,
            Type::Char => Shape::Char,
            Type::String => Shape::Text,
            Type::List(list) if matches!(list.ty(), Type::U8) => Shape::Bytes,
            Type::List(list) => Shape::List(Box::new(self.read(&list.ty())?)),
            Type::FixedLengthList(list) => Shape::Array(Box::new(self.read(&list.ty())?), list.len() as usize),
            Type::Map(map) => Shape::Map(Box::new(self.read(&map.key())?), Box::new(self.read(&map.value())?)),
            Type::Record(record) => {
                let fields = record.fields().map(|field| Ok((field.name.to_owned(), self.read(&field.ty)?)));
                Shape::Record(fields.collect::<Result<_, _>>()?)
            }
            Type::Tuple(tuple) => Shape::Tuple(tuple.types().map(|ty| self.read(&ty)).collect::<Result<_, _>>()?),
            Type::Variant(variant) => {
                let cases = variant.cases().map(|case| Ok((case.name.to_owned(), self.maybe(case.ty.as_ref())?)));
                Shape::Variant(cases.collect::<Result<_, _>>()?)
            }
            Type::Enum(names) => Shape::Enum(self.names(names.names())?),
            Type::Flags(flags) => Shape::Flags(self.names(flags.names())?),
            Type::Option(option) => Shape::Option(Box::new(self.read(&option.ty())?)),
            Type::Result(result) => {
                let (ok, error) = (self.maybe(result.ok().as_ref())?, self.maybe(result.err().as_ref())?);
                Shape::Result(ok.map(Box::new), error.map(Box::new))
            }
            Type::Own(_) | Type::Borrow(_) => return Err(Unfit::Kind("resource")),
            Type::Future(_) => return Err(Unfit::Kind("future")),
            Type::Stream(_) => return Err(Unfit::Kind("stream")),
            Type::ErrorContext => return Err(Unfit::Kind("error context")),
        })
    }

    fn maybe(&mut self, ty: Option<&Type>) -> Result<Option<Shape>, Unfit> {
        ty.map(|ty| self.read(ty)).transpose()
    }

    fn names<'a>(&mut self, names: impl Iterator<Item = &'a str>) -> Result<Vec<String>, Unfit> {
        let names: Vec<String> = names.map(str::to_owned).collect();
        self.parts += names.len();
        if self.parts > MOST_PARTS { Err(Unfit::Parts(MOST_PARTS)) } else { Ok(names) }
    }
}

impl std::fmt::Display for Shape {
    /// As WIT writes it, named types spelled out.
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let maybe = |shape: &Option<Box<Shape>>| shape.as_ref().map_or("_".to_owned(), ToString::to_string);
        match self {
            Self::Bool => to.write_str("bool"),
            Self::Integer(width) => to.write_str(&format!("{width:?}").to_lowercase()),
            Self::Float32 => to.write_str("f32"),
            Self::Float64 => to.write_str("f64"),
            Self::Char => to.write_str("char"),
            Self::Text => to.write_str("string"),
            Self::Bytes => to.write_str("list<u8>"),
            Self::List(item) => write!(to, "list<{item}>"),
            Self::Array(item, length) => write!(to, "list<{item}, {length}>"),
            Self::Map(key, value) => write!(to, "map<{key}, {value}>"),
            Self::Record(fields) => {
                let fields: Vec<_> = fields.iter().map(|(name, shape)| format!("{name}: {shape}")).collect();
                write!(to, "record {{ {} }}", fields.join(", "))
            }
            Self::Tuple(items) => {
                let items: Vec<_> = items.iter().map(ToString::to_string).collect();
                write!(to, "tuple<{}>", items.join(", "))
            }
            Self::Variant(cases) => {
                let cases = cases.iter().map(|(name, shape)| match shape {
                    Some(shape) => format!("{name}({shape})"),
                    None => name.clone(),
                });
                write!(to, "variant {{ {} }}", cases.collect::<Vec<_>>().join(", "))
            }
            Self::Enum(names) => write!(to, "enum {{ {} }}", names.join(", ")),
            Self::Flags(names) => write!(to, "flags {{ {} }}", names.join(", ")),
            Self::Option(inner) => write!(to, "option<{inner}>"),
            Self::Result(ok, error) => write!(to, "result<{}, {}>", maybe(ok), maybe(error)),
        }
    }
}
