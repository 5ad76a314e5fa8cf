// What the author of a bailiwick tool imports: a definition with types is the tool, and its schemas are made of them.
// Files are reached through the directories that were granted; there is no other way out.

import { getDirectories } from 'wasi:filesystem/preopens@0.2.0';

/** Something the caller can react to: a kind, and one lower-case sentence without a full stop. */
export class Failure extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const described = (json, description) => ({ json: description === undefined ? json : { ...json, description } });

/** Types of arguments and answers. */
export const is = {
  string: (description) => described({ type: 'string' }, description),
  integer: (description) => described({ type: 'integer' }, description),
  number: (description) => described({ type: 'number' }, description),
  boolean: (description) => described({ type: 'boolean' }, description),
  oneOf: (values, description) => described({ enum: [...values] }, description),
  list: (items, description) => described({ type: 'array', items: items.json }, description),
  object: (properties, description) => {
    const entries = Object.entries(properties);
    return described(
      {
        type: 'object',
        properties: Object.fromEntries(entries.map(([name, schema]) => [name, schema.json])),
        required: entries.filter(([, schema]) => !schema.optional).map(([name]) => name),
        additionalProperties: false,
      },
      description,
    );
  },
  // Left out or `null`, since some model APIs always send every property.
  optional: ({ json: { description, ...json } }) => ({
    ...described({ anyOf: [json, { type: 'null' }] }, description),
    optional: true,
  }),
};

/** The tool that the module exports as `tool`. */
export function defineTool({ name, description, effects, input, output, call }) {
  return {
    describe: () => ({
      name,
      description,
      inputSchema: JSON.stringify(input.json),
      outputSchema: JSON.stringify(output.json),
      effects,
    }),
    invoke: (text) => {
      try {
        return JSON.stringify(call(withoutNull(JSON.parse(text))));
      } catch (error) {
        if (error instanceof Failure) {
          throw { kind: error.kind, message: error.message };
        }
        throw error;
      }
    },
  };
}

/** What is `null` was left out. */
function withoutNull(value) {
  if (Array.isArray(value)) {
    return value.map(withoutNull);
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  const given = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNull(one)]));
}

/** The names of the granted directories. */
export function directories() {
  return getDirectories().map(([, path]) => path.replace(/^\/|\/$/g, ''));
}

/** The bytes of a file of at most `limit` bytes. */
export function readBytes(path, limit) {
  const { directory, relative } = resolve(path);
  const file = attempt(path, () => directory.openAt({ symlinkFollow: true }, relative, {}, { read: true }));
  if (attempt(path, () => file.getType()) !== 'regular-file') {
    throw new Failure('wrong-kind', `\`${path}\` is no file`);
  }
  const pieces = [];
  let length = 0;
  for (let last = false; !last; ) {
    let piece;
    [piece, last] = attempt(path, () => file.read(BigInt(limit + 1 - length), BigInt(length)));
    last ||= piece.length === 0;
    pieces.push(piece);
    length += piece.length;
    if (length > limit) {
      throw new Failure('too-large', `\`${path}\` has more than ${limit} bytes`);
    }
  }
  const bytes = new Uint8Array(length);
  pieces.reduce((offset, piece) => (bytes.set(piece, offset), offset + piece.length), 0);
  return bytes;
}

/** The text of a file of at most `limit` bytes. */
export function readText(path, limit) {
  const bytes = readBytes(path, limit);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('not-text', `\`${path}\` is not text in UTF-8`);
  }
}

/** Writes a whole file in one step, with the directories above it. */
export function writeText(path, text) {
  const { directory, relative } = resolve(path);
  const parents = relative.split('/').slice(0, -1);
  for (let depth = 1; depth <= parents.length; depth += 1) {
    attempt(path, () => directory.createDirectoryAt(parents.slice(0, depth).join('/')), ['exist']);
  }
  // Whoever reads meanwhile sees the old content or the new.
  const beside = `${relative}.new`;
  const flags = { create: true, truncate: true };
  const file = attempt(path, () => directory.openAt({}, beside, flags, { write: true }));
  const bytes = new TextEncoder().encode(text);
  for (let offset = 0; offset < bytes.length; ) {
    const piece = bytes.subarray(offset, offset + (1 << 20));
    offset += Number(attempt(path, () => file.write(piece, BigInt(offset))));
  }
  attempt(path, () => directory.renameAt(beside, directory, relative));
}

/** What a directory holds, sorted by name. */
export function list(path) {
  const { directory, relative } = resolve(path);
  const opened = attempt(path, () => directory.openAt({ symlinkFollow: true }, relative, { directory: true }, { read: true }));
  const stream = attempt(path, () => opened.readDirectory());
  const entries = [];
  for (;;) {
    // A name that is not text hides no other.
    const entry = attempt(path, () => stream.readDirectoryEntry(), ['illegal-byte-sequence']);
    if (entry === undefined) {
      break;
    }
    if (entry !== null) {
      entries.push({ name: entry.name, kind: ENTRIES[entry.type] ?? 'other' });
    }
  }
  return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}

const ENTRIES = { 'regular-file': 'file', directory: 'directory', 'symbolic-link': 'link' };

/** The granted directory that a path begins with, and the path beneath it. With a single one its name may be left out. */
function resolve(path) {
  if (path === '' || path.includes('\0')) {
    throw new Failure('invalid-input', 'the path is empty or has a NUL character');
  }
  const granted = getDirectories();
  const [first, ...rest] = path.split('/').filter((part, index) => part !== '.' && (part !== '' || index === 0));
  const named = granted.find(([, name]) => name === `/${first}`);
  if (named) {
    return { directory: named[0], relative: rest.join('/') || '.' };
  }
  if (granted.length === 1 && !path.startsWith('/')) {
    return { directory: granted[0][0], relative: path };
  }
  throw new Failure('not-permitted', `\`${path}\` lies in no granted directory`);
}

const KINDS = {
  'no-entry': ['not-found', 'is not there'],
  access: ['not-permitted', 'is refused'],
  'not-permitted': ['not-permitted', 'is refused'],
  'read-only': ['not-permitted', 'is in a directory that may only be read'],
  'bad-descriptor': ['not-permitted', 'is in a directory that may only be read'],
  'is-directory': ['wrong-kind', 'is a directory'],
  'not-directory': ['wrong-kind', 'is no directory'],
  loop: ['wrong-kind', 'is a link that leads nowhere'],
  unsupported: ['wrong-kind', 'is no file'],
  'file-too-large': ['too-large', 'is too large'],
};

/** Calls the host. What it refuses is an error that the caller can read; codes in `allowed` give `null`. */
function attempt(path, call, allowed = []) {
  try {
    return call();
  } catch (error) {
    const code = error?.payload;
    if (allowed.includes(code)) {
      return null;
    }
    const [kind, said] = KINDS[code] ?? ['failed', `cannot be used (${code})`];
    throw new Failure(kind, `\`${path}\` ${said}`);
  }
}
