// Types of the program language, with the names of the StableHLO specification (section "Types").

/** All element types. */
export const elementTypes = [
  'i1',
  'i2',
  'i4',
  'i8',
  'i16',
  'i32',
  'i64',
  'ui2',
  'ui4',
  'ui8',
  'ui16',
  'ui32',
  'ui64',
  'f4E2M1FN',
  'f6E2M3FN',
  'f6E3M2FN',
  'f8E3M4',
  'f8E4M3',
  'f8E4M3B11FNUZ',
  'f8E4M3FN',
  'f8E4M3FNUZ',
  'f8E5M2',
  'f8E5M2FNUZ',
  'f8E8M0FNU',
  'bf16',
  'f16',
  'tf32',
  'f32',
  'f64',
  'complex<f32>',
  'complex<f64>',
] as const;
/** Element types, with StableHLO's names. */
export type ElementType = (typeof elementTypes)[number];

/** A dimension whose size is known only at run time. Printed `?`. */
export const dynamicDim = -1;

/** The type of a tensor: its shape and element type. */
export interface TensorType {
  /** Discriminates the members of the union. */
  readonly kind: 'tensor';
  /** Sizes, outermost first; `dynamicDim` where unknown. */
  readonly shape: readonly number[];
  /** For quantized tensors, the storage type. */
  readonly elementType: ElementType;
  /** Quantization parameters, if the element type is `!quant.uniform<…>`. */
  readonly quantization?: Quantization;
  /** Upper bounds of unknown sizes (`#stablehlo.bounds<?, 8>`), one per dim; undefined without a bound. */
  readonly bounds?: Bounds;
  /** Any other encoding, as MLIR text. */
  readonly encoding?: string;
}
/** The upper bound of each dim. */
export type Bounds = readonly (number | undefined)[];
/**
 * real value = scale · (stored − zeroPoint); per tensor, or one pair for each index of a dim. Specification: "Types",
 * quantized.
 */
export interface Quantization {
  /** The type of the dequantized numbers. */
  readonly expressedType: ElementType;
  /** Smallest and largest stored value, if narrower than the storage type. */
  readonly storageMin?: number;
  /** The largest stored number. */
  readonly storageMax?: number;
  /** The dim that scales and zero points belong to; undefined for one pair for the whole tensor. */
  readonly axis?: number;
  /** The factor for each channel, or one for all. */
  readonly scales: readonly number[];
  /** The stored number that represents zero, per channel, or one for all. */
  readonly zeroPoints: readonly number[];
}
/** The type of a token, which orders side effects. */
export interface TokenType {
  /** Discriminates the members of the union. */
  readonly kind: 'token';
}
/** The type of a tuple. */
export interface TupleType {
  /** Discriminates the members of the union. */
  readonly kind: 'tuple';
  /** The elements. */
  readonly elements: readonly Type[];
}
/** The result of an asynchronous op, until `async_done` waits for it. */
export interface FutureType {
  /** Discriminates the members of the union. */
  readonly kind: 'future';
  /** The elements. */
  readonly elements: readonly Type[];
}
/** The type of a value. */
export type Type = TensorType | TokenType | TupleType | FutureType;

/**
 * A tensor type; without a shape, that of a scalar.
 * @example
 * hlo.formatType(hlo.tensorType('bf16', [2, 3])) // 'tensor<2x3xbf16>'
 */
export function tensorType(elementType: ElementType, shape: readonly number[] = []): TensorType {
  return { kind: 'tensor', shape, elementType };
}
/** The type of tokens. */
export const tokenType: TokenType = { kind: 'token' };

/** The kinds of numbers. */
export type NumberKind = 'boolean' | 'signed' | 'unsigned' | 'float' | 'complex';
/**
 * The kind of numbers of an element type.
 * @example
 * hlo.numberKind('bf16') // 'float'
 */
export function numberKind(type: ElementType): NumberKind {
  if (type === 'i1') return 'boolean';
  if (type.startsWith('ui')) return 'unsigned';
  if (type.startsWith('i')) return 'signed';
  return type.startsWith('complex') ? 'complex' : 'float';
}
/**
 * Whether elements are real floating-point numbers.
 * @example
 * hlo.isFloat('bf16') // true
 */
export const isFloat = (type: ElementType): boolean => numberKind(type) === 'float';
/**
 * True for real and complex numbers: those that can have gradients.
 * @example
 * hlo.isContinuous('i32') // false
 */
export const isContinuous = (type: ElementType): boolean => isFloat(type) || numberKind(type) === 'complex';
/**
 * Whether elements are integers, signed or unsigned; i1 is not an integer.
 * @example
 * hlo.isInteger('i32') // true
 */
export const isInteger = (type: ElementType): boolean =>
  numberKind(type) === 'signed' || numberKind(type) === 'unsigned';

/**
 * The size of an element in memory, in bytes. Types smaller than a byte and i1 take one byte; tf32 is stored as f32.
 * @example
 * hlo.elementBytes('bf16') // 2
 */
export function elementBytes(type: ElementType): number {
  switch (type) {
    case 'i16':
    case 'ui16':
    case 'bf16':
    case 'f16':
      return 2;
    case 'i32':
    case 'ui32':
    case 'f32':
    case 'tf32':
      return 4;
    case 'i64':
    case 'ui64':
    case 'f64':
    case 'complex<f32>':
      return 8;
    case 'complex<f64>':
      return 16;
    default:
      return 1;
  }
}

/** The maximum number of dims, as in NumPy. */
export const maxRank = 64;

/**
 * The number of elements of a shape; 1 for a scalar.
 * @example
 * hlo.elementCount([2, 3]) // 6
 */
export function elementCount(shape: readonly number[]): number {
  let count = 1;
  for (const dim of shape) count *= dim;
  return count;
}
/**
 * The size of a tensor of this type, in bytes.
 * @example
 * hlo.byteSize(hlo.tensorType('bf16', [2, 3])) // 12
 */
export const byteSize = (type: TensorType): number => elementCount(type.shape) * elementBytes(type.elementType);

/**
 * Row-major strides, in elements.
 * @example
 * hlo.stridesOf([2, 3, 4]) // [12, 4, 1]
 */
export function stridesOf(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  for (let i = shape.length - 1, step = 1; i >= 0; i--) {
    strides[i] = step;
    step *= shape[i]!;
  }
  return strides;
}

/**
 * Whether two shapes are equal.
 * @example
 * hlo.sameShape([2, 3], [2, 3]) // true
 */
export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
/**
 * Whether two quantizations are equal.
 * @example
 * hlo.sameQuantization(undefined, undefined) // true
 */
export function sameQuantization(a: Quantization | undefined, b: Quantization | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return (
    a.expressedType === b.expressedType &&
    a.storageMin === b.storageMin &&
    a.storageMax === b.storageMax &&
    a.axis === b.axis &&
    sameShape(a.scales, b.scales) &&
    sameShape(a.zeroPoints, b.zeroPoints)
  );
}
const sameBounds = (a: TensorType['bounds'], b: TensorType['bounds']): boolean =>
  a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((bound, i) => bound === b[i]));

/**
 * Whether two types are equal.
 * @example
 * hlo.sameType(hlo.tensorType('f32', [2]), hlo.tensorType('f32', [3])) // false
 */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind === 'tensor') {
    return (
      b.kind === 'tensor' &&
      a.elementType === b.elementType &&
      sameShape(a.shape, b.shape) &&
      sameQuantization(a.quantization, b.quantization) &&
      sameBounds(a.bounds, b.bounds) &&
      a.encoding === b.encoding
    );
  }
  if (a.kind === 'token') return b.kind === 'token';
  return (
    a.kind === b.kind &&
    a.elements.length === b.elements.length &&
    a.elements.every((e, i) => sameType(e, b.elements[i]!))
  );
}

/**
 * `tensor<2x?xf32>`, as StableHLO writes it.
 * @example
 * hlo.formatType(hlo.tensorType('f32', [2, 3])) // 'tensor<2x3xf32>'
 */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'token':
      return '!stablehlo.token';
    case 'tuple':
      return `tuple<${type.elements.map(formatType).join(', ')}>`;
    case 'future':
      return `!stablehlo.future<${type.elements.map(formatType).join(', ')}>`;
    default: {
      const dims = type.shape.map(d => `${d === dynamicDim ? '?' : d}x`).join('');
      return `tensor<${dims}${formatElementType(type)}${formatEncoding(type)}>`;
    }
  }
}

function formatElementType({ elementType, quantization: q }: TensorType): string {
  if (q === undefined) return elementType;
  const signed = numberKind(elementType) === 'signed';
  const storage = `${signed ? elementType : elementType.replace('ui', 'u')}`;
  const range = q.storageMin === undefined ? '' : `<${q.storageMin}:${q.storageMax}>`;
  const pair = (scale: number, i: number): string =>
    `${formatScale(scale)}${q.zeroPoints[i] === 0 ? '' : `:${q.zeroPoints[i]}`}`;
  const axis = q.axis === undefined ? '' : `:${q.axis}`;
  const scales = q.axis === undefined ? pair(q.scales[0]!, 0) : `{${q.scales.map(pair).join(', ')}}`;
  return `!quant.uniform<${storage}${range}:${q.expressedType}${axis}, ${scales}>`;
}
/** MLIR reads a number without a decimal point as an integer. */
function formatScale(scale: number): string {
  const [mantissa, exponent] = String(scale).split('e') as [string, string | undefined];
  const pointed = mantissa.includes('.') ? mantissa : `${mantissa}.0`;
  return exponent === undefined ? pointed : `${pointed}e${exponent}`;
}
function formatEncoding({ bounds, encoding }: TensorType): string {
  if (bounds !== undefined) return `, #stablehlo.bounds<${bounds.map(b => b ?? '?').join(', ')}>`;
  return encoding === undefined ? '' : `, ${encoding}`;
}
