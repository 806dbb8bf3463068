// Filter patterns of CloudWatch Logs: which messages are of interest.
//
//   ERROR "not found" -debug      all of these terms, without the last
//   ?ERROR ?WARN                  any of these terms
//   %4\d\d%                       a regular expression
//   { $.level = "error" }         a condition on a JSON message
//   [ip, ..., status = 4*, size]  conditions on the columns of a message
//
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
import { type Condition, readCondition, Tokens, type ValuesOf } from './pattern-conditions.ts';
import { type Found, PatternError, searchOf } from './pattern-value.ts';

export interface FilterPattern {
  /** Texts that every matching message contains; a store finds them faster. */
  readonly contains: readonly string[];
  /** Undefined: containing these texts is enough. */
  readonly matches: ((message: string) => boolean) | undefined;
}

/** @throws {PatternError} */
export function readFilterPattern(pattern: string): FilterPattern {
  const text = pattern.trim();
  if (text.startsWith('{')) return { contains: [], matches: jsonPattern(text) };
  if (text.startsWith('[')) return { contains: [], matches: columnPattern(text) };
  return termPattern(text);
}

/** Texts in words, in quotes, or regular expressions; excluded after -, alternatives after ?. */
const TERM = /([?-]?)(?:"((?:[^"\\]|\\.)*)"|%((?:[^%\\\s]|\\.)+)%(?=\s|$)|(\S+))/g;

function termPattern(text: string): FilterPattern {
  const contains: string[] = [];
  const [required, excluded, alternatives]: ((message: string) => boolean)[][] = [[], [], []];
  for (const [, sign, quoted, regex, word] of text.matchAll(TERM)) {
    const term = quoted?.replace(/\\(.)/g, '$1') ?? word ?? '';
    if (sign === '' && regex === undefined) {
      contains.push(term);
      continue;
    }
    const test = regex === undefined ? (message: string) => message.includes(term) : searchOf(regex);
    ({ '': required, '-': excluded, '?': alternatives })[sign as '' | '-' | '?']!.push(test);
  }
  // Alternatives beside other terms are ignored, as in CloudWatch.
  const isAny = contains.length + required!.length + excluded!.length === 0 && alternatives!.length > 0;
  if (!isAny && required!.length + excluded!.length === 0) return { contains, matches: undefined };
  const matches = isAny
    ? (message: string) => alternatives!.some(test => test(message))
    : (message: string) => required!.every(test => test(message)) && !excluded!.some(test => test(message));
  return { contains, matches };
}

function jsonPattern(text: string): (message: string) => boolean {
  if (!text.endsWith('}')) throw new PatternError('} is missing at the end');
  const tokens = new Tokens(text.slice(1, -1));
  const condition = readCondition(tokens);
  if (tokens.peek() !== undefined) throw new PatternError(`'${tokens.peek()}' is not expected`);
  return message => {
    // Most lines are not JSON.
    if (!/^\s*[[{]/.test(message)) return false;
    let document: Found;
    try {
      document = JSON.parse(message) as Found;
    } catch {
      return false;
    }
    return condition(place => valuesAt(document, place));
  };
}

/** The values at a place such as `$.a.b[0]['c'][*]`. */
function valuesAt(document: Found, place: string): readonly Found[] {
  let values: readonly unknown[] = [document];
  for (const [, name, index, quoted] of place.matchAll(/\.([^.[]+)|\[(?:(\d+|\*)|["']([^"']*)["'])\]/g)) {
    const key = name ?? quoted ?? index!;
    values = values.flatMap(value => {
      if (typeof value !== 'object' || value === null) return [];
      if (key === '*') return Object.values(value);
      return Object.hasOwn(value, key) ? [(value as Readonly<Record<string, unknown>>)[key]] : [];
    });
  }
  return values.filter(value => value !== undefined) as readonly Found[];
}

function columnPattern(text: string): (message: string) => boolean {
  if (!text.endsWith(']')) throw new PatternError('] is missing at the end');
  const columns = columnTexts(text.slice(1, -1)).map(readColumn);
  const rest = columns.indexOf('rest');
  if (rest !== columns.lastIndexOf('rest')) throw new PatternError('... occurs more than once');
  const tests = columns.filter(column => column !== 'rest');
  return message => {
    const fields = fieldsOf(message);
    if (rest < 0 ? fields.length !== tests.length : fields.length < tests.length) return false;
    const skipped = fields.length - tests.length;
    return tests.every((test, i) => {
      const field = fields[rest >= 0 && i >= rest ? i + skipped : i]!;
      return test === undefined || test(() => [field]);
    });
  };
}

/** The columns, which are separated by commas outside of quotes. */
const columnTexts = (text: string): readonly string[] =>
  [...`${text},`.matchAll(/((?:"(?:[^"\\]|\\.)*"|%(?:[^%\\]|\\.)+%|[^,"%]|%)*),/g)].map(([, column]) => column!.trim());

/** Undefined: any value. @throws {PatternError} */
function readColumn(text: string): Condition | undefined | 'rest' {
  if (text === '...') return 'rest';
  if (/^[\w$-]*$/.test(text)) return undefined;
  const tokens = new Tokens(text);
  const condition = readCondition(tokens);
  if (tokens.peek() !== undefined) throw new PatternError(`'${tokens.peek()}' is not expected`);
  return (values: ValuesOf) => condition(values);
}

/** The fields of a message: words, texts in quotes, texts in brackets. */
function fieldsOf(message: string): readonly string[] {
  const fields: string[] = [];
  for (let at = 0; at < message.length; at++) {
    const first = message[at]!;
    if (/\s/.test(first)) continue;
    const close = { '"': '"', '[': ']' }[first];
    const end = close === undefined ? -1 : message.indexOf(close, at + 1);
    if (end >= 0) {
      fields.push(message.slice(at + 1, end));
      at = end;
      continue;
    }
    let stop = at;
    while (stop < message.length && !/\s/.test(message[stop]!)) stop++;
    fields.push(message.slice(at, stop));
    at = stop;
  }
  return fields;
}
