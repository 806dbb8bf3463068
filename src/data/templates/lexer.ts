// Splits the source of a template into tokens, by the rules of Jinja 3.1 with `trim_blocks` and `lstrip_blocks`.
import { asciiText } from './format.ts';
import { spaceClass } from './text.ts';

export interface Token {
  readonly type:
    | 'data'
    | 'variable_begin'
    | 'variable_end'
    | 'block_begin'
    | 'block_end'
    | 'name'
    | 'string'
    | 'integer'
    | 'float'
    | 'operator'
    | 'eof';
  readonly text: string;
  readonly line: number;
}
export class TemplateSyntaxError extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const space = new RegExp(`${spaceClass}+`, 'y');
const onlySpace = new RegExp(`^${spaceClass}+$`);
const trailingSpace = new RegExp(`${spaceClass}$`);
const rawBegin = new RegExp(`\\{%([-+]?)${spaceClass}*raw${spaceClass}*(?:-%\\}${spaceClass}*|%\\})`, 'y');
const rawEnd = new RegExp(`\\{%([-+]?)${spaceClass}*endraw${spaceClass}*(?:\\+%\\}|-%\\}${spaceClass}*|%\\}\\n?)`, 'g');
const blockEnd = new RegExp(`\\+%\\}|-%\\}${spaceClass}*|%\\}\\n?`, 'y');
const variableEnd = new RegExp(`-\\}\\}${spaceClass}*|\\}\\}`, 'y');
const commentEnd = new RegExp(`\\+#\\}|-#\\}${spaceClass}*|#\\}\\n?`, 'g');
const opening = /\{[{%#]/g;
const inner = {
  float: /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy,
  integer: /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy,
  name: /[\p{L}\p{N}\p{M}_]+/uy,
  string: /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/sy,
  operator: /\*\*|\/\/|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y,
} as const;
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** @throws {TemplateSyntaxError} */
export function tokenize(template: string): Token[] {
  let source = template.replace(/\r\n|\r/g, '\n');
  if (source.endsWith('\n')) source = source.slice(0, -1);
  const tokens: Token[] = [];
  let [at, line] = [0, 1];
  /** Whether the last tag ended with a line. */
  let lineStarting = true;
  const add = (type: Token['type'], text: string): void => void tokens.push({ type, text, line });
  const advance = (text: string): void => {
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) line++;
    at += text.length;
  };
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  /** The text before a tag, without the whitespace that the tag removes. */
  const addText = (text: string, sign: string, isVariable: boolean): void => {
    let kept = text;
    if (sign === '-') {
      let end = text.length;
      while (end > 0 && trailingSpace.test(text[end - 1]!)) end--;
      kept = text.slice(0, end);
    } else if (sign !== '+' && !isVariable) {
      const lineStart = text.lastIndexOf('\n') + 1;
      if ((lineStart > 0 || lineStarting) && onlySpace.test(text.slice(lineStart))) kept = text.slice(0, lineStart);
    }
    if (kept !== '') add('data', kept);
    advance(text);
  };
  while (at < source.length) {
    const found = match(opening);
    if (found === null) {
      add('data', source.slice(at));
      break;
    }
    const start = found.index;
    const before = source.slice(at, start);
    rawBegin.lastIndex = start;
    const raw = rawBegin.exec(source);
    if (raw !== null) {
      addText(before, raw[1]!, false);
      advance(raw[0]);
      lineStarting = raw[0].endsWith('\n');
      const end = match(rawEnd);
      if (end === null) throw new TemplateSyntaxError('Missing end of raw directive', line);
      addText(source.slice(at, end.index), end[1]!, false);
      advance(end[0]);
      lineStarting = end[0].endsWith('\n');
      continue;
    }
    const sign = /[-+]/.test(source[start + 2] ?? '') ? source[start + 2]! : '';
    addText(before, sign, found[0] === '{{');
    if (found[0] === '{#') {
      advance(found[0] + sign);
      const end = match(commentEnd);
      if (end === null) throw new TemplateSyntaxError('Missing end of comment tag', line);
      advance(source.slice(at, end.index) + end[0]);
      lineStarting = end[0].endsWith('\n');
      continue;
    }
    const isBlock = found[0] === '{%';
    add(isBlock ? 'block_begin' : 'variable_begin', found[0]);
    advance(found[0] + sign);
    lineStarting = false;
    tokenizeTag(isBlock);
  }
  add('eof', '');
  return tokens;

  function tokenizeTag(isBlock: boolean): void {
    const open: string[] = [];
    while (at < source.length) {
      const end = open.length === 0 ? match(isBlock ? blockEnd : variableEnd) : null;
      if (end !== null) {
        add(isBlock ? 'block_end' : 'variable_end', end[0]);
        advance(end[0]);
        lineStarting = end[0].endsWith('\n');
        return;
      }
      const blank = match(space);
      if (blank !== null) {
        advance(blank[0]);
        continue;
      }
      let text: string | undefined;
      for (const type of ['float', 'integer', 'name', 'string', 'operator'] as const) {
        text = match(inner[type])?.[0];
        if (text === undefined) continue;
        if (type === 'operator') balance(open, text);
        if (type === 'name' && !/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text))
          throw new TemplateSyntaxError('Invalid character in identifier', line);
        add(type, type === 'string' ? unescapeString(text.slice(1, -1), line) : text);
        advance(text);
        break;
      }
      if (text === undefined) throw new TemplateSyntaxError(`unexpected char '${source[at]}' at ${at}`, line);
    }
  }
  function balance(open: string[], text: string): void {
    if (closers[text] !== undefined) open.push(closers[text]);
    else if (text === ')' || text === ']' || text === '}') {
      const expected = open.pop();
      if (expected === undefined) throw new TemplateSyntaxError(`unexpected '${text}'`, line);
      if (expected !== text) throw new TemplateSyntaxError(`unexpected '${text}', expected '${expected}'`, line);
    }
  }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
/** Python's `unicode-escape`, after `backslashreplace` of all that is not ASCII, as Jinja does it. */
function unescapeString(text: string, line: number): string {
  if (!text.includes('\\')) return text;
  const ascii = asciiText(text);
  return ascii.replace(
    /\\(?:([0-7]{1,3})|x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([xuUN])|(.))/gis,
    (all, octal, x, u, U, broken, other) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal as string, 8));
      const hex = (x ?? u ?? U) as string | undefined;
      if (hex !== undefined && 'xuU'.includes((all as string)[1]!)) {
        const code = Number.parseInt(hex, 16);
        if (code > 0x10ffff) throw new TemplateSyntaxError('illegal Unicode character', line);
        return String.fromCodePoint(code);
      }
      if (hex !== undefined) return all as string;
      if (broken !== undefined && 'xuUN'.includes(broken as string))
        throw new TemplateSyntaxError(
          broken === 'N' ? 'unknown Unicode character name' : `truncated \\${broken as string} escape`,
          line,
        );
      return simpleEscapes[(other ?? broken) as string] ?? (all as string);
    },
  );
}
