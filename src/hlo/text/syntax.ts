// The syntax tree of a program: attributes, types and ops by their MLIR names. Short-lived: each syntax op is converted to a
// typed op as soon as it is read.
import type { SourceLocation } from '../../base/errors.ts';
import type { Literal } from '../literal.ts';
import type { Region, Value } from '../program.ts';
import type { ElementType, Quantization, Type } from '../types.ts';

export type SyntaxType =
  | Type
  /** The type of a number: `f32`, `i64`, `!quant.uniform<…>`. */
  | { readonly kind: 'element'; readonly elementType: ElementType; readonly quantization?: Quantization }
  | { readonly kind: 'function'; readonly inputs: readonly Type[]; readonly results: readonly Type[] }
  /** Any other type, such as `none` or `!dialect.type`. */
  | { readonly kind: 'other' };

/** A position in the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
export type AttributeSyntax = Span &
  (
    | { readonly kind: 'unit' }
    | { readonly kind: 'boolean'; readonly value: boolean }
    /** The digits, because 64 bits do not fit in a number; `type` if it is stated. */
    | { readonly kind: 'integer'; readonly digits: string; readonly type?: SyntaxType }
    | { readonly kind: 'float'; readonly digits: string; readonly type?: SyntaxType }
    | { readonly kind: 'string'; readonly value: string }
    /** `@name`, or `@a::@b`. */
    | { readonly kind: 'symbol'; readonly names: readonly string[] }
    | { readonly kind: 'type'; readonly value: SyntaxType }
    | { readonly kind: 'array'; readonly elements: readonly AttributeSyntax[] }
    /** `array<i64: 1, 2>`; booleans are 0 and 1. */
    | { readonly kind: 'numbers'; readonly values: readonly number[] }
    /** `dense<…> : tensor<…>` */
    | { readonly kind: 'elements'; readonly value: Literal }
    | { readonly kind: 'dictionary'; readonly entries: AttributeMap }
    /** An enum value: `#stablehlo<precision HIGH>`, or only `HIGH` in a short form. */
    | { readonly kind: 'name'; readonly value: string }
    /** `#stablehlo.gather<offset_dims = [1], …>`; `name` is the name of the attribute. */
    | { readonly kind: 'struct'; readonly name: string; readonly fields: AttributeMap }
    /** Anything else, stored as text. */
    | { readonly kind: 'opaque' }
  );
/** An attribute without its position in the text. */
export type AttributeBody = AttributeSyntax extends infer A ? (A extends Span ? Omit<A, keyof Span> : never) : never;
export type AttributeMap = ReadonlyMap<string, AttributeSyntax>;

/** An op as it was read, in generic or short form. */
export interface OpSyntax {
  /** Includes the dialect: `stablehlo.add`. */
  readonly name: string;
  readonly at: number;
  readonly operands: readonly Value[];
  /** Properties, attributes and values of the short form, by MLIR's names. */
  readonly attributes: AttributeMap;
  readonly regions: readonly Region[];
  readonly resultTypes: readonly Type[];
  /** The properties of an unknown op, as text. */
  readonly properties: string;
  readonly location: SourceLocation | undefined;
}

/** The interface to the source text that the conversion from syntax to a program needs. */
export interface SyntaxSource {
  /** The text of an attribute, with aliases expanded. */
  textOf(node: Span): string;
  refuse(at: number, expected: string, found?: string): never;
}
