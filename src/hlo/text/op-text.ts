// The text of an op: its MLIR attributes, and its short form, if it has one. One description per op serves the
// parser and the printer; the generic form follows from it in both directions.
import type { OpAttributes, OpName } from '../attributes.ts';
import type { Op, OpOf } from '../program.ts';
import type { TensorType, Type } from '../types.ts';
import type { Codec } from './codecs.ts';
import type { Form } from './form.ts';
import type { AttributeSyntax, OpSyntax, SyntaxSource } from './syntax.ts';

/** One attribute of an op in MLIR. It may correspond to several attributes here, or to a part of one. */
export interface Part<A> {
  readonly name: string;
  /** `node` is undefined if the text does not contain the attribute. */
  read(node: AttributeSyntax | undefined, op: OpSyntax, source: SyntaxSource): Partial<A>;
  /** Undefined if it is not written; empty for an attribute without a value. */
  write(attributes: A, op: Op): string | undefined;
  /** In short forms. */
  bare(attributes: A, op: Op): string | undefined;
}

export interface OpText<A> {
  readonly parts: readonly Part<A>[];
  /** Attributes that follow from the types of operands and results. */
  readonly derive?: (op: OpSyntax, source: SyntaxSource) => Partial<A>;
  readonly form?: Form;
}
export type OpTexts<N extends OpName = OpName> = { readonly [K in N]: OpText<OpAttributes[K]> };

type One<K extends string, T> = { readonly [P in K]: T };
type Maybe<K extends string, T> = { readonly [P in K]?: T };
type Absent<T> = T | ((op: OpSyntax) => T);

const bareOf = <T>(codec: Codec<T>, value: T): string => (codec.bare ?? codec.write)(value);

/** A required attribute; or, with `absent`, one that defaults to `absent` but is always written. */
export function given<K extends string, T>(name: string, key: K, codec: Codec<T>, absent?: Absent<T>): Part<One<K, T>> {
  return {
    name,
    read(node, op, source) {
      const value = node === undefined ? absentValue(absent, op) : codec.read(node, source);
      if (value === undefined) source.refuse(op.at, `the attribute '${name}' of ${op.name}`, 'none');
      return { [key]: value } as One<K, T>;
    },
    write: attributes => codec.write(attributes[key]),
    bare: attributes => bareOf(codec, attributes[key]),
  };
}
function absentValue<T>(absent: Absent<T> | undefined, op: OpSyntax): T | undefined {
  return typeof absent === 'function' ? (absent as (op: OpSyntax) => T)(op) : absent;
}
/** An attribute with a value that is not written. */
export function unless<K extends string, T>(name: string, key: K, codec: Codec<T>, absent: T): Part<One<K, T>> {
  const part = given(name, key, codec, absent);
  return {
    ...part,
    write: (attributes, op) => (attributes[key] === absent ? undefined : part.write(attributes, op)),
    bare: (attributes, op) => (attributes[key] === absent ? undefined : part.bare(attributes, op)),
  };
}
/** An attribute that may be missing. */
export function optional<K extends string, T>(name: string, key: K, codec: Codec<T>): Part<Maybe<K, T>> {
  const of = (attributes: Maybe<K, T>): T | undefined => attributes[key];
  return {
    name,
    read: (node, _op, source) =>
      (node === undefined ? {} : { [key]: codec.read(node, source) }) as Partial<Maybe<K, T>>,
    write(attributes) {
      const value = of(attributes);
      return value === undefined ? undefined : codec.write(value);
    },
    bare(attributes) {
      const value = of(attributes);
      return value === undefined ? undefined : bareOf(codec, value);
    },
  };
}
/** A unit attribute: true if present. */
export function flag<K extends string>(name: string, key: K): Part<Maybe<K, boolean>> {
  const write = (attributes: Maybe<K, boolean>): string | undefined =>
    (attributes[key] as boolean | undefined) === true ? '' : undefined;
  return {
    name,
    read(node, _op, source) {
      if (node === undefined || (node.kind === 'boolean' && !node.value)) return {};
      if (node.kind !== 'unit' && node.kind !== 'boolean') source.refuse(node.start, `'${name}' without a value`);
      return { [key]: true } as Partial<Maybe<K, boolean>>;
    },
    write,
    bare: write,
  };
}
/** An attribute whose fields are attributes of the op. */
export function spread<T extends object>(name: string, codec: Codec<T>): Part<T> {
  return {
    name,
    read: (node, op, source) =>
      node === undefined
        ? source.refuse(op.at, `the attribute '${name}' of ${op.name}`, 'none')
        : codec.read(node, source),
    write: attributes => codec.write(attributes),
    bare: attributes => bareOf(codec, attributes),
  };
}

// Attributes inferred from types.

export function resultTensor(op: OpSyntax, source: SyntaxSource, index = 0): TensorType {
  const type = op.resultTypes[index];
  if (type?.kind === 'tensor') return type;
  return source.refuse(op.at, `a tensor as result ${index} of ${op.name}`, type?.kind ?? 'none');
}
export const withType = (op: OpSyntax, source: SyntaxSource): { readonly type: TensorType } => ({
  type: resultTensor(op, source),
});
export const withShape = (op: OpSyntax, source: SyntaxSource): { readonly shape: readonly number[] } => ({
  shape: resultTensor(op, source).shape,
});
export const withResultTypes = (op: OpSyntax): { readonly resultTypes: readonly Type[] } => ({
  resultTypes: op.resultTypes,
});
/** The element type of the result, if it differs from that of the first operand. */
export function withOwnElementType(
  op: OpSyntax,
  source: SyntaxSource,
): { readonly elementType?: TensorType['elementType'] } {
  const { elementType } = resultTensor(op, source);
  const first = op.operands[0]?.type;
  return first?.kind === 'tensor' && first.elementType === elementType ? {} : { elementType };
}
/** The rank of the first operand. */
export function rankOf(op: Pick<OpSyntax, 'operands'>): number {
  const type = op.operands[0]?.type;
  return type?.kind === 'tensor' ? type.shape.length : 0;
}

/** The entries of the attribute dictionary of an op, without those in its short form. */
export function entriesOf<N extends OpName>(
  op: OpOf<N>,
  text: OpText<OpAttributes[N]>,
  told?: ReadonlySet<string>,
): string {
  const list: string[] = [];
  for (const part of text.parts) {
    if (told?.has(part.name)) continue;
    const value = part.write(op.attributes, op as Op);
    if (value !== undefined) list.push(entry(part.name, value));
  }
  return list.join(', ');
}
/** `a = 1`, or `a` alone if the value is empty. */
export function entry(name: string, value: string): string {
  return value === '' ? key(name) : `${key(name)} = ${value}`;
}
const key = (name: string): string => (/^[A-Za-z_][\w$.]*$/.test(name) ? name : JSON.stringify(name));
