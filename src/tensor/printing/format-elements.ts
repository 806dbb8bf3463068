// The elements of a tensor as PyTorch prints them: equal widths, scientific notation if the range requires it, summaries
// of large tensors. After PyTorch's `_tensor_str.py`; golden strings of it are in `test/golden/printing.json`.
//
//   large tensor, 7 × 1000        summary, 6 × 6                printed
//   ┌───┬───────────────┬───┐     ┌───┬───┐      [[0., 1., 2.,  ..., 997., 998., 999.],
//   │ a │               │ b │     │ a │ b │       …
//   │   │               │   │ ──▶ ├───┼───┤      ...,
//   │ c │               │ d │     │ c │ d │
//   └───┴───────────────┴───┘     └───┴───┘
//
// Only the elements of the summary are ever read. The text around the elements is in `format-tensor.ts`.
import { type Literal, literalOfBytes, numberAt } from '../../hlo/literal.ts';
import {
  elementBytes,
  elementCount,
  isFloat,
  numberKind,
  stridesOf,
  type TensorType,
  tensorType,
} from '../../hlo/types.ts';
import type { PrintOptions } from './print-options.ts';

/** Copies bytes of the elements, from byte `from` on, into `into`. */
export type ReadBytes = (into: Uint8Array<ArrayBuffer>, from: number) => void;

/** The printed part of a tensor: all of its elements, or those at the edges of its dims. */
export interface ShownElements {
  readonly literal: Literal;
  /** For each dim, how many entries there are before the gap; undefined for a dim without. */
  readonly gaps: readonly (number | undefined)[];
}

/** The elements of a tensor that are printed. */
export function shownElements(type: TensorType, read: ReadBytes, options: PrintOptions): ShownElements {
  const { elementType, shape } = type;
  const { edgeitems, threshold } = options;
  const isSummary = elementCount(shape) > threshold;
  const gaps = shape.map(size => (isSummary && size > 2 * edgeitems ? edgeitems : undefined));
  const shown = tensorType(
    elementType,
    shape.map((size, d) => (gaps[d] === undefined ? size : 2 * edgeitems)),
  );
  const bytes = new Uint8Array(elementCount(shown.shape) * elementBytes(elementType));
  if (bytes.length > 0) readShown(shape, gaps, elementBytes(elementType), bytes, read);
  return { literal: literalOfBytes(shown, bytes), gaps };
}

/** Reads contiguous elements at once: whole entries of the last dim that has a gap. */
function readShown(
  shape: readonly number[],
  gaps: readonly (number | undefined)[],
  width: number,
  bytes: Uint8Array<ArrayBuffer>,
  read: ReadBytes,
): void {
  const last = gaps.findLastIndex(gap => gap !== undefined);
  if (last < 0) {
    read(bytes, 0);
    return;
  }
  const strides = stridesOf(shape);
  const edge = gaps[last]!;
  const piece = edge * strides[last]! * width;
  let at = 0;
  const visit = (d: number, from: number): void => {
    if (d === last) {
      for (const first of [0, shape[d]! - edge]) {
        read(bytes.subarray(at, at + piece), (from + first * strides[d]!) * width);
        at += piece;
      }
      return;
    }
    const gap = gaps[d];
    for (let i = 0; i < shape[d]!; i++)
      if (gap === undefined || i < gap || i >= shape[d]! - gap) visit(d + 1, from + i * strides[d]!);
  };
  visit(0, 0);
}

/** The text of elements. `indent`: how far the first bracket is from the left. */
export function formatElements({ literal, gaps }: ShownElements, indent: number, options: PrintOptions): string {
  const { shape, elementType } = literal.type;
  const count = elementCount(shape);
  const isComplex = numberKind(elementType) === 'complex';
  const format = isComplex ? complexFormat(literal, count, options) : plainFormat(literal, count, options);
  const [width, textOf] = format;
  const perLine = Math.max(1, Math.floor((options.linewidth - indent - Math.max(0, shape.length - 1)) / (width + 2)));

  const vector = (at: number, size: number, gap: number | undefined, left: number): string => {
    if (gap === 0) return '[...]';
    const texts: string[] = [];
    for (let i = 0; i < size; i++) {
      if (i === gap) texts.push(' ...');
      texts.push(textOf(at + i));
    }
    const lines: string[] = [];
    for (let i = 0; i < texts.length; i += perLine) lines.push(texts.slice(i, i + perLine).join(', '));
    return `[${lines.join(`,\n${' '.repeat(left + 1)}`)}]`;
  };
  const nested = (d: number, at: number, left: number): string => {
    const size = shape[d]!;
    const gap = gaps[d];
    if (d === shape.length - 1) return vector(at, size, gap, left);
    const step = elementCount(shape.slice(d + 1));
    const parts: string[] = gap === 0 ? ['...'] : [];
    for (let i = 0; i < size; i++) {
      if (i === gap) parts.push('...');
      parts.push(nested(d + 1, at + i * step, left + 1));
    }
    return `[${parts.join(`,${'\n'.repeat(shape.length - d - 1)}${' '.repeat(left + 1)}`)}]`;
  };
  return shape.length === 0 ? textOf(0) : nested(0, 0, indent);
}

/** The width of an element's text, and the text. */
type Format = readonly [width: number, textOf: (index: number) => string];

function plainFormat(literal: Literal, count: number, options: PrintOptions): Format {
  const { data } = literal;
  const { elementType } = literal.type;
  if (isFloat(elementType)) {
    const { width, textOf } = floatFormat(count, i => numberAt(literal, i), options);
    return [width, i => textOf(numberAt(literal, i))];
  }
  const textOf = (i: number): string =>
    elementType === 'i1'
      ? data[i] === 0
        ? 'False'
        : 'True'
      : String(typeof data[i] === 'bigint' ? data[i] : numberAt(literal, i));
  let width = 1;
  for (let i = 0; i < count; i++) width = Math.max(width, textOf(i).length);
  return [width, i => textOf(i).padStart(width)];
}

function complexFormat({ data }: Literal, count: number, options: PrintOptions): Format {
  const real = (i: number): number => Number(data[2 * i]);
  const imaginary = (i: number): number => Number(data[2 * i + 1]);
  const reals = floatFormat(count, real, options);
  const imaginaries = floatFormat(count, imaginary, options);
  return [
    reals.width + imaginaries.width + 1,
    i => {
      const text = `${imaginaries.textOf(imaginary(i))}j`.trimStart();
      return `${reals.textOf(real(i))}${/^[+-]/.test(text) ? '' : '+'}${text}`;
    },
  ];
}

interface FloatFormat {
  readonly width: number;
  readonly textOf: (value: number) => string;
}

/** One format for all of these floats: integers as `3.`, others with a fixed precision or in scientific notation. */
function floatFormat(count: number, valueAt: (i: number) => number, options: PrintOptions): FloatFormat {
  const { precision, sciMode } = options;
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  let isWhole = true;
  const each = (visit: (value: number) => void): void => {
    for (let i = 0; i < count; i++) {
      const value = valueAt(i);
      if (Number.isFinite(value) && value !== 0) visit(value);
    }
  };
  each(value => {
    min = Math.min(min, Math.abs(value));
    max = Math.max(max, Math.abs(value));
    isWhole &&= Number.isInteger(value);
  });
  const isScientific = max > 0 && (sciMode ?? (max / min > 1000 || max > 1e8 || min < 1e-4));
  const textOf = (value: number): string => {
    if (Number.isNaN(value)) return 'nan';
    if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
    if (isScientific) return exponential(value, precision);
    return isWhole ? `${fixed(value, 0)}.` : fixed(value, precision);
  };
  let width = 1;
  each(value => {
    width = Math.max(width, textOf(value).length);
  });
  return { width, textOf: value => textOf(value).padStart(width) };
}

const signOf = (value: number): string => (value < 0 || Object.is(value, -0) ? '-' : '');

/** Python's `f'{value:.{digits}f}'`. */
export function fixed(value: number, digits: number): string {
  const size = Math.abs(value);
  if (size >= 1e21) return `${signOf(value)}${BigInt(size)}${digits === 0 ? '' : `.${'0'.repeat(digits)}`}`;
  return signOf(value) + halfToEven(size.toFixed(digits), size.toFixed(digits + moreDigits), digits);
}

/** Python's `f'{value:.{digits}e}'`. */
export function exponential(value: number, digits: number): string {
  const size = Math.abs(value);
  const rounded = halfToEven(size.toExponential(digits), size.toExponential(digits + moreDigits), digits);
  const [mantissa, exponent] = rounded.split('e') as [string, string];
  return `${signOf(value)}${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

/** Enough digits to distinguish a half from its neighbors in f64. */
const moreDigits = 60;

/** JavaScript rounds a half up, Python to the even digit. `exact` is the same number with more digits. */
function halfToEven(rounded: string, exact: string, digits: number): string {
  const [mantissa, exponent] = exact.split('e') as [string, string | undefined];
  const end = mantissa.indexOf('.') + (digits === 0 ? 0 : 1 + digits);
  const kept = mantissa.slice(0, end);
  const isHalf = /^\.?50*$/.test(mantissa.slice(end));
  if (!isHalf || Number(kept.at(-1)) % 2 !== 0) return rounded;
  return exponent === undefined ? kept : `${kept}e${exponent}`;
}
