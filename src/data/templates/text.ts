// str() and repr() of every value, and Python's classes of characters.
import { floatText, intText } from './numbers.ts';
import type { Run } from './run.ts';
import { Dict, DictView, Func, Markup, Namespace, Range, Special, Tuple, Undefined, type Value } from './values.ts';

/** Python's whitespace (`str.isspace`), as a class of a regular expression. */
export const spaceClass = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
/** Where Python's `splitlines` splits. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python splits at these
export const lineEnd = /\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]/g;
export const isPrintable = (character: string): boolean => character === ' ' || !/[\p{C}\p{Z}]/u.test(character);

const plain = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/;
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };
/** `repr` of a text. */
export function quoted(text: string): string {
  if (plain.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(/[\\'\p{C}\p{Z}]/gu, character => {
    if (character === ' ') return character;
    if (character === "'") return quote === "'" ? "\\'" : "'";
    const short = shortEscapes[character];
    if (short !== undefined) return short;
    const code = character.codePointAt(0)!;
    const hex = code.toString(16);
    return code < 0x100
      ? `\\x${hex.padStart(2, '0')}`
      : code < 0x10000
        ? `\\u${hex.padStart(4, '0')}`
        : `\\U${hex.padStart(8, '0')}`;
  });
  return quote + inner + quote;
}

/** `str(value)`. */
export function str(run: Run, value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) return '';
  return repr(run, value);
}

/** `repr(value)`. */
export function repr(run: Run, value: Value): string {
  const parts: string[] = [];
  writeRepr(run, value, parts, new Set());
  return parts.join('');
}
function writeRepr(run: Run, value: Value, parts: string[], open: Set<Value>): void {
  const add = (text: string): void => {
    run.allocate(text.length);
    parts.push(text);
  };
  const sequence = (items: Iterable<Value>, start: string, end: string): void => {
    add(start);
    let first = true;
    for (const item of items) {
      if (!first) add(', ');
      first = false;
      writeRepr(run, item, parts, open);
    }
    add(end);
  };
  if (Array.isArray(value)) sequence(value, '[', ']');
  else if (value instanceof Tuple) sequence(value.items, '(', value.items.length === 1 ? ',)' : ')');
  else if (value instanceof DictView) sequence(value, `${value.type}([`, '])');
  else if (value instanceof Dict) {
    add('{');
    let first = true;
    for (const [key, field] of value.entries()) {
      if (!first) add(', ');
      first = false;
      writeRepr(run, key, parts, open);
      add(': ');
      writeRepr(run, field, parts, open);
    }
    add('}');
  } else if (value instanceof Namespace) {
    // A namespace is the only value that can contain itself.
    if (open.has(value)) {
      add('<Namespace {...}>');
      return;
    }
    open.add(value);
    add('<Namespace ');
    writeRepr(run, value.values, parts, open);
    open.delete(value);
    add('>');
  } else {
    if (typeof value === 'string') run.read(value.length);
    add(shortRepr(value));
  }
}
/** `repr` of a value without parts. */
function shortRepr(value: Exclude<Value, Value[]>): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return intText(value);
  if (typeof value === 'number') return floatText(value);
  if (value instanceof Markup) return `Markup(${quoted(value.text)})`;
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Range)
    return `range(${value.start}, ${value.stop}${value.stride === 1n ? '' : `, ${value.stride}`})`;
  if (value instanceof Func && value.type === 'Macro')
    return `<Macro ${value.name === '' ? 'anonymous' : quoted(value.name)}>`;
  return value instanceof Special && value.shown !== undefined ? value.shown() : `<${value.type} object>`;
}
