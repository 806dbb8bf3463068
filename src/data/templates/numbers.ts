// Python's numbers as text and back: repr of floats, rounding of exact decimal values (half to even), int() and float();
// arithmetic.
import { PythonError, type Run, typeError, valueError } from './run.ts';
import { isText, Markup, Thing, Tuple, textOf, typeName, Undefined, type Value } from './values.ts';

/** Ints are limited to this many bits, and to Python's 4,300 digits as text. */
const maxIntBits = 1 << 16;
const maxDigits = 4300;

export function intText(value: bigint): string {
  if (value > -(10n ** 4000n) && value < 10n ** 4000n) return String(value);
  const text = String(value);
  if (text.length - (value < 0n ? 1 : 0) > maxDigits)
    throw valueError(`Exceeds the limit (${maxDigits} digits) for integer string conversion`);
  return text;
}

/** `repr(x)` of a float: the shortest digits that give the same number. */
export function floatText(x: number): string {
  if (Number.isNaN(x)) return 'nan';
  if (!Number.isFinite(x)) return x > 0 ? 'inf' : '-inf';
  if (x === 0) return Object.is(x, -0) ? '-0.0' : '0.0';
  const [mantissa, exponentText] = x.toExponential().split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16)
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  const sign = x < 0 ? '-' : '';
  const digits = mantissa.replace('-', '').replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

const view = new DataView(new ArrayBuffer(8));
/** |x| as a fraction of integers. */
function fractionOf(x: number): readonly [bigint, bigint] {
  view.setFloat64(0, Math.abs(x));
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const mantissa = (bits & ((1n << 52n) - 1n)) + (exponent === 0 ? 0n : 1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  return power >= 0 ? [mantissa << BigInt(power), 1n] : [mantissa, 1n << BigInt(-power)];
}
/** `numerator / denominator`, rounded half to even. */
function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  return twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
/** |x| · 10^places, rounded. */
function scaled(x: number, places: number): bigint {
  const [numerator, denominator] = fractionOf(x);
  const power = 10n ** BigInt(Math.abs(places));
  return places >= 0
    ? roundedQuotient(numerator * power, denominator)
    : roundedQuotient(numerator, denominator * power);
}
/** Doubles have no more decimal places than this. */
const mostPlaces = 1100;

/** |x| with this many decimals. */
export function fixedText(x: number, places: number): string {
  const exact = Math.min(places, mostPlaces);
  const digits = String(scaled(x, exact)).padStart(exact + 1, '0');
  const whole = digits.slice(0, digits.length - exact);
  return places === 0 ? whole : `${whole}.${digits.slice(digits.length - exact).padEnd(places, '0')}`;
}
/** The digits of |x| with `places` after the first, and the exponent. */
function significant(x: number, places: number): readonly [string, number] {
  if (x === 0) return ['0'.repeat(places + 1), 0];
  const exact = Math.min(places, mostPlaces);
  let exponent = Number(x.toExponential().split('e')[1]);
  for (;;) {
    const digits = String(scaled(x, exact - exponent));
    if (digits.length === exact + 1) return [digits.padEnd(places + 1, '0'), exponent];
    exponent += digits.length > exact + 1 ? 1 : -1;
  }
}
export function exponentText(x: number, places: number): string {
  const [digits, exponent] = significant(x, places);
  const mantissa = places === 0 ? digits : `${digits[0]}.${digits.slice(1)}`;
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
/** As C's %g. `forRepr`: with `.0`, as floats are formatted without a type. */
export function generalText(x: number, precision: number, keepZeros: boolean, forRepr = false): string {
  const digits = Math.max(precision, 1);
  const [, exponent] = significant(x, digits - 1);
  const strip = (text: string): string =>
    keepZeros || !text.includes('.') ? text : text.replace(/0+$/, '').replace(/\.$/, '');
  if (exponent < -4 || exponent >= digits - (forRepr ? 1 : 0)) {
    const [mantissa, power] = exponentText(x, digits - 1).split('e') as [string, string];
    return `${strip(mantissa)}e${power}`;
  }
  const text = strip(fixedText(x, digits - 1 - exponent));
  return forRepr && !text.includes('.') ? `${text}.0` : text;
}

/** `round(value, places)`. */
export function roundNumber(value: bigint | number, places: number): bigint | number {
  if (typeof value === 'bigint') {
    if (places >= 0) return value;
    if (places < -maxDigits) return 0n;
    const unit = 10n ** BigInt(-places);
    const rounded = roundedQuotient(value < 0n ? -value : value, unit) * unit;
    return value < 0n ? -rounded : rounded;
  }
  if (!Number.isFinite(value) || places > 323) return value;
  if (places < -400) return 0 * value;
  const size = scaled(value, places);
  const rounded = places >= 0 ? Number(`${size}e${-places}`) : Number(size * 10n ** BigInt(-places));
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

const digitsOf: Readonly<Record<number, RegExp>> = { 2: /^[01]+$/, 8: /^[0-7]+$/, 10: /^\d+$/, 16: /^[\da-f]+$/i };
const prefixes: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 16: '0x' };
/** Decimal digits of all scripts as ASCII. */
const asciiDigits = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no conversion
  /^[\x00-\x7f]*$/.test(text)
    ? text
    : text.replace(/\p{Nd}/gu, digit => {
        let zero = digit.codePointAt(0)!;
        while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && digit.codePointAt(0)! - zero < 9) zero--;
        return String(digit.codePointAt(0)! - zero);
      });
const withoutUnderscores = (digits: string): string | undefined =>
  /^_|__|_$/.test(digits) ? undefined : digits.replaceAll('_', '');

/** `int(text, base)`. */
export function parseInt10(run: Run, text: string, base: bigint = 10n): bigint {
  run.read(text.length);
  const fail = (): PythonError => valueError(`invalid literal for int() with base ${base}: '${text}'`);
  if (base !== 0n && (base < 2n || base > 36n)) throw valueError('int() base must be >= 2 and <= 36, or 0');
  const match = /^([+-]?)(\w+)$/.exec(asciiDigits(text.trim()).toLowerCase());
  if (match === null) throw fail();
  let digits = match[2]!;
  let radix = Number(base);
  for (const one of [2, 8, 16])
    if ((base === 0n || radix === one) && digits.startsWith(prefixes[one]!)) {
      [radix, digits] = [one, digits.slice(2).replace(/^_/, '')];
      break;
    }
  if (radix === 0) {
    radix = 10;
    if (/^0[0_]*[1-9]/.test(digits)) throw fail();
  }
  const plain = withoutUnderscores(digits);
  if (plain === undefined || plain === '') throw fail();
  if (plain.length > maxDigits)
    throw valueError(`Exceeds the limit (${maxDigits} digits) for integer string conversion`);
  let value = 0n;
  if (digitsOf[radix]?.test(plain)) value = BigInt((prefixes[radix] ?? '') + plain);
  else
    for (const digit of plain) {
      const one = Number.parseInt(digit, 36);
      if (!(one < radix)) throw fail();
      value = value * BigInt(radix) + BigInt(one);
    }
  return match[1] === '-' ? -value : value;
}
/** `float(text)`. */
export function parseFloatText(run: Run, text: string): number {
  run.read(text.length);
  const plain = asciiDigits(text.trim());
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(plain);
  if (word !== null) {
    if (word[2]!.toLowerCase() === 'nan') return Number.NaN;
    return word[1] === '-' ? -Infinity : Infinity;
  }
  const number = /^[+-]?(?:\d[\d_]*\.?(?:\d[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?$/i;
  if (!number.test(plain) || /__|_(?!\d)|(?<!\d)_/.test(plain))
    throw valueError(`could not convert string to float: '${text}'`);
  return Number(plain.replaceAll('_', ''));
}

export const toFloat = (value: boolean | bigint | number): number => {
  const float = Number(value);
  if (typeof value === 'bigint' && !Number.isFinite(float))
    throw new PythonError('OverflowError', 'int too large to convert to float');
  return float;
};
export const isNumeric = (value: Value): value is boolean | bigint | number =>
  typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number';
export const isInt = (value: Value): value is boolean | bigint =>
  typeof value === 'boolean' || typeof value === 'bigint';

/** An int that indexes or counts, as a JavaScript number. */
export function countOf(value: Value): number {
  if (value instanceof Undefined) throw value.error();
  if (!isInt(value)) throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
  const count = Number(value);
  if (!Number.isSafeInteger(count))
    throw new PythonError('OverflowError', 'Python int too large to convert to C ssize_t');
  return count;
}

const intDivide = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};
function floatModulo(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}
const divisionByZero = (what: string): PythonError => new PythonError('ZeroDivisionError', what);
const bits = (value: bigint): number =>
  value < 0x10000000000000n && value > -0x10000000000000n ? 53 : value.toString(16).length * 4;

export type Arithmetic = '+' | '-' | '*' | '/' | '//' | '%' | '**';
/** Arithmetic on two numbers. */
export function arithmetic(
  run: Run,
  operator: Arithmetic,
  left: boolean | bigint | number,
  right: boolean | bigint | number,
): bigint | number {
  if (isInt(left) && isInt(right) && operator !== '/' && !(operator === '**' && BigInt(right) < 0n)) {
    const [a, b] = [BigInt(left), BigInt(right)];
    switch (operator) {
      case '+':
        return limited(run, a + b);
      case '-':
        return limited(run, a - b);
      case '*':
        return limited(run, a * b);
      case '//':
        if (b === 0n) throw divisionByZero('integer division or modulo by zero');
        return intDivide(a, b);
      case '%':
        if (b === 0n) throw divisionByZero('integer modulo by zero');
        return a - intDivide(a, b) * b;
      case '**':
        if (
          a !== 0n &&
          a !== 1n &&
          a !== -1n &&
          b * BigInt(bits(a) === 53 ? a.toString(2).length : bits(a)) > BigInt(maxIntBits)
        )
          throw tooLarge();
        return limited(run, a ** b);
    }
  }
  if (operator === '/' && isInt(left) && isInt(right)) {
    if (BigInt(right) === 0n) throw divisionByZero('division by zero');
    return intQuotient(BigInt(left), BigInt(right));
  }
  const [a, b] = [toFloat(left), toFloat(right)];
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      if (b === 0) throw divisionByZero('float division by zero');
      return a / b;
    case '//': {
      if (b === 0) throw divisionByZero('float floor division by zero');
      const quotient = (a - floatModulo(a, b)) / b;
      const floor = Math.floor(quotient);
      return quotient === 0 ? 0 * (a / b) : quotient - floor > 0.5 ? floor + 1 : floor;
    }
    case '%':
      if (b === 0) throw divisionByZero('float modulo');
      if (!Number.isFinite(b) && Number.isFinite(a)) return a !== 0 && a < 0 !== b < 0 ? b : a;
      return floatModulo(a, b);
    case '**': {
      if (a === 0 && b < 0) throw divisionByZero('0.0 cannot be raised to a negative power');
      if (a === 1 || (a === -1 && !Number.isFinite(b))) return 1;
      const power = a ** b;
      if (Number.isNaN(power) && a < 0 && Number.isFinite(a)) throw typeError('complex numbers are not supported');
      if (!Number.isFinite(power) && Number.isFinite(a) && Number.isFinite(b))
        throw new PythonError('OverflowError', "(34, 'Numerical result out of range')");
      return power;
    }
  }
}
/** The correctly rounded quotient of ints. */
function intQuotient(a: bigint, b: bigint): number {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isSafeInteger(x) && Number.isSafeInteger(y)) return x / y;
  const [n, d] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const shift = 66 - (bitLength(n) - bitLength(d));
  // 66 bits of quotient and a sticky bit round correctly.
  const [high, low] = shift >= 0 ? [n << BigInt(shift), d] : [n, d << BigInt(-shift)];
  const quotient = (high / low) | (high % low === 0n ? 0n : 1n);
  const result = Number(quotient) * 2 ** -shift;
  if (!Number.isFinite(result)) throw new PythonError('OverflowError', 'integer division result too large for a float');
  return a < 0n !== b < 0n ? -result : result;
}
const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

const tooLarge = (): PythonError => new PythonError('LimitExceeded', `an int has more than ${maxIntBits} bits`);
function limited(run: Run, value: bigint): bigint {
  if (bits(value) > 53) {
    if (bits(value) > maxIntBits) throw tooLarge();
    run.read(bits(value));
  }
  return value;
}

/** The text and list operators of `+`, `*`; numbers otherwise. `%` of a text is in format.ts. */
export function operate(run: Run, operator: Arithmetic, left: Value, right: Value): Value {
  if (isNumeric(left) && isNumeric(right)) return arithmetic(run, operator, left, right);
  for (const side of [left, right]) if (side instanceof Undefined) throw side.error();
  if (operator === '+') {
    if (left instanceof Markup && isText(right)) return new Markup(joined(run, left.text, escapedText(run, right)));
    if (right instanceof Markup && isText(left)) return new Markup(joined(run, escapedText(run, left), right.text));
    if (typeof left === 'string' && typeof right === 'string') return joined(run, left, right);
    if (Array.isArray(left) && Array.isArray(right)) {
      run.allocate(8 * (left.length + right.length));
      return [...left, ...right];
    }
    if (left instanceof Tuple && right instanceof Tuple) {
      run.allocate(8 * (left.items.length + right.items.length));
      return new Tuple([...left.items, ...right.items]);
    }
  }
  if (operator === '*') {
    const [sequence, times] = isInt(right) ? [left, right] : [right, left];
    if (isInt(times) && isSequence(sequence)) return repeated(run, sequence, Math.max(0, countOf(times)));
  }
  throw typeError(`unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`);
}
const isSequence = (value: Value): value is string | Markup | Value[] | Tuple =>
  isText(value) || Array.isArray(value) || value instanceof Tuple;
function repeated(run: Run, value: string | Markup | Value[] | Tuple, times: number): Value {
  if (isText(value)) {
    const text = textOf(value);
    run.allocate(text.length * times);
    return value instanceof Markup ? new Markup(text.repeat(times)) : text.repeat(times);
  }
  const items = Array.isArray(value) ? value : value.items;
  run.allocate(8 * items.length * times);
  const result: Value[] = [];
  if (items.length > 0) for (let i = 0; i < times; i++) for (const item of items) result.push(item);
  return Array.isArray(value) ? result : new Tuple(result);
}
/** Two texts joined: JavaScript shares the longer one. */
export function joined(run: Run, left: string, right: string): string {
  run.allocate(1 + Math.min(left.length, right.length));
  if (left.length + right.length > 1 << 28) run.allocate(Infinity);
  return left + right;
}
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};
/** `markupsafe.escape`, as text. */
export function escapedText(run: Run, value: string | Markup): string {
  if (value instanceof Markup) return value.text;
  run.allocate(value.length * 5);
  return value.replace(/[&<>'"]/g, character => escapes[character]!);
}

export function negative(value: Value, sign: '-' | '+'): Value {
  if (value instanceof Undefined) throw value.error();
  if (!isNumeric(value))
    throw typeError(`bad operand type for unary ${sign}: '${value instanceof Thing ? value.type : typeName(value)}'`);
  const number = typeof value === 'boolean' ? BigInt(value) : value;
  return sign === '-' ? -number : number;
}
