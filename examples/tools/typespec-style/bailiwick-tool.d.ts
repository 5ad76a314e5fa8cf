// Types of `bailiwick-tool.js`, for editors: the arguments of `call` have the types that `input` declares.

/** JSON Schema of a value of type `T`. */
export interface Schema<T> {
  readonly json: object;
  readonly value?: T;
}
export interface Optional<T> extends Schema<T> {
  readonly optional: true;
}
type OptionalKeys<P> = { [K in keyof P]: P[K] extends Optional<unknown> ? K : never }[keyof P];
type Value<S> = S extends Schema<infer T> ? T : never;
type Fields<P> = { [K in Exclude<keyof P, OptionalKeys<P>>]: Value<P[K]> } & { [K in OptionalKeys<P>]?: Value<P[K]> };

export const is: {
  string(description?: string): Schema<string>;
  integer(description?: string): Schema<number>;
  number(description?: string): Schema<number>;
  boolean(description?: string): Schema<boolean>;
  oneOf<const T extends readonly string[]>(values: T, description?: string): Schema<T[number]>;
  list<T>(items: Schema<T>, description?: string): Schema<T[]>;
  object<P extends Record<string, Schema<unknown>>>(properties: P, description?: string): Schema<Fields<P>>;
  optional<T>(schema: Schema<T>): Optional<T>;
};

export type Kind =
  | 'invalid-input'
  | 'not-permitted'
  | 'not-found'
  | 'wrong-kind'
  | 'too-large'
  | 'not-text'
  | 'ambiguous'
  | 'no-match'
  | 'failed';

/** Something the caller can react to. */
export class Failure extends Error {
  constructor(kind: Kind, message: string);
}

export interface Effects {
  reads?: boolean;
  writes?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
}

export interface Entry {
  name: string;
  kind: 'file' | 'directory' | 'link' | 'other';
}

/** The tool that the module exports as `tool`. */
export function defineTool<I, O>(definition: {
  name: string;
  description: string;
  effects: Effects;
  input: Schema<I>;
  output: Schema<O>;
  call(input: I): O;
}): object;

/** The names of the granted directories. */
export function directories(): string[];
/** The text of a file of at most `limit` bytes. */
export function readText(path: string, limit: number): string;
/** The bytes of a file of at most `limit` bytes. */
export function readBytes(path: string, limit: number): Uint8Array;
/** Writes a whole file in one step, with the directories above it. */
export function writeText(path: string, text: string): void;
/** What a directory holds, sorted by name. */
export function list(path: string): Entry[];
