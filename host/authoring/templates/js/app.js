// `{{name}}`: the outline of a Markdown file.
// @ts-check

import { defineTool, Failure, is, readText, writeText } from './bailiwick-tool.js';

// How many bytes a file may have.
const LARGEST = 1 << 20;

const heading = is.object({
  level: is.integer('1 to 6.'),
  text: is.string('What it says.'),
  line: is.integer('Its line, counted from 1.'),
});

export const tool = defineTool({
  name: '{{name}}',
  description: 'Lists the headings of a Markdown file with their lines. With `output` it writes them there as a list, too.',
  effects: { reads: true, writes: true, destructive: true, idempotent: true },
  input: is.object({
    file: is.string('The Markdown file, such as `notes/guide.md`.'),
    output: is.optional(is.string('Where the outline is written, such as `notes/outline.md`. Without it nothing is written.')),
  }),
  output: is.object({
    headings: is.list(heading, 'The headings, in their order.'),
    written: is.optional(is.string('The file that was written, if one was.')),
  }),
  call({ file, output }) {
    const headings = headingsOf(readText(file, LARGEST));
    if (headings.length === 0) {
      throw new Failure('no-match', `\`${file}\` has no heading`);
    }
    if (output !== undefined) {
      writeText(output, headings.map(({ level, text }) => `${'  '.repeat(level - 1)}- ${text}\n`).join(''));
    }
    return { headings, written: output };
  },
});

/** @param {string} text */
function headingsOf(text) {
  const headings = [];
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const found = /^(#{1,6}) (.*)$/.exec(content);
    if (found) {
      headings.push({ level: found[1].length, text: found[2].trim(), line: index + 1 });
    }
  }
  return headings;
}
