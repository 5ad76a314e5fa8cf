// What is looked at, line by line. Comments and texts in triple quotes are left alone but for trailing spaces and tabs.
// @ts-check

const DECLARED = /^\s*(?:@\w[^;]*\s)?(?:model|interface|enum|union|scalar)\s+`?([A-Za-z_]\w*)/;
const OPERATION = /^\s*op\s+([A-Za-z_]\w*)/;
const PROPERTY = /^\s+([A-Za-z_]\w*)\??\s*:\s/;

/**
 * @param {string} text
 * @returns {{ line: number, rule: 'tab' | 'trailing-space' | 'final-newline' | 'indentation' | 'name', message: string }[]}
 */
export function check(text) {
  /** @type {ReturnType<typeof check>} */
  const problems = [];
  const lines = text.split('\n');
  let comment = false;
  let quoted = false;
  for (const [index, content] of lines.entries()) {
    const say = (/** @type {any} */ rule, /** @type {string} */ message) => problems.push({ line: index + 1, rule, message });
    const plain = content.replace(/\r$/, '');
    if (plain.includes('\t')) {
      say('tab', 'a tab, where spaces are meant');
    }
    if (/[ \t]$/.test(plain)) {
      say('trailing-space', 'spaces at the end of the line');
    }
    const code = !comment && !quoted && !/^\s*(\/\/|\/\*)/.test(plain);
    if (code) {
      const indent = /^ */.exec(plain)?.[0].length ?? 0;
      if (indent % 2 === 1 && plain.trim() !== '') {
        say('indentation', `indented by ${indent} spaces, which is not a multiple of two`);
      }
      name(plain, say);
    }
    if (!quoted && /\/\*/.test(plain) && !/\*\//.test(plain)) {
      comment = true;
    } else if (comment && /\*\//.test(plain)) {
      comment = false;
    }
    if (!comment && (plain.match(/"""/g) ?? []).length % 2 === 1) {
      quoted = !quoted;
    }
  }
  if (text !== '' && !text.endsWith('\n')) {
    problems.push({ line: lines.length, rule: 'final-newline', message: 'the last line has no end' });
  }
  return problems;
}

/** @param {string} line @param {(rule: string, message: string) => void} say */
function name(line, say) {
  const declared = DECLARED.exec(line);
  if (declared && !/^[A-Z][A-Za-z0-9]*$/.test(declared[1])) {
    say('name', `\`${declared[1]}\` is declared, and its name has to be in PascalCase`);
    return;
  }
  const member = OPERATION.exec(line) ?? PROPERTY.exec(line);
  if (member && !declared && !/^[a-z][A-Za-z0-9]*$/.test(member[1])) {
    say('name', `\`${member[1]}\` has to be in camelCase`);
  }
}

/**
 * The text with its layout mended; its line endings stay.
 * @param {string} text
 */
export function mended(text) {
  if (text === '') {
    return text;
  }
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/).map((line) => line.replaceAll('\t', '  ').replace(/ +$/, ''));
  while (lines.length > 1 && lines.at(-1) === '' && lines.at(-2) === '') {
    lines.pop();
  }
  if (lines.at(-1) !== '') {
    lines.push('');
  }
  return lines.join(ending);
}
