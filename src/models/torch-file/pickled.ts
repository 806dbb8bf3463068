// The values of a pickle: plain data, what it names, and tensors that are read later.
import type { Literal } from '../../hlo/literal.ts';
import type { ElementType } from '../../hlo/types.ts';

/** Something that a pickle may name, as MODULE.NAME. */
export type Global =
  | { readonly kind: GlobalKind }
  | { readonly kind: 'storage'; readonly elementType: ElementType }
  | { readonly kind: 'dtype'; readonly name: string }
  | { readonly kind: 'class'; readonly name: string };

/** `type`: a class that only occurs as an argument of others. */
export type GlobalKind = (typeof kinds)[number];
const kinds = [
  ...['dict', 'counter', 'default-dict', 'set', 'complex', 'encode', 'bytes', 'tuple', 'device', 'layout', 'type'],
  ...['tensor', 'tensor-of-dtype', 'tensor-of-class', 'parameter', 'numpy-scalar', 'numpy-dtype', 'numpy-array'],
] as const;

/** The element type of an array of NumPy. */
export interface NumpyDtype {
  readonly kind: 'numpy-dtype';
  readonly elementType: ElementType;
  /** Set by its state. */
  isBigEndian: boolean;
}
/** An array of NumPy; its state sets the elements. */
export interface NumpyArray {
  readonly kind: 'numpy-array';
  value: Literal | undefined;
}

export const hasKind = (value: Pickled | undefined): value is Pickled & { readonly kind: string } =>
  typeof value === 'object' && value !== null && 'kind' in value;

/** An object of a class that the caller expects: its fields, or the arguments of its constructor. */
export interface PickledObject {
  readonly kind: 'object';
  readonly class: string;
  readonly fields: Pickled;
}
/** A tensor in a pickle: a view of a storage. */
export interface PickledTensor {
  readonly kind: 'tensor';
  readonly elementType: ElementType;
  readonly storage: PickledStorage;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** Its elements are the conjugates of those in the storage. */
  readonly isConjugate: boolean;
  /** Its elements are those in the storage with the other sign. */
  readonly isNegated: boolean;
}
export interface PickledStorage {
  readonly kind: 'pickled-storage';
  readonly elementType: ElementType;
  readonly key: string;
  readonly elements: number;
}
export type Pickled =
  | null
  | boolean
  | number
  | bigint
  | string
  | PickledTensor
  | PickledStorage
  | PickledObject
  | Global
  | NumpyDtype
  | NumpyArray
  | Uint8Array
  | readonly Pickled[]
  | ReadonlySet<Pickled>
  | ReadonlyMap<Pickled, Pickled>;
