// Python's formatting of one value, and of `'%05.1f' % x`. Widths and precisions are charged before text is made.
import { exponentText, fixedText, floatText, generalText, intText, isInt, isNumeric, toFloat } from './numbers.ts';
import { PythonError, type Run, typeError, valueError } from './run.ts';
import { quoted, repr, str } from './text.ts';
import {
  Dict,
  isText,
  Range,
  Tuple,
  textLength,
  textOf,
  typeName,
  Undefined,
  type Value,
  wideCharacters,
} from './values.ts';

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | undefined;
  readonly type: string;
}
const specPattern = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su;

/** The first `count` characters of a text. */
function firstCharacters(run: Run, text: string, count: number): string {
  const points = wideCharacters(run, text);
  return points === undefined ? text.slice(0, count) : points.slice(0, count).join('');
}
function pad(run: Run, text: string, width: number, align: string, fill = ' '): string {
  const missing = width - textLength(run, text);
  if (missing <= 0) return text;
  run.allocate(missing + text.length);
  const left = align === '<' ? 0 : align === '^' ? Math.floor(missing / 2) : missing;
  return fill.repeat(left) + text + fill.repeat(missing - left);
}
const decimals = (run: Run, precision: number): number => {
  run.allocate(precision);
  return precision;
};

/** The digits of |x| in a float presentation. */
function floatDigits(run: Run, x: number, type: string, precision: number | undefined, alternate: boolean): string {
  if (!Number.isFinite(x)) {
    const word = Number.isNaN(x) ? 'nan' : 'inf';
    return type === 'F' || type === 'E' || type === 'G' ? word.toUpperCase() : word;
  }
  if (type === '')
    return precision === undefined ? floatText(Math.abs(x)) : generalText(x, decimals(run, precision), alternate, true);
  const places = decimals(run, precision ?? 6);
  let text: string;
  if (type === 'f' || type === 'F') text = fixedText(x, places);
  else if (type === '%') text = fixedText(x * 100, places);
  else if (type === 'e' || type === 'E') text = exponentText(x, places);
  else text = generalText(x, places, alternate);
  if (alternate && !text.includes('.')) text = text.replace(/^\d+/, '$&.');
  if (type === '%') text += '%';
  return type === 'E' || type === 'G' ? text.toUpperCase() : text;
}
function grouped(digits: string, separator: string, size: number): string {
  const whole = /^[\da-zA-Z]+/.exec(digits)?.[0] ?? '';
  const parts: string[] = [];
  for (let end = whole.length; end > 0; end -= size) parts.unshift(whole.slice(Math.max(0, end - size), end));
  return parts.join(separator) + digits.slice(whole.length);
}

/** `format(value, spec)`. */
export function formatValue(run: Run, value: Value, spec: string): string {
  if (value instanceof Undefined && spec !== '')
    throw typeError('unsupported format string passed to Undefined.__format__');
  if (spec === '') return str(run, value);
  const match = specPattern.exec(spec);
  const known = isText(value) || isNumeric(value);
  if (!known) throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`);
  if (match === null) throw valueError(`Invalid format specifier '${spec}' for object of type '${typeName(value)}'`);
  const [, fill, align, sign = '', z, sharp, zero, width, grouping = '', precision, type = ''] = match;
  const parsed: Spec = {
    fill:
      fill ?? (zero !== undefined && align === undefined ? '0' : zero !== undefined && fill === undefined ? '0' : ' '),
    align: align ?? '',
    sign,
    alternate: sharp !== undefined,
    width: Number(width ?? 0),
    grouping,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
  if (isText(value)) return formatText(run, textOf(value), parsed, zero !== undefined && align === undefined);
  return formatNumber(run, value, parsed, zero !== undefined && align === undefined, z !== undefined);
}
const unknownType = (type: string, value: Value): PythonError =>
  valueError(`Unknown format code '${type}' for object of type '${typeName(value)}'`);

function formatText(run: Run, text: string, spec: Spec, _zero: boolean): string {
  if (spec.type !== '' && spec.type !== 's') throw unknownType(spec.type, text);
  if (spec.sign !== '')
    throw valueError(
      spec.sign === ' '
        ? 'Space not allowed in string format specifier'
        : 'Sign not allowed in string format specifier',
    );
  if (spec.alternate) throw valueError('Alternate form (#) not allowed in string format specifier');
  if (spec.align === '=') throw valueError("'=' alignment not allowed in string format specifier");
  if (spec.grouping !== '') throw valueError(`Cannot specify '${spec.grouping}' with 's'.`);
  const shown = spec.precision === undefined ? text : firstCharacters(run, text, spec.precision);
  return pad(run, shown, spec.width, spec.align || '<', spec.fill);
}

function formatNumber(
  run: Run,
  value: boolean | bigint | number,
  spec: Spec,
  zero: boolean,
  noNegativeZero: boolean,
): string {
  let { type } = spec;
  if (type === 's') throw unknownType(type, value);
  let negative: boolean;
  let digits: string;
  let prefix = '';
  const asInt = isInt(value) && (type === '' || 'bcdnoxX'.includes(type));
  if (asInt) {
    const int = BigInt(value);
    if (spec.precision !== undefined) throw valueError('Precision not allowed in integer format specifier');
    if (noNegativeZero)
      throw valueError("Negative zero coercion (z) not allowed in format specifier with integer format code 'd'");
    if (type === 'c') {
      if (spec.sign !== '') throw valueError("Sign not allowed with integer format specifier 'c'");
      return pad(run, character(int), spec.width, spec.align || '<', spec.fill);
    }
    negative = int < 0n;
    const size = negative ? -int : int;
    const radix = { b: 2, o: 8, x: 16, X: 16 }[type] ?? 10;
    if (spec.grouping === ',' && radix !== 10) throw valueError(`Cannot specify ',' with '${type}'.`);
    if (spec.grouping !== '' && type === 'n') throw valueError(`Cannot specify '${spec.grouping}' with 'n'.`);
    digits = radix === 10 ? intText(size) : size.toString(radix);
    if (spec.alternate && radix !== 10) prefix = `0${type}`;
    if (type === 'X') digits = digits.toUpperCase();
    if (spec.grouping !== '') digits = grouped(digits, spec.grouping, radix === 10 ? 3 : 4);
  } else {
    if ('bcdoxX'.includes(type) && type !== '') throw unknownType(type, value);
    if (isInt(value) && type === '') type = 'd';
    const float = toFloat(value);
    if (type === 'n') type = 'g';
    digits = floatDigits(run, float, type, spec.precision, spec.alternate);
    negative = float < 0 || Object.is(float, -0);
    if (noNegativeZero && /^[0.e+%-]*$/i.test(digits)) negative = false;
    if (spec.grouping !== '') digits = grouped(digits, spec.grouping, 3);
  }
  const sign = negative ? '-' : spec.sign === '-' ? '' : spec.sign;
  const align = spec.align || (zero ? '=' : '>');
  if (align === '=') {
    const missing = spec.width - sign.length - prefix.length - digits.length;
    if (missing > 0) {
      run.allocate(missing);
      if (spec.grouping !== '' && spec.fill === '0') digits = zeroGrouped(digits, spec, sign.length + prefix.length);
      else return sign + prefix + spec.fill.repeat(missing) + digits;
    }
    return sign + prefix + digits;
  }
  return pad(run, sign + prefix + digits, spec.width, align, spec.fill);
}
/** Digits with leading zeros that are grouped, too. */
function zeroGrouped(digits: string, spec: Spec, taken: number): string {
  const size = 'boxX'.includes(spec.type) && spec.type !== '' ? 4 : 3;
  let [whole] = /^[\da-zA-Z,_]+/.exec(digits) ?? [''];
  const rest = digits.slice(whole.length);
  whole = whole.replaceAll(spec.grouping, '');
  let text = grouped(whole, spec.grouping, size);
  while (text.length + rest.length + taken < spec.width) {
    whole = `0${whole}`;
    text = grouped(whole, spec.grouping, size);
  }
  return text + rest;
}
function character(code: bigint): string {
  if (code < 0n || code > 0x10ffffn) throw new PythonError('OverflowError', '%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(code));
}

/** `text % values`. */
export function percentFormat(run: Run, text: string, values: Value): string {
  const pieces: string[] = [];
  const add = (piece: string): void => {
    run.allocate(piece.length);
    pieces.push(piece);
  };
  const items = values instanceof Tuple ? values.items : [values];
  let used = 0;
  let mapped = false;
  const next = (): Value => {
    if (used >= items.length) throw typeError('not enough arguments for format string');
    return items[used++]!;
  };
  const pattern = /([^%]+)|%(?:\(((?:[^()]|\([^()]*\))*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]?(.)?/gsuy;
  for (const [, plain, key, flags = '', width, precision, type] of text.matchAll(pattern)) {
    if (plain !== undefined) {
      add(plain);
      continue;
    }
    if (type === undefined) throw valueError('incomplete format');
    let source: (() => Value) | undefined;
    if (key !== undefined) {
      if (!(values instanceof Dict)) throw typeError('format requires a mapping');
      const found = values.get(key);
      if (found === undefined) throw new PythonError('KeyError', quoted(key));
      source = () => found;
      mapped = true;
    }
    const size = (given: string | undefined): number =>
      given === '*' ? Number(BigInt(asIndex(next()))) : Number(given ?? 0);
    let columns = size(width);
    let left = flags.includes('-');
    if (columns < 0) [columns, left] = [-columns, true];
    const places = precision === undefined ? undefined : Math.max(0, size(precision));
    if (type === '%') {
      add('%');
      continue;
    }
    const value = (source ?? next)();
    const shown = percentValue(run, value, type, flags, places);
    const zero =
      flags.includes('0') &&
      !left &&
      !'sracs'.includes(type) &&
      Number.isFinite(Number(/\d/.test(shown) ? 0 : Number.NaN));
    if (zero) {
      const [head = ''] = /^[-+ ]?(?:0[xXo])?/.exec(shown) ?? [];
      const missing = columns - shown.length;
      if (missing > 0) run.allocate(missing);
      add(head + '0'.repeat(Math.max(0, missing)) + shown.slice(head.length));
    } else add(pad(run, shown, columns, left ? '<' : '>'));
  }
  const isMapping =
    mapped || values instanceof Dict || Array.isArray(values) || values instanceof Range || values instanceof Undefined;
  if (used < items.length && !isMapping) throw typeError('not all arguments converted during string formatting');
  return pieces.join('');
}
const asIndex = (value: Value): boolean | bigint => {
  if (!isInt(value)) throw typeError('* wants int');
  return value;
};

function percentValue(run: Run, value: Value, type: string, flags: string, places: number | undefined): string {
  const clip = (text: string): string => (places === undefined ? text : firstCharacters(run, text, places));
  if (type === 's') return clip(str(run, value));
  if (type === 'r') return clip(repr(run, value));
  if (type === 'a') return clip(asciiRepr(run, value));
  if (type === 'c') {
    if (isInt(value)) return character(BigInt(value));
    if (isText(value) && textLength(run, textOf(value)) === 1) return textOf(value);
    throw typeError('%c requires int or char');
  }
  const signed = (negative: boolean, digits: string): string =>
    (negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') + digits;
  if ('diuoxX'.includes(type)) {
    if (!isNumeric(value)) {
      if (value instanceof Undefined && 'diu'.includes(type)) throw value.error();
      throw typeError(
        `%${type} format: ${'oxX'.includes(type) ? 'an integer' : 'a real number'} is required, not ${typeName(value)}`,
      );
    }
    if ('oxX'.includes(type) && !isInt(value)) throw typeError(`%${type} format: an integer is required, not float`);
    const int = isInt(value) ? BigInt(value) : truncated(value);
    const size = int < 0n ? -int : int;
    let digits = type === 'o' ? size.toString(8) : type === 'x' || type === 'X' ? size.toString(16) : intText(size);
    if (places !== undefined) digits = digits.padStart(decimals(run, places), '0');
    if (type === 'X') digits = digits.toUpperCase();
    if (flags.includes('#') && 'oxX'.includes(type)) digits = `0${type}${digits}`;
    return signed(int < 0n, digits);
  }
  if ('eEfFgG'.includes(type)) {
    if (value instanceof Undefined) throw value.error();
    if (!isNumeric(value)) throw typeError(`must be real number, not ${typeName(value)}`);
    const float = toFloat(value);
    return signed(float < 0 || Object.is(float, -0), floatDigits(run, float, type, places ?? 6, flags.includes('#')));
  }
  throw valueError(`unsupported format character '${type}' (0x${type.codePointAt(0)!.toString(16)})`);
}
/** `int(x)` of a float. */
export function truncated(x: number): bigint {
  if (Number.isNaN(x)) throw valueError('cannot convert float NaN to integer');
  if (!Number.isFinite(x)) throw new PythonError('OverflowError', 'cannot convert float infinity to integer');
  return BigInt(Math.trunc(x));
}

/** Text with escapes in place of all that is not ASCII (`backslashreplace`). */
export const asciiText = (text: string): string =>
  text.replace(/[\u0080-\u{10ffff}]/gu, one => {
    const code = one.codePointAt(0)!;
    const hex = code.toString(16);
    return code < 0x100 ? `\\x${hex}` : code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  });
export const asciiRepr = (run: Run, value: Value): string => asciiText(repr(run, value));
