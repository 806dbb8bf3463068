// Types of the program language, as the StableHLO specification names them (section "Types").

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
export type ElementType = (typeof elementTypes)[number];

/** A dimension whose size is known only when the program runs. Printed `?`. */
export const dynamicDim = -1;

export interface TensorType {
  readonly kind: 'tensor';
  /** Sizes, outermost first; `dynamicDim` where unknown. */
  readonly shape: readonly number[];
  readonly elementType: ElementType;
}
export interface TokenType {
  readonly kind: 'token';
}
export interface TupleType {
  readonly kind: 'tuple';
  readonly elements: readonly Type[];
}
export type Type = TensorType | TokenType | TupleType;

export function tensorType(elementType: ElementType, shape: readonly number[] = []): TensorType {
  return { kind: 'tensor', shape, elementType };
}
export const tokenType: TokenType = { kind: 'token' };

export type NumberKind = 'boolean' | 'signed' | 'unsigned' | 'float' | 'complex';
export function numberKind(type: ElementType): NumberKind {
  if (type === 'i1') return 'boolean';
  if (type.startsWith('ui')) return 'unsigned';
  if (type.startsWith('i')) return 'signed';
  return type.startsWith('complex') ? 'complex' : 'float';
}
export const isFloat = (type: ElementType): boolean => numberKind(type) === 'float';
export const isInteger = (type: ElementType): boolean =>
  numberKind(type) === 'signed' || numberKind(type) === 'unsigned';

/** Bytes one element takes in memory. Types under a byte and i1 take one byte each; tf32 is stored as f32. */
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

/** The number of elements of a shape; 1 for a scalar. */
export function elementCount(shape: readonly number[]): number {
  let count = 1;
  for (const dim of shape) count *= dim;
  return count;
}
export const byteSize = (type: TensorType): number => elementCount(type.shape) * elementBytes(type.elementType);

/** Row-major strides, in elements. */
export function stridesOf(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  for (let i = shape.length - 1, step = 1; i >= 0; i--) {
    strides[i] = step;
    step *= shape[i]!;
  }
  return strides;
}

export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
export function sameType(a: Type, b: Type): boolean {
  if (a.kind === 'tensor') return b.kind === 'tensor' && a.elementType === b.elementType && sameShape(a.shape, b.shape);
  if (a.kind === 'tuple') {
    return (
      b.kind === 'tuple' &&
      a.elements.length === b.elements.length &&
      a.elements.every((e, i) => sameType(e, b.elements[i]!))
    );
  }
  return b.kind === 'token';
}

/** `tensor<2x?xf32>`, as StableHLO writes it. */
export function formatType(type: Type): string {
  if (type.kind === 'token') return '!stablehlo.token';
  if (type.kind === 'tuple') return `tuple<${type.elements.map(formatType).join(', ')}>`;
  return `tensor<${type.shape.map(d => `${d === dynamicDim ? '?' : d}x`).join('')}${type.elementType}>`;
}
