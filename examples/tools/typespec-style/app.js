// `typespec-style`: layout and names of TypeSpec, as its style guide wants them.
// @ts-check

import { defineTool, Failure, is, list, readText, writeText } from './bailiwick-tool.js';
import { check, mended } from './rules.js';

// How many bytes a file may have, and how many problems are answered.
const LARGEST = 1 << 20;
const MOST = 200;

export const tool = defineTool({
  name: 'typespec-style',
  description:
    'Checks TypeSpec files: tabs, trailing spaces, the final newline, indentation by two, and whether models, interfaces, ' +
    'enums and unions are in PascalCase and properties and operations in camelCase. With `fix` the layout is mended; names never are.',
  effects: { reads: true, writes: true, destructive: true, idempotent: true },
  input: is.object({
    path: is.string('A file such as `spec/client.tsp`, or a directory whose `.tsp` files are checked.'),
    fix: is.optional(is.boolean('Whether tabs, trailing spaces and the final newline are mended.')),
  }),
  output: is.object({
    files: is.integer('How many files were checked.'),
    problems: is.list(
      is.object({
        file: is.string('The file.'),
        line: is.integer('Its line, counted from 1.'),
        rule: is.oneOf(['tab', 'trailing-space', 'final-newline', 'indentation', 'name'], 'Which rule.'),
        message: is.string('What is wrong.'),
      }),
      'What is wrong now, after mending.',
    ),
    mended: is.list(is.string(), 'The files that were written.'),
    leftOut: is.integer('How many problems were left out.'),
  }),
  call({ path, fix }) {
    const files = path.endsWith('.tsp') ? [path] : [...found(path)];
    if (files.length === 0) {
      throw new Failure('no-match', `\`${path}\` holds no TypeSpec files`);
    }
    const problems = [];
    const written = [];
    for (const file of files) {
      let text = readText(file, LARGEST);
      const better = fix ? mended(text) : text;
      if (better !== text) {
        writeText(file, better);
        written.push(file);
        text = better;
      }
      problems.push(...check(text).map((problem) => ({ file, ...problem })));
    }
    const leftOut = Math.max(0, problems.length - MOST);
    return { files: files.length, problems: problems.slice(0, MOST), mended: written, leftOut };
  },
});

/**
 * The TypeSpec files beneath a directory, sorted.
 * @param {string} directory
 * @returns {Generator<string>}
 */
function* found(directory) {
  for (const { name, kind } of list(directory)) {
    const path = `${directory.replace(/\/$/, '')}/${name}`;
    if (kind === 'file' && name.endsWith('.tsp')) {
      yield path;
    } else if (kind === 'directory' && name !== 'node_modules' && !name.startsWith('.')) {
      yield* found(path);
    }
  }
}
