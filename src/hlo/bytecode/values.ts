// The attributes and types of bytecode after reading.
import type { SourceLocation } from '../../base/errors.ts';
import type { ResultAccuracy } from '../attributes.ts';
import type { Literal } from '../literal.ts';
import type { ElementType, Quantization, Type } from '../types.ts';

export type AnyType =
  | Type
  | { readonly kind: 'element'; readonly elementType: ElementType; readonly quantization?: Quantization }
  | { readonly kind: 'function'; readonly inputs: readonly Type[]; readonly results: readonly Type[] }
  /** A type that tensors here cannot have: `index`, `none`. */
  | { readonly kind: 'other'; readonly name: string };

export type Attribute =
  | { readonly kind: 'array'; readonly elements: readonly Attribute[] }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** A name from a closed set, such as a comparison's direction. */
  | { readonly kind: 'enum'; readonly value: string }
  | { readonly kind: 'dictionary'; readonly entries: ReadonlyMap<string, Attribute> }
  | { readonly kind: 'float'; readonly value: number; readonly type: AnyType }
  | { readonly kind: 'integer'; readonly value: bigint; readonly type: AnyType }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'tensor'; readonly value: Literal }
  | { readonly kind: 'type'; readonly value: AnyType }
  | { readonly kind: 'bounds'; readonly value: readonly (number | undefined)[] }
  | { readonly kind: 'accuracy'; readonly value: ResultAccuracy }
  | {
      readonly kind: 'alias';
      readonly outputIndices: readonly number[];
      readonly operand: number;
      readonly operandIndices: readonly number[];
    }
  | { readonly kind: 'location'; readonly value: SourceLocation | undefined }
  | { readonly kind: 'unit' }
  /** Any other attribute, as MLIR text. */
  | { readonly kind: 'text'; readonly value: string };
