// Text over several lines as Python's modules write it: `textwrap.wrap` and `pprint.pformat`.
import { type Run, valueError } from './run.ts';
import { splitLines } from './string-methods.ts';
import { quoted, repr } from './text.ts';
import { Dict, sorted, Tuple, textLength, type Value } from './values.ts';

const ws = '[\\t-\\r ]';
const wordChar = '[\\p{L}\\p{N}_]';
const letter = '[\\p{L}_]';
const punctuated = `[\\p{L}\\p{N}_!"'&.,?]`;
const chunkPattern = new RegExp(
  `(${ws}+|(?<=${punctuated})-{2,}(?=${wordChar})|[^\\t-\\r ]+?(?:-(?:(?<=${letter}{2}-)|(?<=${letter}-${letter}-))(?=${letter}-?${letter})|(?=${ws}|$)|(?<=${punctuated})(?=-{2,}${wordChar})))`,
  'u',
);
const spacePattern = new RegExp(`(${ws}+)`);

/** The lines of one paragraph. */
export function wrapLine(
  run: Run,
  line: string,
  width: number,
  breakLongWords: boolean,
  breakOnHyphens: boolean,
): string[] {
  if (width <= 0) throw valueError(`invalid width ${width} (must be > 0)`);
  run.allocate(8 * line.length);
  const chunks = line
    .split(breakOnHyphens ? chunkPattern : spacePattern)
    .filter(chunk => chunk !== '')
    .reverse();
  const lines: string[] = [];
  const isBlank = (text: string): boolean => text.trim() === '';
  while (chunks.length > 0) {
    run.step();
    const current: string[] = [];
    let length = 0;
    if (isBlank(chunks.at(-1)!) && lines.length > 0) chunks.pop();
    while (chunks.length > 0 && length + chunks.at(-1)!.length <= width) {
      length += chunks.at(-1)!.length;
      current.push(chunks.pop()!);
    }
    if (chunks.length > 0 && chunks.at(-1)!.length > width) {
      const chunk = chunks.at(-1)!;
      if (breakLongWords) {
        run.read(chunk.length);
        const left = width - length;
        let end = left;
        const hyphen = breakOnHyphens && chunk.length > left ? chunk.slice(0, left).lastIndexOf('-') : -1;
        if (hyphen > 0 && /[^-]/.test(chunk.slice(0, hyphen))) end = hyphen + 1;
        current.push(chunk.slice(0, end));
        chunks[chunks.length - 1] = chunk.slice(end);
      } else if (current.length === 0) current.push(chunks.pop()!);
    }
    if (current.length > 0 && isBlank(current.at(-1)!)) current.pop();
    if (current.length > 0) lines.push(current.join(''));
  }
  return lines;
}

/** A copy with sorted dicts, which pformat prints. */
function sortedDicts(run: Run, value: Value): Value {
  run.step();
  if (Array.isArray(value)) return value.map(item => sortedDicts(run, item));
  if (value instanceof Tuple) return new Tuple(value.items.map(item => sortedDicts(run, item)));
  if (!(value instanceof Dict)) return value;
  const pairs = sorted(
    run,
    [...value.entries()].map(pair => new Tuple(pair)),
    pair => (pair as Tuple).items[0]!,
  );
  return Dict.from(pairs.map(pair => [(pair as Tuple).items[0]!, sortedDicts(run, (pair as Tuple).items[1]!)]));
}
export function prettyText(run: Run, value: Value): string {
  return format(run, sortedDicts(run, value), 0, 0, 1);
}
const columns = 80;
function format(run: Run, value: Value, indent: number, allowance: number, level: number): string {
  const flat = repr(run, value);
  if (textLength(run, flat) <= columns - indent - allowance) return flat;
  if (typeof value === 'string') return formatString(run, value, indent, allowance, level);
  const items = (parts: readonly Value[], end: number): string =>
    parts
      .map((part, i) => format(run, part, indent + 1, i === parts.length - 1 ? allowance + end : 1, level + 1))
      .join(`,\n${' '.repeat(indent + 1)}`);
  if (Array.isArray(value)) return `[${items(value, 1)}]`;
  if (value instanceof Tuple) {
    const end = value.items.length === 1 ? ',)' : ')';
    return `(${items(value.items, end.length)}${end}`;
  }
  if (!(value instanceof Dict)) return flat;
  const entries = [...value.entries()];
  const lines = entries.map(([key, field], i) => {
    const name = repr(run, key);
    return `${name}: ${format(run, field, indent + 1 + textLength(run, name) + 2, i === entries.length - 1 ? allowance + 1 : 1, level + 1)}`;
  });
  return `{${lines.join(`,\n${' '.repeat(indent + 1)}`)}}`;
}
function formatString(run: Run, text: string, outerIndent: number, outerAllowance: number, level: number): string {
  const [indent, allowance] = level === 1 ? [outerIndent + 1, outerAllowance + 1] : [outerIndent, outerAllowance];
  const width = columns - indent;
  const chunks: string[] = [];
  const lines = splitLines(run, text, true);
  for (const [i, line] of lines.entries()) {
    const isLast = i === lines.length - 1;
    if (textLength(run, quoted(line)) <= width - (isLast ? allowance : 0)) {
      chunks.push(quoted(line));
      continue;
    }
    const parts = line.match(/\S*\s*/gu)!.slice(0, -1);
    let current = '';
    parts.forEach((part, j) => {
      const candidate = current + part;
      run.read(candidate.length);
      if (quoted(candidate).length > width - (isLast && j === parts.length - 1 ? allowance : 0)) {
        if (current !== '') chunks.push(quoted(current));
        current = part;
      } else current = candidate;
    });
    if (current !== '') chunks.push(quoted(current));
  }
  if (chunks.length === 1) return chunks[0]!;
  const body = chunks.join(`\n${' '.repeat(indent)}`);
  return level === 1 ? `(${body})` : body;
}
