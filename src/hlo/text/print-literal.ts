// Elements as MLIR writes them in `dense<…>`: a splat, nested lists, or the raw bytes in hexadecimal if there are many.
import { bytesOf, type Literal, numberAt } from '../literal.ts';
import { type ElementType, elementCount, numberKind } from '../types.ts';

/** Above this many elements, the bytes are printed instead of the numbers. */
const longestList = 64;

/** `dense<…>` without the type. Reading it back gives the same bits. */
export function formatLiteral(value: Literal): string {
  const { shape, elementType } = value.type;
  const count = elementCount(shape);
  if (count === 0) return 'dense<>';
  if (isSplat(value, count)) return `dense<${formatElement(value, 0)}>`;
  if (count > longestList && hexBytes(elementType))
    return `dense<"0x${Buffer.from(bytesOf(value)).toString('hex').toUpperCase()}">`;
  const nested = (dim: number, start: number, size: number): string => {
    if (dim === shape.length) return formatElement(value, start);
    const step = size / shape[dim]!;
    return `[${Array.from({ length: shape[dim]! }, (_, i) => nested(dim + 1, start + i * step, step)).join(', ')}]`;
  };
  return `dense<${nested(0, 0, count)}>`;
}

/** tf32 has no byte form in MLIR; types smaller than a byte take a byte each there, as here. */
const hexBytes = (type: ElementType): boolean => type !== 'tf32';

function isSplat(value: Literal, count: number): boolean {
  const bytes = bytesOf(value);
  const size = bytes.length / count;
  for (let i = size; i < bytes.length; i++) if (bytes[i] !== bytes[i - size]) return false;
  return true;
}

function formatElement(value: Literal, i: number): string {
  const { elementType } = value.type;
  switch (numberKind(elementType)) {
    case 'boolean':
      return value.data[i] ? 'true' : 'false';
    case 'complex': {
      const part = elementType === 'complex<f32>' ? 'f32' : 'f64';
      return `(${formatPart(value, 2 * i, part)}, ${formatPart(value, 2 * i + 1, part)})`;
    }
    case 'float':
      // Formats of at most eight bits are printed as bit patterns.
      return /^f[468](?!4)/.test(elementType)
        ? `0x${(value.data[i] as number).toString(16).toUpperCase().padStart(2, '0')}`
        : formatPart(value, i, elementType);
    default:
      return String(value.data[i]);
  }
}

/** One entry of the data, as a number of type `type`. NaN keeps its bits. */
function formatPart({ data, type }: Literal, i: number, part: ElementType): string {
  if (part === 'bf16' || !Number.isNaN(data[i])) {
    const value = numberAt({ data, type }, i);
    return part === 'bf16' && Number.isNaN(value) ? hexOf(data[i] as number, 4) : formatFloat(value, part);
  }
  const at = data.byteOffset + i * data.BYTES_PER_ELEMENT;
  if (part === 'f64') return hexOf(new DataView(data.buffer).getBigUint64(at, true), 16);
  return part === 'f16'
    ? hexOf(new DataView(data.buffer).getUint16(at, true), 4)
    : hexOf(new DataView(data.buffer).getUint32(at, true) >>> (part === 'tf32' ? 13 : 0), part === 'tf32' ? 5 : 8);
}
const hexOf = (bits: number | bigint, width: number): string =>
  `0x${bits.toString(16).toUpperCase().padStart(width, '0')}`;

const scratch = new DataView(new ArrayBuffer(8));

/** A decimal that reads back as the same number; hexadecimal bits if there is none. */
export function formatFloat(value: number, type: ElementType): string {
  if (!Number.isFinite(value)) return bitsOf(value, type);
  if (Object.is(value, -0)) return '-0.0';
  const digits = type === 'f64' ? 17 : type === 'f32' || type === 'tf32' ? 9 : 5;
  // The shortest decimal that identifies the number within its type; every one is read as f64 and then rounded.
  let text = String(value);
  if (type !== 'f64') {
    for (let precision = 1; precision <= digits; precision++) {
      const short = Number(value.toPrecision(precision));
      if (roundTo(short, type) === value) {
        text = String(short);
        break;
      }
    }
  }
  const [mantissa, exponent] = text.split('e') as [string, string | undefined];
  const pointed = mantissa.includes('.') ? mantissa : `${mantissa}.0`;
  return exponent === undefined ? pointed : `${pointed}e${exponent}`;
}

function roundTo(value: number, type: ElementType): number {
  // bf16 values are printed as exact decimals: f32 precision is enough to distinguish them.
  return type === 'f16' ? Math.f16round(value) : Math.fround(value);
}

function bitsOf(value: number, type: ElementType): string {
  switch (type) {
    case 'f64':
      scratch.setFloat64(0, value);
      return hexOf(scratch.getBigUint64(0), 16);
    case 'f16':
      scratch.setFloat16(0, value);
      return hexOf(scratch.getUint16(0), 4);
    default:
      scratch.setFloat32(0, value);
      if (type === 'tf32') return hexOf(scratch.getUint32(0) >>> 13, 5);
      return type === 'bf16' ? hexOf(scratch.getUint32(0) >>> 16, 4) : hexOf(scratch.getUint32(0), 8);
  }
}
