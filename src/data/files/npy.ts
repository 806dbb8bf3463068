// NumPy's .npy files: one array each. The format, versions 1.0 to 3.0:
//
//   \x93NUMPY  major minor  length of the header (2 bytes; 4 from version 2)
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   padded with spaces, ending in a new line
//   the elements
//
// NumPy has no bf16, no 8-bit floats and no 4-bit integers: ml_dtypes writes them as raw bytes ('<V2', '<V1'), so that
// the caller has to pass the type to read them as. Object arrays, records and strings are not supported.
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { readBytes } from '../../base/read-file.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import {
  type ElementType,
  elementBytes,
  elementCount,
  stridesOf,
  type TensorType,
  tensorType,
} from '../../hlo/types.ts';

/**
 * The array of a .npy file. `expected` is the type of raw elements.
 * @throws {FILE_UNREADABLE}
 * @throws {NPY_INVALID}
 */
export async function readNpy(file: string, expected?: TensorType): Promise<Literal> {
  return decodeNpy(await readBytes(file), file, expected?.elementType);
}

/**
 * @throws {DISK_FULL}
 * @throws {WRITE_FAILED}
 */
export async function writeNpy(file: string, value: Literal): Promise<void> {
  await writeFileAtomically(file, encodeNpy(value));
}

const descriptors: { readonly [T in ElementType]?: string } = {
  i1: '|b1',
  i8: '|i1',
  i16: '<i2',
  i32: '<i4',
  i64: '<i8',
  ui8: '|u1',
  ui16: '<u2',
  ui32: '<u4',
  ui64: '<u8',
  f16: '<f2',
  f32: '<f4',
  tf32: '<f4',
  f64: '<f8',
  'complex<f32>': '<c8',
  'complex<f64>': '<c16',
};
const elementTypeOf = new Map(
  Object.entries(descriptors)
    .filter(([type]) => type !== 'tf32')
    .map(([type, descriptor]) => [descriptor.slice(1), type as ElementType]),
);
const isRaw = (type: ElementType): boolean => descriptors[type] === undefined;

/** `expected`: the type of raw elements. @throws {NPY_INVALID} */
export function decodeNpy(bytes: Uint8Array, file: string, expected?: ElementType): Literal {
  const refuse = (reason: string): never => {
    throw new TrenioError('NPY_INVALID', { file, reason });
  };
  const { descriptor, fortranOrder, shape, start } = headerOf(bytes, refuse);
  const order = /^[<>|=]/.test(descriptor) ? descriptor[0]! : '=';
  const code = descriptor.replace(/^[<>|=]/, '');
  const elementType = code === '?' ? 'i1' : (elementTypeOf.get(code) ?? rawType(code, expected, refuse));
  const type = tensorType(elementType, shape);
  const size = elementCount(shape) * elementBytes(elementType);
  if (!Number.isSafeInteger(size) || bytes.length - start < size)
    refuse(`it holds ${bytes.length - start} bytes of elements, but its header requires ${size}`);
  // A copy, for alignment. Not slice(): Buffer.slice() does not copy.
  const data = new Uint8Array(bytes.subarray(start, start + size));
  if (order === '>') swapBytes(data, elementBytes(elementType) / (elementType.startsWith('complex') ? 2 : 1));
  if (elementType === 'i1') for (let i = 0; i < data.length; i++) data[i] = data[i] === 0 ? 0 : 1;
  return literalOfBytes(type, fortranOrder ? rowMajor(data, type) : data);
}

/** Reads the parts of a file, in order. */
export function encodeNpy(value: Literal): readonly Uint8Array[] {
  const { elementType, shape } = value.type;
  const descriptor = descriptors[elementType] ?? `<V${elementBytes(elementType)}`;
  const dims = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${descriptor}', 'fortran_order': False, 'shape': (${dims}), }`;
  // The elements start at a multiple of 64.
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const header = new Uint8Array(10 + length).fill(0x20);
  header.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, length & 255, length >> 8]);
  header.set(new TextEncoder().encode(text), 10);
  header[header.length - 1] = 0x0a;
  return [header, bytesOf(value)];
}

/** NumPy's own limit. */
const maxDims = 64;
type Refuse = (reason: string) => never;
interface Header {
  readonly descriptor: string;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  readonly start: number;
}

function headerOf(bytes: Uint8Array, refuse: Refuse): Header {
  const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
  if (bytes.length < 10 || !magic.every((byte, i) => bytes[i] === byte))
    refuse('it does not start as a .npy file does');
  const major = bytes[6]!;
  if (major < 1 || major > 3) refuse(`its format version is ${major}.${bytes[7]}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = major === 1 ? 10 : 12;
  const length = major === 1 ? view.getUint16(8, true) : bytes.length < 12 ? Infinity : view.getUint32(8, true);
  const start = at + length;
  if (start > bytes.length) refuse('it ends within its header');
  const text = new TextDecoder().decode(bytes.subarray(at, start));
  const descriptor = /'descr'\s*:\s*['"]([^'"]*)['"]/.exec(text)?.[1];
  if (descriptor === undefined) return refuse(`its elements are not plain numbers: ${text.trim().slice(0, 80)}`);
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const dims = /'shape'\s*:\s*\(([^)]*)\)/.exec(text)?.[1];
  if (order === undefined || dims === undefined || !/^[\d,\sL]*$/.test(dims))
    return refuse(`its header is not understood: ${text.trim().slice(0, 80)}`);
  const shape = (dims.match(/\d+/g) ?? []).map(Number);
  if (shape.length > maxDims) return refuse(`it has ${shape.length} dims, more than ${maxDims}`);
  return { descriptor, fortranOrder: order === 'True', shape, start };
}

function rawType(code: string, expected: ElementType | undefined, refuse: Refuse): ElementType {
  const width = /^V(\d+)$/.exec(code)?.[1];
  const names = new Map<string, ElementType>([['bfloat16', 'bf16']]);
  const named = names.get(code);
  if (named !== undefined) return named;
  if (width === undefined) return refuse(`elements of type '${code}' are not supported`);
  if (expected === undefined) return refuse(`its elements are raw (${width} bytes each) and have no known type`);
  if (!isRaw(expected) || elementBytes(expected) !== Number(width))
    return refuse(`its elements are raw (${width} bytes each), ${expected} was expected`);
  return expected;
}

function swapBytes(data: Uint8Array, width: number): void {
  for (let i = 0; i < data.length; i += width) data.subarray(i, i + width).reverse();
}

/** Reorders elements from Fortran order (the first index varies fastest) to C order. */
function rowMajor(data: Uint8Array, { elementType, shape }: TensorType): Uint8Array {
  const width = elementBytes(elementType);
  const out = new Uint8Array(data.length);
  const strides = stridesOf(shape.toReversed()).toReversed();
  const index = shape.map(() => 0);
  for (let at = 0, from = 0; at < out.length; at += width) {
    out.set(data.subarray(from * width, (from + 1) * width), at);
    for (let d = shape.length - 1; d >= 0; d--) {
      from += strides[d]!;
      if (++index[d]! < shape[d]!) break;
      from -= strides[d]! * shape[d]!;
      index[d] = 0;
    }
  }
  return out;
}
