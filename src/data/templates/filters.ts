// The filters of templates: `value | join(', ')`. Each has Jinja's signature; the value is its first argument.
import { bind } from './arguments.ts';
import { getAttributeOnly, getItem } from './attributes.ts';
import { percentFormat, truncated } from './format.ts';
import { toJson } from './json.ts';
import {
  countOf,
  escapedText,
  fixedText,
  isInt,
  isNumeric,
  operate,
  parseFloatText,
  parseInt10,
  roundNumber,
  toFloat,
} from './numbers.ts';
import { PythonError, type Run, typeError, valueError } from './run.ts';
import { capitalized, joinTexts, padText, replaceText, splitLines, stripText } from './string-methods.ts';
import { tests } from './tests.ts';
import { quoted, spaceClass, str } from './text.ts';
import {
  Dict,
  DictView,
  each,
  equals,
  firstOf,
  hashed,
  Iter,
  isText,
  isTrue,
  iteratorIfAny,
  iteratorOf,
  type Kwargs,
  lengthOf,
  listOf,
  Markup,
  ordered,
  Range,
  sorted,
  Tuple,
  textLength,
  textOf,
  typeName,
  Undefined,
  type Value,
  wideCharacters,
} from './values.ts';
import { prettyText, wrapLine } from './wrapped-text.ts';

export type Filter = (run: Run, value: Value, args: readonly Value[], kwargs: Kwargs) => Value;

/** A filter with a signature; the arguments follow the value. */
const filter =
  (signature: string, apply: (run: Run, value: Value, ...args: (Value | undefined)[]) => Value): Filter =>
  (run, value, args, kwargs) =>
    apply(run, value, ...bind('filter', signature, args, kwargs));
const given = (run: Run, value: Value | undefined): boolean => value !== undefined && isTrue(run, value);

/** `str(value)`, but escaped text stays escaped. */
const soft = (run: Run, value: Value): string => str(run, value);
const like = (value: Value, text: string): Value => (value instanceof Markup ? new Markup(text) : text);
const onText = (change: (run: Run, text: string) => string): Filter =>
  filter('', (run, value) => {
    const text = soft(run, value);
    run.allocate(text.length);
    return like(value, change(run, text));
  });

type Getter = (value: Value) => Value;
const ignoreCase = (value: Value): Value =>
  typeof value === 'string'
    ? value.toLowerCase()
    : value instanceof Markup
      ? new Markup(value.text.toLowerCase())
      : value;
/** Reads an attribute by a path: `address.city`, `0.name`. */
function attributeGetter(
  run: Run,
  path: Value | undefined,
  change: Getter = value => value,
  otherwise: Value = null,
): Getter {
  if (path === undefined || path === null) return change;
  const parts: Value[] = isText(path)
    ? textOf(path)
        .split('.')
        .map(part => (/^\p{Nd}+$/u.test(part) ? parseInt10(run, part) : part))
    : [path];
  return value => {
    let current = value;
    for (const part of parts) {
      run.step();
      current = getItem(run, current, part);
      if (otherwise !== null && current instanceof Undefined) current = otherwise;
    }
    return change(current);
  };
}
const caseGetter = (
  run: Run,
  attribute: Value | undefined,
  caseSensitive: Value | undefined,
  otherwise: Value = null,
): Getter => attributeGetter(run, attribute, given(run, caseSensitive) ? undefined : ignoreCase, otherwise);

/** Text of an argument. */
const argumentText = (value: Value | undefined, otherwise: string): string => {
  if (value === undefined) return otherwise;
  if (!isText(value)) throw typeError(`expected str, not ${typeName(value)}`);
  return textOf(value);
};

function* selected(
  run: Run,
  value: Value,
  args: readonly Value[],
  kwargs: Kwargs,
  keep: boolean,
  ofAttribute: boolean,
): Generator<Value> {
  if (!isTrue(run, value)) return;
  if (ofAttribute && args.length === 0) throw filterError('Missing parameter for attribute name');
  const read = ofAttribute ? attributeGetter(run, args[0]) : (item: Value) => item;
  const [name, ...rest] = ofAttribute ? args.slice(1) : args;
  for (const item of each(run, value)) {
    const holds = name === undefined ? isTrue(run, read(item)) : applyTest(run, name, read(item), rest, kwargs);
    if (holds === keep) yield item;
  }
}
const select =
  (keep: boolean, ofAttribute: boolean): Filter =>
  (run, value, args, kwargs) =>
    new Iter(selected(run, value, args, kwargs, keep, ofAttribute));
const filterError = (message: string): PythonError => new PythonError('TemplateError', message);

function* mapped(run: Run, value: Value, args: readonly Value[], kwargs: Kwargs): Generator<Value> {
  if (!isTrue(run, value)) return;
  let change: (item: Value) => Value;
  if (args.length === 0 && kwargs.has('attribute')) {
    const [attribute, otherwise] = bind('map', 'attribute default?', [], kwargs);
    change = attributeGetter(run, attribute, undefined, otherwise);
  } else {
    if (args.length === 0) throw filterError('map requires a filter argument');
    const [name, ...rest] = args;
    change = item => applyFilter(run, name!, item, rest, kwargs);
  }
  for (const item of each(run, value)) yield change(item);
}

function extreme(
  run: Run,
  value: Value,
  order: '<' | '>',
  caseSensitive: Value | undefined,
  attribute: Value | undefined,
): Value {
  const key = caseGetter(run, attribute, caseSensitive);
  let best: Value | undefined;
  let bestKey: Value = null;
  for (const item of each(run, value)) {
    const itemKey = key(item);
    if (best === undefined || ordered(run, order, itemKey, bestKey)) [best, bestKey] = [item, itemKey];
  }
  return firstOf(best, () => new Undefined('No aggregated item, sequence was empty.'));
}

function groupBy(run: Run, value: Value, attribute: Value, otherwise: Value, caseSensitive: Value | undefined): Value {
  const key = caseGetter(run, attribute, caseSensitive, otherwise);
  const groups: { key: Value; readonly items: Value[] }[] = [];
  for (const item of sorted(run, listOf(run, value), key)) {
    const itemKey = key(item);
    const last = groups.at(-1);
    if (last !== undefined && (last.key === itemKey || equals(run, last.key, itemKey))) last.items.push(item);
    else groups.push({ key: itemKey, items: [item] });
  }
  const shown = attributeGetter(run, attribute, undefined, otherwise);
  return groups.map(({ items }) => new Tuple([shown(items[0]!), items], ['grouper', 'list']));
}

function* slices(run: Run, value: Value, count: Value, fill: Value): Generator<Value> {
  const items = listOf(run, value);
  const slots = countOf(count);
  if (slots === 0) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero');
  const [size, extra] = [Math.floor(items.length / slots), ((items.length % slots) + slots) % slots];
  let offset = 0;
  for (let i = 0; i < slots; i++) {
    const start = offset + i * size;
    if (i < extra) offset++;
    run.allocate(8 * (size + 2));
    const part = items.slice(start, offset + (i + 1) * size);
    if (fill !== null && i >= extra) part.push(fill);
    yield part;
  }
}
function* batches(run: Run, value: Value, size: Value, fill: Value): Generator<Value> {
  const count = isNumeric(size) ? Number(size) : countOf(size);
  let batch: Value[] = [];
  for (const item of each(run, value)) {
    if (batch.length === count) {
      yield batch;
      batch = [];
    }
    run.allocate(8);
    batch.push(item);
  }
  if (batch.length === 0) return;
  if (fill !== null && batch.length < count) {
    run.allocate(8 * (count - batch.length));
    while (batch.length < count) batch.push(fill);
  }
  yield batch;
}

function toInt(run: Run, value: Value, otherwise: Value, base: Value): Value {
  const caught = (error: unknown, kinds: readonly string[]): boolean =>
    error instanceof PythonError && kinds.includes(error.kind);
  try {
    if (isText(value)) return parseInt10(run, textOf(value), BigInt(countOf(base)));
    if (isInt(value)) return BigInt(value);
    if (typeof value === 'number') return truncated(value);
    if (value instanceof Undefined) throw value.error();
    throw typeError(`int() argument must be a string or a number, not '${typeName(value)}'`);
  } catch (error) {
    if (!caught(error, ['TypeError', 'ValueError'])) throw error;
    try {
      return truncated(asFloat(run, value));
    } catch (second) {
      if (caught(second, ['TypeError', 'ValueError', 'OverflowError'])) return otherwise;
      throw second;
    }
  }
}
function asFloat(run: Run, value: Value): number {
  if (isText(value)) return parseFloatText(run, textOf(value));
  if (value instanceof Undefined) throw value.error();
  if (!isNumeric(value))
    throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`);
  return toFloat(value);
}

function round(value: Value, precision: Value, method: Value): Value {
  if (!isText(method) || !['common', 'ceil', 'floor'].includes(textOf(method)))
    throw filterError('method must be common, ceil or floor');
  if (value instanceof Undefined && textOf(method) !== 'common') throw value.error();
  if (!isNumeric(value)) throw typeError(`type ${typeName(value)} doesn't define __round__ method`);
  if (textOf(method) === 'common') {
    if (precision === null) {
      const whole = roundNumber(typeof value === 'boolean' ? BigInt(value) : value, 0);
      return typeof whole === 'number' ? truncated(whole) : whole;
    }
    return roundNumber(typeof value === 'boolean' ? BigInt(value) : value, countOf(precision));
  }
  if (!isNumeric(precision)) throw typeError('unsupported operand type(s) for **');
  return null;
}
function roundTowards(run: Run, value: Value, precision: Value, method: string): Value {
  const power = operate(run, '**', 10n, precision);
  const product = operate(run, '*', value, power);
  if (!isNumeric(product)) throw typeError('must be real number');
  const whole = isInt(product)
    ? BigInt(product)
    : truncated(method === 'ceil' ? Math.ceil(product) : Math.floor(product));
  return operate(run, '/', whole, power);
}

const wordStart = /([-\s({[<]+)/u;
const urlQuoted = (run: Run, text: string, query: boolean): string => {
  run.allocate(9 * text.length);
  let quotedText: string;
  try {
    quotedText = encodeURIComponent(text);
  } catch {
    throw valueError("'utf-8' codec can't encode a surrogate");
  }
  quotedText = quotedText.replace(/[!'()*]/g, one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  return query ? quotedText.replaceAll('%20', '+') : quotedText.replaceAll('%2F', '/');
};
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const unescapeHtml = (text: string): string =>
  text.replace(/&(?:#(\d+)|#[xX]([\da-fA-F]+)|(\w+));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return entities[name as string] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : '\ufffd';
  });
function withoutTags(run: Run, text: string): string {
  let rest = text;
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<', '>'],
  ] as const)
    for (;;) {
      const start = rest.indexOf(open);
      const end = start < 0 ? -1 : rest.indexOf(close, start);
      if (end < 0) break;
      run.read(rest.length);
      rest = rest.slice(0, start) + rest.slice(end + close.length);
    }
  run.allocate(rest.length);
  return unescapeHtml(
    rest
      .split(new RegExp(`${spaceClass}+`))
      .filter(Boolean)
      .join(' '),
  );
}

function fileSize(run: Run, value: Value, binary: boolean): string {
  const bytes = asFloat(run, value);
  const base = binary ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${truncated(bytes)} Bytes`;
  const names = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'].map(one => (binary ? `${one.toUpperCase()}iB` : `${one}B`));
  const index = names.findIndex((_, i) => bytes < base ** (i + 2));
  const at = index < 0 ? names.length - 1 : index;
  return `${fixedText((base * bytes) / base ** (at + 2), 1)} ${names[at]!}`;
}

function sum(run: Run, value: Value, attribute: Value | undefined, start: Value): Value {
  if (isText(start)) throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
  const read = attributeGetter(run, attribute);
  let total: Value = start;
  for (const item of each(run, value)) total = operate(run, '+', total, read(item));
  return total;
}

function reversed(run: Run, value: Value): Value {
  if (isText(value)) {
    const text = textOf(value);
    run.allocate(text.length);
    return like(value, [...(wideCharacters(run, text) ?? text)].reverse().join(''));
  }
  if (value instanceof Undefined) return [];
  if (iteratorIfAny(value) === undefined) throw filterError('argument must be iterable');
  const list = listOf(run, value).reverse();
  const isIterator =
    Array.isArray(value) ||
    value instanceof Tuple ||
    value instanceof Dict ||
    value instanceof DictView ||
    value instanceof Range;
  return isIterator ? new Iter(list[Symbol.iterator](), 'list_reverseiterator') : list;
}

function join(run: Run, value: Value, separator: Value, attribute: Value | undefined): Value {
  const read = attribute === undefined || attribute === null ? (item: Value) => item : attributeGetter(run, attribute);
  const texts: string[] = [];
  for (const item of each(run, value)) texts.push(str(run, read(item)));
  return joinTexts(run, str(run, separator), texts);
}

function indent(run: Run, value: Value, width: Value, first: boolean, blank: boolean): Value {
  const indention = isText(width) ? textOf(width) : ' '.repeat(charged(run, Math.max(0, countOf(width))));
  const text = textOf(operate(run, '+', value, '\n') as string | Markup);
  const lines = splitLines(run, text);
  run.allocate(text.length + lines.length * indention.length);
  const rest = lines.slice(1).map(line => (blank || line !== '' ? indention + line : line));
  const result = (first ? indention : '') + [lines[0] ?? '', ...rest].join('\n');
  return like(value, result);
}
const charged = (run: Run, count: number): number => {
  run.allocate(count);
  return count;
};

function truncate(run: Run, value: Value, length: Value, killWords: boolean, end: Value, leeway: Value): Value {
  if (!isText(value) && !Array.isArray(value) && !(value instanceof Tuple)) lengthOf(run, value);
  const ending = argumentText(end, '...');
  const [most, extra] = [countOf(length), leeway === null ? 5 : countOf(leeway)];
  const endLength = textLength(run, ending);
  if (most < endLength) throw filterError(`expected length >= ${endLength}, got ${most}`);
  if (extra < 0) throw filterError(`expected leeway >= 0, got ${extra}`);
  if (lengthOf(run, value) <= most + extra) return value;
  if (!isText(value)) throw typeError(`can only concatenate ${typeName(value)}`);
  const text = textOf(value);
  const points = wideCharacters(run, text);
  const kept = points === undefined ? text.slice(0, most - endLength) : points.slice(0, most - endLength).join('');
  const space = kept.lastIndexOf(' ');
  return like(value, (killWords || space < 0 ? kept : kept.slice(0, space)) + ending);
}

/** The text of a `replace` argument or value. */
const replace = filter('old new count?', (run, value, old, replacement, count) =>
  replaceText(
    run,
    str(run, value),
    str(run, old!),
    str(run, replacement!),
    count === undefined || count === null ? -1 : countOf(count),
  ),
);
const length = filter('', (run, value) => BigInt(lengthOf(run, value)));
const escapeFilter = filter('', (run, value) =>
  value instanceof Markup ? value : new Markup(escapedText(run, str(run, value))),
);
const orDefault = filter('default_value? boolean?', (run, value, otherwise = '', boolean) =>
  value instanceof Undefined || (given(run, boolean) && !isTrue(run, value)) ? otherwise : value,
);

export const filters: Readonly<Record<string, Filter>> = {
  abs: filter('', (_, value) => {
    if (!isNumeric(value))
      throw value instanceof Undefined
        ? typeError("bad operand type for abs(): 'Undefined'")
        : typeError(`bad operand type for abs(): '${typeName(value)}'`);
    if (isInt(value)) return BigInt(value) < 0n ? -BigInt(value) : BigInt(value);
    return Math.abs(value);
  }),
  attr: filter('name', (run, value, name) => getAttributeOnly(run, value, argumentText(name, ''))),
  batch: filter('linecount fill_with?', (run, value, size, fill = null) => new Iter(batches(run, value, size!, fill))),
  capitalize: onText(capitalized),
  center: filter('width?', (run, value, width = 80n) =>
    like(value, padText(run, soft(run, value), countOf(width), 'center')),
  ),
  count: length,
  d: orDefault,
  default: orDefault,
  dictsort: filter('case_sensitive? by? reverse?', (run, value, caseSensitive, by = 'key', reverse) => {
    if (value instanceof Undefined) throw value.error();
    const position = isText(by) ? ['key', 'value'].indexOf(textOf(by)) : -1;
    if (position < 0) throw filterError('You can only sort by either "key" or "value"');
    if (!(value instanceof Dict))
      throw new PythonError('TypeError', `'${typeName(value)}' object has no attribute 'items'`);
    const change = given(run, caseSensitive) ? (item: Value) => item : ignoreCase;
    const pairs = [...value.entries()].map(pair => new Tuple(pair));
    return sorted(run, pairs, pair => change((pair as Tuple).items[position]!), given(run, reverse));
  }),
  e: escapeFilter,
  escape: escapeFilter,
  filesizeformat: filter('binary?', (run, value, binary) => fileSize(run, value, given(run, binary))),
  first: filter('', (run, value) => {
    run.step();
    const next = iteratorOf(value).next();
    return next.done ? new Undefined('No first item, sequence was empty.') : next.value;
  }),
  float: filter('default?', (run, value, otherwise = 0) => {
    try {
      return asFloat(run, value);
    } catch (error) {
      if (error instanceof PythonError && ['TypeError', 'ValueError'].includes(error.kind)) return otherwise;
      throw error;
    }
  }),
  forceescape: filter('', (run, value) => new Markup(escapedText(run, str(run, value)))),
  format: (run, value, args, kwargs) => {
    if (args.length > 0 && kwargs.size > 0)
      throw filterError("can't handle positional and keyword arguments at the same time");
    const values = kwargs.size > 0 ? Dict.from(kwargs) : new Tuple(args);
    return like(value, percentFormat(run, soft(run, value), values));
  },
  groupby: filter('attribute default? case_sensitive?', (run, value, attribute, otherwise = null, caseSensitive) =>
    groupBy(run, value, attribute!, otherwise, caseSensitive),
  ),
  indent: filter('width? first? blank?', (run, value, width = 4n, first, blank) =>
    indent(run, value, width, given(run, first), given(run, blank)),
  ),
  int: filter('default? base?', (run, value, otherwise = 0n, base = 10n) => toInt(run, value, otherwise, base)),
  items: filter('', (run, value) => {
    if (!(value instanceof Undefined || value instanceof Dict)) {
      const failing = function* (): Generator<Value> {
        yield* [];
        throw typeError('Can only get item pairs from a mapping.');
      };
      return new Iter(failing());
    }
    return new Iter(each(run, value instanceof Dict ? new DictView('dict_items', value) : []));
  }),
  join: filter('d? attribute?', (run, value, separator = '', attribute) => join(run, value, separator, attribute)),
  last: filter('', (run, value) => {
    run.step();
    if (value instanceof Undefined) return new Undefined('No last item, sequence was empty.');
    if (
      !(
        isText(value) ||
        Array.isArray(value) ||
        value instanceof Tuple ||
        value instanceof Dict ||
        value instanceof DictView ||
        value instanceof Range
      )
    )
      throw typeError(`'${typeName(value)}' object is not reversible`);
    if (value instanceof Dict || value instanceof DictView)
      return firstOf(listOf(run, value).at(-1), () => new Undefined('No last item, sequence was empty.'));
    return lengthOf(run, value) === 0 ? new Undefined('No last item, sequence was empty.') : getItem(run, value, -1n);
  }),
  length,
  list: filter('', (run, value) => listOf(run, value)),
  lower: onText((_, text) => text.toLowerCase()),
  map: (run, value, args, kwargs) => new Iter(mapped(run, value, args, kwargs)),
  max: filter('case_sensitive? attribute?', (run, value, caseSensitive, attribute) =>
    extreme(run, value, '>', caseSensitive, attribute),
  ),
  min: filter('case_sensitive? attribute?', (run, value, caseSensitive, attribute) =>
    extreme(run, value, '<', caseSensitive, attribute),
  ),
  pprint: filter('', (run, value) => prettyText(run, value)),
  random: filter('', (run, value) => {
    const size = lengthOf(run, value);
    return size === 0
      ? new Undefined('No random item, sequence was empty.')
      : getItem(run, value, BigInt(Math.floor(Math.random() * size)));
  }),
  reject: select(false, false),
  rejectattr: select(false, true),
  replace,
  reverse: filter('', reversed),
  round: filter('precision? method?', (run, value, precision = 0n, method = 'common') => {
    const result = round(value, precision, method);
    return result === null ? roundTowards(run, value, precision, textOf(method as string | Markup)) : result;
  }),
  safe: filter('', (run, value) => new Markup(str(run, value))),
  select: select(true, false),
  selectattr: select(true, true),
  slice: filter('slices fill_with?', (run, value, count, fill = null) => new Iter(slices(run, value, count!, fill))),
  sort: filter('reverse? case_sensitive? attribute?', (run, value, reverse, caseSensitive, attribute) => {
    const paths: (Value | undefined)[] =
      attribute !== undefined && isText(attribute) ? textOf(attribute).split(',') : [attribute];
    const keys = paths.map(path => caseGetter(run, path, caseSensitive));
    // A list even of one key: lists are equal where their items are, and attributes that do not exist have no order.
    return sorted(run, listOf(run, value), item => keys.map(key => key(item)), given(run, reverse));
  }),
  string: filter('', (run, value) => (value instanceof Markup ? value : str(run, value))),
  striptags: filter('', (run, value) => withoutTags(run, str(run, value))),
  sum: filter('attribute? start?', (run, value, attribute, start = 0n) => sum(run, value, attribute, start)),
  title: onText((_, text) =>
    text
      .split(wordStart)
      .filter(Boolean)
      .map(part => {
        const [first = ''] = part;
        return first.toUpperCase() + part.slice(first.length).toLowerCase();
      })
      .join(''),
  ),
  tojson: filter(
    'ensure_ascii? indent? separators? sort_keys?',
    (run, value, ensureAscii, indentBy = null, separators = null, sortKeys) => {
      let indentText: string | undefined;
      if (indentBy !== null)
        indentText = isText(indentBy) ? textOf(indentBy) : ' '.repeat(charged(run, Math.max(0, countOf(indentBy))));
      let [itemSeparator, keySeparator] = [indentText === undefined ? ', ' : ',', ': '];
      if (separators !== null) {
        const pair = listOf(run, separators);
        if (pair.length !== 2) throw valueError('separators must be a pair of texts');
        [itemSeparator, keySeparator] = [argumentText(pair[0], ''), argumentText(pair[1], '')];
      }
      return toJson(run, value, {
        ensureAscii: given(run, ensureAscii),
        indent: indentText,
        itemSeparator,
        keySeparator,
        sortKeys: given(run, sortKeys),
      });
    },
  ),
  trim: filter('chars?', (run, value, characters = null) =>
    like(value, stripText(run, soft(run, value), characters === null ? undefined : argumentText(characters, ''))),
  ),
  truncate: filter(
    'length? killwords? end? leeway?',
    (run, value, most = 255n, killWords, end = '...', leeway = null) =>
      truncate(run, value, most, given(run, killWords), end, leeway),
  ),
  unique: filter('case_sensitive? attribute?', (run, value, caseSensitive, attribute) => {
    const key = caseGetter(run, attribute, caseSensitive);
    const unique = function* (): Generator<Value> {
      const seen = new Set<unknown>();
      for (const item of each(run, value)) {
        const hash = hashed(key(item));
        if (seen.has(hash)) continue;
        run.allocate(8);
        seen.add(hash);
        yield item;
      }
    };
    return new Iter(unique());
  }),
  upper: onText((_, text) => text.toUpperCase()),
  urlencode: filter('', (run, value) => {
    if (isText(value) || iteratorIfAny(value) === undefined) return urlQuoted(run, str(run, value), false);
    const pairs: string[] = [];
    for (const pair of each(run, value instanceof Dict ? new DictView('dict_items', value) : value)) {
      const [key, field, ...more] = listOf(run, pair);
      if (field === undefined || more.length > 0) throw valueError('expected pairs of a key and a value');
      pairs.push(`${urlQuoted(run, str(run, key!), true)}=${urlQuoted(run, str(run, field), true)}`);
    }
    return pairs.join('&');
  }),
  wordcount: filter('', (run, value) => {
    const text = soft(run, value);
    run.allocate(8 * text.length);
    return BigInt(text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0);
  }),
  wordwrap: filter(
    'width? break_long_words? wrapstring? break_on_hyphens?',
    (run, value, width = 79n, breakLong = true, wrapString = null, breakHyphens = true) => {
      if (value instanceof Undefined) throw value.error();
      const separator = wrapString === null ? '\n' : argumentText(wrapString, '');
      const lines = splitLines(run, argumentText(value, '')).map(line =>
        joinTexts(
          run,
          separator,
          wrapLine(run, line, countOf(width), isTrue(run, breakLong), isTrue(run, breakHyphens)),
        ),
      );
      return joinTexts(run, separator, lines);
    },
  ),
  xmlattr: filter('autospace?', (run, value, autospace = true) => {
    if (value instanceof Undefined) throw value.error();
    if (!(value instanceof Dict)) throw typeError(`'${typeName(value)}' object has no attribute 'items'`);
    const parts: string[] = [];
    for (const [key, field] of value.entries()) {
      if (field === null || field instanceof Undefined) continue;
      const name = argumentText(key, '');
      if (/[\s/>=]/.test(name)) throw valueError(`Invalid character in attribute name: ${quoted(name)}`);
      const escaped = (one: Value): string => escapedText(run, isText(one) ? one : str(run, one));
      parts.push(`${escaped(key)}="${escaped(field)}"`);
    }
    return (isTrue(run, autospace) && parts.length > 0 ? ' ' : '') + parts.join(' ');
  }),
};

/** Applies a filter whose name is a value. */
export function applyFilter(run: Run, name: Value, value: Value, args: readonly Value[], kwargs: Kwargs): Value {
  run.step();
  const found = isText(name) && Object.hasOwn(filters, textOf(name)) ? filters[textOf(name)] : undefined;
  if (found === undefined)
    throw filterError(`No filter named ${isText(name) ? quoted(textOf(name)) : typeName(name)}.`);
  return found(run, value, args, kwargs);
}
const names: Readonly<Record<string, (name: string) => boolean>> = {
  filter: name => Object.hasOwn(filters, name),
  test: name => isTest(name),
};
export const isTest = (name: string): boolean => Object.hasOwn(tests, name) || Object.hasOwn(names, name);
export function applyTest(run: Run, name: Value, value: Value, args: readonly Value[], kwargs: Kwargs): boolean {
  run.step();
  const text = isText(name) ? textOf(name) : '';
  if (Object.hasOwn(names, text)) {
    bind(text, '', args, kwargs);
    return isText(value) && names[text]!(textOf(value));
  }
  const test = Object.hasOwn(tests, text) ? tests[text] : undefined;
  if (test === undefined) throw filterError(`No test named ${quoted(text)}.`);
  const parameters =
    test.arity === 0
      ? ''
      : text === 'divisibleby'
        ? 'num'
        : text === 'in'
          ? 'seq'
          : text === 'sameas'
            ? 'other'
            : 'other/';
  const [other = null] = bind(text, parameters, args, kwargs);
  return test.check(run, value, other);
}
