// Values of attributes: how each kind is read from syntax, and written in a dictionary (`3 : i64`) and in short forms (`3`).
import { TrenioError } from '../../base/errors.ts';
import type { Dims } from '../attributes.ts';
import { type Literal, literal, literalOfBytes, numberAt } from '../literal.ts';
import { type ElementType, formatType, numberKind, tensorType } from '../types.ts';
import { type Lexer, readAll } from './lexer.ts';
import { formatFloat, formatLiteral } from './print-literal.ts';
import { quoted, symbol } from './strings.ts';
import type { AttributeSyntax, SyntaxSource } from './syntax.ts';

export interface Codec<T> {
  read(node: AttributeSyntax, source: SyntaxSource): T;
  write(value: T): string;
  /** In short forms, where it is not written as in dictionaries. */
  bare?(value: T): string;
}

export function wrong(node: AttributeSyntax, source: SyntaxSource, expected: string): never {
  return source.refuse(node.start, expected);
}

function integerOf(node: AttributeSyntax, source: SyntaxSource, expected = 'an integer'): number {
  if (node.kind !== 'integer') return wrong(node, source, expected);
  const value = Number(node.digits);
  return Number.isSafeInteger(value) ? value : wrong(node, source, `${expected} below 2^53`);
}
export const integer = (type: 'i32' | 'i64' | 'ui32' | 'ui64'): Codec<number> => ({
  read: integerOf,
  write: value => `${value} : ${type}`,
  bare: String,
});

function floatOf(node: AttributeSyntax, source: SyntaxSource): number {
  if (node.kind === 'float') return Number(node.digits);
  // The bits of a number, in hexadecimal.
  if (node.kind === 'integer' && node.digits.startsWith('0x') && node.type?.kind === 'element') {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(node.digits)), true);
    const { elementType } = node.type;
    if (numberKind(elementType) === 'float') return numberAt(literalOfBytes(tensorType(elementType), bytes), 0);
  }
  return wrong(node, source, 'a floating-point number');
}
export const float = (type: 'f32' | 'f64'): Codec<number> => ({
  read: floatOf,
  write: value => `${formatFloat(value, type)} : ${type}`,
  bare: value => formatFloat(value, type),
});

export const boolean: Codec<boolean> = {
  read: (node, source) => (node.kind === 'boolean' ? node.value : wrong(node, source, "'true' or 'false'")),
  write: String,
};
export const string: Codec<string> = {
  read: (node, source) => (node.kind === 'string' ? node.value : wrong(node, source, 'a string')),
  write: quoted,
};
/** A string that short forms write as a symbol: `@target`. */
export const stringOrSymbol: Codec<string> = {
  read: (node, source) => (node.kind === 'symbol' ? symbolOf(node, source) : string.read(node, source)),
  write: quoted,
  bare: symbol,
};
function symbolOf(node: AttributeSyntax, source: SyntaxSource): string {
  if (node.kind !== 'symbol' || node.names.length !== 1) return wrong(node, source, "a symbol such as '@main'");
  return node.names[0]!;
}
export const symbolName: Codec<string> = { read: symbolOf, write: symbol };

export function listOf<T>(one: Codec<T>, what: string): Codec<readonly T[]> {
  return {
    read: (node, source) =>
      node.kind === 'array' ? node.elements.map(e => one.read(e, source)) : wrong(node, source, what),
    write: values => `[${values.map(one.write).join(', ')}]`,
    bare: values => `[${values.map(v => (one.bare ?? one.write)(v)).join(', ')}]`,
  };
}

/** One of a closed set of names, written `#stablehlo<precision HIGH>`. */
export function nameOf<const T extends string>(names: readonly T[], attribute: string): Codec<T> {
  return {
    read(node, source) {
      const name = node.kind === 'name' ? names.find(n => n === node.value) : undefined;
      return name ?? wrong(node, source, `one of ${names.join(', ')}`);
    },
    write: value => `#${attribute.replace('.', '<')} ${value}>`,
    bare: value => value,
  };
}

/** Any attribute, as its text. */
/** Reads the text of an attribute with its own grammar; `prefix` and `suffix` are around it. */
export function fromText<T>(
  node: AttributeSyntax,
  source: SyntaxSource,
  read: (lexer: Lexer) => T,
  prefix = '',
  suffix = '',
): T {
  const text = source.textOf(node);
  const isWrapped = text.startsWith(prefix) && text.endsWith(suffix);
  try {
    return readAll(isWrapped ? text.slice(prefix.length, text.length - suffix.length) : text, read);
  } catch (error) {
    if (!(error instanceof TrenioError) || error.code !== 'HLO_SYNTAX') throw error;
    const { expected, found } = error.data as { expected: string; found: string };
    return source.refuse(node.start, expected, found);
  }
}

export const anyText: Codec<string> = { read: (node, source) => source.textOf(node), write: text => text };

export const dimList = (dims: Dims): string => `[${dims.join(', ')}]`;
function numbersOf(node: AttributeSyntax, source: SyntaxSource): readonly number[] {
  switch (node.kind) {
    case 'numbers':
      return node.values.every(Number.isSafeInteger) ? node.values : wrong(node, source, 'integers below 2^53');
    case 'array':
      return node.elements.map(e => (e.kind === 'boolean' ? Number(e.value) : integerOf(e, source)));
    case 'elements':
      if (node.value.type.shape.length <= 1)
        return Array.from({ length: node.value.data.length }, (_, i) => numberAt(node.value, i));
      break;
  }
  return wrong(node, source, 'a list of integers');
}
/** `array<i64: 1, 2>` */
export const dims: Codec<Dims> = {
  read: numbersOf,
  write: values => (values.length === 0 ? 'array<i64>' : `array<i64: ${values.join(', ')}>`),
  bare: dimList,
};
/** `array<i1: true, false>` */
export const booleans: Codec<readonly boolean[]> = {
  read: (node, source) => numbersOf(node, source).map(n => n !== 0),
  write: values => (values.length === 0 ? 'array<i1>' : `array<i1: ${values.join(', ')}>`),
  bare: values => `[${values.join(', ')}]`,
};

/** Rows of integers, `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>`. */
function rowsOf(node: AttributeSyntax, source: SyntaxSource): readonly (readonly number[])[] {
  if (node.kind === 'array') return node.elements.map(row => numbersOf(row, source));
  if (node.kind !== 'elements' || numberKind(node.value.type.elementType) === 'float')
    return wrong(node, source, "rows of integers: 'dense<…> : tensor<…xi64>'");
  const { shape } = node.value.type;
  if (shape.length !== 2) return shape.length === 1 && shape[0] === 0 ? [] : wrong(node, source, 'rows of integers');
  const [rows, columns] = shape as [number, number];
  if (rows > 2 ** 20) return wrong(node, source, 'fewer rows');
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) => numberAt(node.value, r * columns + c)),
  );
}
export function formatRows(rows: readonly (readonly number[])[], columns = rows[0]?.length ?? 0): string {
  const type = tensorType('i64', [rows.length, columns]);
  return `${rows.length === 0 || columns === 0 ? 'dense<>' : `dense<[${rows.map(dimList).join(', ')}]>`} : ${formatType(type)}`;
}
export const pairs: Codec<readonly (readonly [number, number])[]> = {
  read(node, source) {
    const rows = rowsOf(node, source);
    if (rows.some(row => row.length !== 2)) wrong(node, source, 'pairs of integers');
    return rows as readonly (readonly [number, number])[];
  },
  write: rows => formatRows(rows, 2),
  bare: rows => `[${rows.map(dimList).join(', ')}]`,
};
/** Rows of different lengths, padded with -1. */
export const groups: Codec<readonly (readonly number[])[]> = {
  read: (node, source) => rowsOf(node, source).map(row => row.filter(id => id >= 0)),
  write(rows) {
    const columns = Math.max(0, ...rows.map(row => row.length));
    return formatRows(
      rows.map(row => [...row, ...new Array<number>(columns - row.length).fill(-1)]),
      columns,
    );
  },
};

/** The elements of a constant, with their type. */
export const elements: Codec<Literal> = {
  read: (node, source) => (node.kind === 'elements' ? node.value : wrong(node, source, "elements: 'dense<…> : type'")),
  write: value => `${formatLiteral(value)} : ${formatType(value.type)}`,
};
/** The same, or one number: `1.0 : f32`. */
export const elementsOrNumber: Codec<Literal> = {
  read(node, source) {
    if (node.kind === 'integer' || node.kind === 'float') {
      const type: ElementType =
        node.type?.kind === 'element' ? node.type.elementType : node.kind === 'float' ? 'f64' : 'i64';
      if (numberKind(type) === 'float') return literal(type, [], [floatOf(node, source)]);
      if (node.kind === 'integer' && numberKind(type) !== 'complex') return literal(type, [], [BigInt(node.digits)]);
    }
    if (node.kind === 'boolean') return literal('i1', [], [node.value]);
    return elements.read(node, source);
  },
  write(value) {
    const { elementType, shape } = value.type;
    if (shape.length > 0 || numberKind(elementType) === 'complex') return elements.write(value);
    const number = formatLiteral(value).slice('dense<'.length, -1);
    return elementType === 'i1' ? number : `${number} : ${elementType}`;
  },
};

export const typeOf = (node: AttributeSyntax | undefined, source: SyntaxSource, at: number): ElementType => {
  if (node?.kind === 'type' && node.value.kind === 'element') return node.value.elementType;
  return source.refuse(node?.start ?? at, 'the type of a number');
};
