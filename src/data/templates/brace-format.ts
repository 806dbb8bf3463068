// `text.format(*args, **kwargs)`: texts with fields such as `{name[0]:>8}`.
import { asciiRepr, formatValue } from './format.ts';
import { parseInt10 } from './numbers.ts';
import { PythonError, type Run, valueError } from './run.ts';
import { quoted, repr, str } from './text.ts';
import { type Dict, type Kwargs, Markup, type Value } from './values.ts';

const opening = /[{}]/g;

/** The values that the fields of a format text refer to. */
export interface FieldSource {
  readonly args: readonly Value[];
  readonly kwargs: Kwargs | Dict;
  /** Attributes and items as a template would read them. */
  readonly attribute: (run: Run, value: Value, name: string) => Value;
  readonly item: (run: Run, value: Value, key: Value) => Value;
  /** Escapes the text of a field, for a method of escaped text. */
  readonly escaped?: ((text: string | Markup) => string) | undefined;
}
interface Numbering {
  next: number;
  manual: boolean;
}

export function braceFormat(
  run: Run,
  text: string,
  source: FieldSource,
  numbering: Numbering = { next: 0, manual: false },
  depth = 2,
): string {
  const { escaped } = source;
  if (depth < 0) throw valueError('Max string recursion exceeded');
  run.read(text.length);
  const pieces: string[] = [];
  let at = 0;
  while (at < text.length) {
    opening.lastIndex = at;
    const brace = (opening.exec(text)?.index ?? Infinity) - at;
    if (brace === Infinity) {
      pieces.push(text.slice(at));
      break;
    }
    run.read(brace);
    pieces.push(text.slice(at, at + brace));
    at += brace;
    if (text[at + 1] === text[at]) {
      pieces.push(text[at]!);
      at += 2;
      continue;
    }
    if (text[at] === '}') throw valueError("Single '}' encountered in format string");
    const end = closingBrace(text, at + 1);
    const [, name, conversion, spec = ''] =
      /^((?:\[[^\]]*\]|[^!:[])*)(?:!([^:]*))?(?::(.*))?$/s.exec(text.slice(at + 1, end)) ?? [];
    if (name === undefined) throw valueError("expected '}' before end of string");
    at = end + 1;
    let value = fieldValue(run, name, source, numbering);
    if (conversion === 'r') value = repr(run, value);
    else if (conversion === 's') value = str(run, value);
    else if (conversion === 'a') value = asciiRepr(run, value);
    else if (conversion !== undefined) throw valueError(`Unknown conversion specifier '${conversion}'`);
    const inner = spec === '' ? '' : braceFormat(run, spec, { ...source, escaped: undefined }, numbering, depth - 1);
    const shown =
      escaped === undefined
        ? formatValue(run, value, inner)
        : escaped(value instanceof Markup && inner === '' ? value : formatValue(run, value, inner));
    run.allocate(shown.length);
    pieces.push(shown);
  }
  return pieces.join('');
}
function closingBrace(text: string, start: number): number {
  let depth = 1;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
    else if (text[i] === '[' && depth === 1) {
      const close = text.indexOf(']', i);
      if (close > 0) i = close;
    }
  }
  throw valueError(
    start === text.length ? "Single '{' encountered in format string" : "expected '}' before end of string",
  );
}
function fieldValue(
  run: Run,
  name: string,
  { args, kwargs, attribute: readAttribute, item: readItem }: FieldSource,
  numbering: Numbering,
): Value {
  const [first = ''] = /^[^.[]*/.exec(name) ?? [];
  let value: Value | undefined;
  if (first === '' || /^\d+$/.test(first)) {
    if (first === '' ? numbering.manual : numbering.next > 0)
      throw valueError('cannot switch from manual field specification to automatic field numbering');
    if (first !== '') numbering.manual = true;
    value = args[first === '' ? numbering.next++ : Number(first)];
    if (value === undefined)
      throw new PythonError('IndexError', 'Replacement index out of range for positional args tuple');
  } else {
    value = kwargs.get(first);
    if (value === undefined) throw new PythonError('KeyError', quoted(first));
  }
  const path = name.slice(first.length);
  const step = /\.([^.[]+)|\[([^\]]+)\]/gy;
  let read = 0;
  for (const [all, attribute, item] of path.matchAll(step)) {
    read += all.length;
    if (attribute !== undefined) value = readAttribute(run, value, attribute);
    else value = readItem(run, value, /^\d+$/.test(item!) ? parseInt10(run, item!) : item!);
  }
  if (read < path.length) throw valueError('Empty attribute in format string');
  return value;
}
