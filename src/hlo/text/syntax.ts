// What is read before it becomes a program: attributes, types and ops by the names MLIR has for them. Short-lived; a
// typed op is made of each syntax op as soon as it is read.
import type { SourceLocation } from '../../base/errors.ts';
import type { Literal } from '../literal.ts';
import type { Region, Value } from '../program.ts';
import type { ElementType, Quantization, Type } from '../types.ts';

export type SyntaxType =
  | Type
  /** The type of a number: `f32`, `i64`, `!quant.uniform<…>`. */
  | { readonly kind: 'element'; readonly elementType: ElementType; readonly quantization?: Quantization }
  | { readonly kind: 'function'; readonly inputs: readonly Type[]; readonly results: readonly Type[] }
  /** Any other, such as `none` or `!dialect.type`. */
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
    /** The digits, since 64 bits do not fit in a number; `type` where it is stated. */
    | { readonly kind: 'integer'; readonly digits: string; readonly type?: SyntaxType }
    | { readonly kind: 'float'; readonly digits: string; readonly type?: SyntaxType }
    | { readonly kind: 'string'; readonly value: string }
    /** `@name`; `@a::@b` where there are several. */
    | { readonly kind: 'symbol'; readonly names: readonly string[] }
    | { readonly kind: 'type'; readonly value: SyntaxType }
    | { readonly kind: 'array'; readonly elements: readonly AttributeSyntax[] }
    /** `array<i64: 1, 2>`; booleans are 0 and 1. */
    | { readonly kind: 'numbers'; readonly values: readonly number[] }
    /** `dense<…> : tensor<…>` */
    | { readonly kind: 'elements'; readonly value: Literal }
    | { readonly kind: 'dictionary'; readonly entries: AttributeMap }
    /** A name out of a closed set: `#stablehlo<precision HIGH>`, or `HIGH` alone in a short form. */
    | { readonly kind: 'name'; readonly value: string }
    /** `#stablehlo.gather<offset_dims = [1], …>`; `name` is that of the attribute. */
    | { readonly kind: 'struct'; readonly name: string; readonly fields: AttributeMap }
    /** Anything else: only its text counts. */
    | { readonly kind: 'opaque' }
  );
/** What an attribute is, before its place in the text is known. */
export type AttributeBody = AttributeSyntax extends infer A ? (A extends Span ? Omit<A, keyof Span> : never) : never;
export type AttributeMap = ReadonlyMap<string, AttributeSyntax>;

/** An op as it was read, in the generic or in its short form. */
export interface OpSyntax {
  /** With the dialect: `stablehlo.add`. */
  readonly name: string;
  readonly at: number;
  readonly operands: readonly Value[];
  /** Properties, attributes and values of the short form, by MLIR's names. */
  readonly attributes: AttributeMap;
  readonly regions: readonly Region[];
  readonly resultTypes: readonly Type[];
  /** The properties of an op that is not known, as text. */
  readonly properties: string;
  readonly location: SourceLocation | undefined;
}

/** The interface to the source text that the conversion from syntax to a program needs. */
export interface SyntaxSource {
  /** The text of an attribute, with aliases expanded. */
  textOf(node: Span): string;
  refuse(at: number, expected: string, found?: string): never;
}
