// The interface through which forms of ops are read and written. The reader and the writer (op-reader.ts, op-writer.ts) depend on
// the forms of all ops; a form only depends on this interface.
import type { SourceLocation } from '../../base/errors.ts';
import type { Op, Region, Value } from '../program.ts';
import type { Type } from '../types.ts';
import type { AttributeReader } from './attribute-reader.ts';
import type { AttributeSyntax, OpSyntax } from './syntax.ts';

/** An op that is being read, as an incomplete OpSyntax. */
export interface Draft extends OpSyntax {
  readonly operands: Value[];
  readonly attributes: Map<string, AttributeSyntax>;
  readonly regions: Region[];
  resultTypes: readonly Type[];
  properties: string;
  location: SourceLocation | undefined;
}
export function draftOf(name: string, at: number, attributes = new Map<string, AttributeSyntax>()): Draft {
  return { name, at, operands: [], attributes, regions: [], resultTypes: [], properties: '', location: undefined };
}

/** A name for a value that is about to be defined, with its type. */
export interface Binding {
  readonly name: string;
  readonly type: Type;
  readonly at: number;
}

/** Reads values and regions, in addition to attributes and types. */
export interface FormReader extends AttributeReader {
  readonly nextId: () => number;
  /** A use of a value. */
  value(): Value;
  /** Skips a comma if a value follows it. */
  takeCommaBeforeValue(): boolean;
  checkTypes(at: number, values: readonly Value[], types: readonly Type[]): void;
  /** `%a: type`, optionally followed by a location. */
  binding(): Binding;
  /** `{ ops }`. Arguments are declared by the op that has the region, or by a label `^bb0(%a: type):`. */
  region(bindings?: readonly Binding[], options?: { readonly isolated?: boolean }): Region;
  /** An optional `loc(…)`. */
  location(): SourceLocation | undefined;
  /** `(%0) <{properties}> ({region}) {attributes} : (types) -> types`. Properties of unknown ops are kept as text. */
  generic(draft: Draft, isUnregistered: boolean): void;
}

export interface FormWriter {
  /** The start of a line. */
  readonly pad: string;
  /** A name for an argument. */
  argument(value: Value): string;
  renamed(values: readonly Value[], names: readonly string[]): void;
  /** `%0, %1` */
  names(values: readonly Value[]): string;
  /** The value of an attribute in short forms; undefined if it is not written. */
  bare(op: Op, attribute: string): string | undefined;
  /** ` {…}` with the attributes that a form does not cover; empty if there are none. */
  dictionary(op: Op, told?: ReadonlySet<string>): string;
  /** `{ ^bb0(%a: type): … }` */
  region(region: Region, terminator?: string): string;
  /** `{ … }`, indented by some levels; the arguments already have names. */
  block(region: Region, further: number, terminator?: string): string;
}
