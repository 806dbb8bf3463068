// The types at the end of a short form: `: (tensor<2xf32>) -> tensor<2xf32>` in full, or a shorter form if the others follow
// from them.
import { zip } from '../../base/zip.ts';
import type { Op, Value } from '../program.ts';
import { type ElementType, formatType, sameType, type TensorType, type Type } from '../types.ts';
import type { Draft, FormReader } from './form-text.ts';
import { tokens } from './lexer.ts';

export interface Signature {
  /** Reads from the colon on, checks the types of the operands and fills in those of the results. */
  read(reader: FormReader, draft: Draft): void;
  /** The text from ` : ` on; undefined if the op cannot be written this way. */
  write(op: Op): string | undefined;
}

const typesOf = (values: readonly Value[]): readonly Type[] => values.map(v => v.type);
export const formatTypes = (types: readonly Type[]): string => types.map(formatType).join(', ');
const oneOrMany = (values: readonly Value[]): string =>
  values.length === 1 ? formatType(values[0]!.type) : `(${formatTypes(typesOf(values))})`;
/** `(operands) -> results` */
export const functionType = (op: Op): string => `(${formatTypes(typesOf(op.operands))}) -> ${oneOrMany(op.results)}`;
const every = (values: readonly Value[], type: Type): boolean => values.every(v => sameType(v.type, type));

/** After `(`. */
function readFunctionType(reader: FormReader, draft: Draft): void {
  const at = reader.start;
  reader.expect('(');
  const types = reader.types(')');
  reader.checkTypes(at, draft.operands, types);
  if (!reader.takeKind(tokens.arrow)) reader.fail("'->'");
  draft.resultTypes = reader.resultTypes();
}
function typeList(reader: FormReader): Type[] {
  const types: Type[] = [];
  do types.push(reader.type());
  while (reader.take(','));
  return types;
}

/** Types in full. */
export const functional: Signature = {
  read(reader, draft) {
    reader.expect(':');
    readFunctionType(reader, draft);
  },
  write: op => ` : ${functionType(op)}`,
};

interface Stated {
  readonly operands: readonly Type[];
  readonly results: readonly Type[];
}
/** Complete types, or a list from which `read` derives the types of operands and results. */
function orFull(
  read: (types: readonly Type[], operands: readonly Value[], refuse: (expected: string) => never) => Stated,
  write: (op: Op) => readonly Type[] | undefined,
): Signature {
  return {
    read(reader, draft) {
      reader.expect(':');
      if (reader.is('(')) return readFunctionType(reader, draft);
      const at = reader.start;
      const stated = read(typeList(reader), draft.operands, expected => reader.refuse(at, expected));
      reader.checkTypes(at, draft.operands, stated.operands);
      draft.resultTypes = stated.results;
    },
    write(op) {
      const types = write(op);
      return ` : ${types === undefined ? functionType(op) : formatTypes(types)}`;
    },
  };
}

/** One type, shared by all operands and the result. */
export const same: Signature = orFull(
  (types, operands, refuse) => {
    if (types.length !== 1) refuse('one type');
    return { operands: operands.map(() => types[0]!), results: types };
  },
  op => {
    const [result] = op.results;
    return op.results.length === 1 && every(op.operands, result!.type) ? [result!.type] : undefined;
  },
);

/** The type of the predicate, and the type of all others. */
export const predicateAndOthers: Signature = orFull(
  (types, _operands, refuse) => {
    if (types.length !== 2) refuse('two types');
    return { operands: [types[0]!, types[1]!, types[1]!], results: [types[1]!] };
  },
  op => {
    const [predicate, ...others] = op.operands;
    const [result] = op.results;
    if (op.results.length !== 1 || others.length !== 2 || !every(others, result!.type)) return undefined;
    return [predicate!.type, result!.type];
  },
);

/** The result's type, which consists of the types of the operands. */
export const complexParts: Signature = orFull(
  (types, operands, refuse) => {
    const part = types.length === 1 ? partOf(types[0]!) : undefined;
    if (part === undefined) return refuse('the type of a tensor of complex numbers');
    return { operands: operands.map(() => part), results: types };
  },
  op => {
    const part = partOf(op.results[0]?.type);
    return part !== undefined && op.results.length === 1 && every(op.operands, part) ? typesOf(op.results) : undefined;
  },
);
function partOf(type: Type | undefined): TensorType | undefined {
  if (type?.kind !== 'tensor' || !type.elementType.startsWith('complex')) return undefined;
  return { ...type, elementType: type.elementType.slice(8, -1) as ElementType };
}

/** The tuple that the operands make up. */
export const tupleOfOperands: Signature = orFull(
  (types, _operands, refuse) => {
    const [type] = types;
    if (types.length !== 1 || type?.kind !== 'tuple') return refuse('the type of a tuple');
    return { operands: type.elements, results: types };
  },
  op => {
    const [result] = op.results;
    if (op.results.length !== 1 || result!.type.kind !== 'tuple') return undefined;
    const { elements } = result!.type;
    const fits =
      elements.length === op.operands.length && zip(elements, op.operands).every(([e, v]) => sameType(e, v.type));
    return fits ? [result!.type] : undefined;
  },
);

/** The types of the operands followed by those of the results; empty if there are none. */
export const pairwise: Signature = {
  read(reader, draft) {
    if (draft.operands.length === 0) {
      if (reader.take('(')) reader.expect(')');
      return;
    }
    pairwiseTypes.read(reader, draft);
  },
  write(op) {
    if (op.operands.length === 0 && op.results.length === 0) return ' ()';
    const alike =
      op.operands.length === op.results.length && op.operands.every((v, i) => sameType(v.type, op.results[i]!.type));
    return alike ? pairwiseTypes.write(op) : undefined;
  },
};
const pairwiseTypes = orFull(
  types => ({ operands: types, results: types }),
  op => typesOf(op.results),
);

/** The types of the results; there are no operands. */
export const resultsOnly: Signature = {
  read(reader, draft) {
    reader.expect(':');
    draft.resultTypes = typeList(reader);
  },
  write: op =>
    op.operands.length > 0 || op.results.length === 0 ? undefined : ` : ${formatTypes(typesOf(op.results))}`,
};

/** The types of the operands, or one for all; there are no results. */
export const operandsOnly = (one: boolean): Signature => ({
  read(reader, draft) {
    reader.expect(':');
    const at = reader.start;
    const types = typeList(reader);
    reader.checkTypes(at, draft.operands, types.length === 1 ? draft.operands.map(() => types[0]!) : types);
  },
  write(op) {
    if (op.results.length > 0 || op.operands.length === 0) return undefined;
    if (!one) return ` : ${formatTypes(typesOf(op.operands))}`;
    const [first] = op.operands;
    return every(op.operands, first!.type) ? ` : ${formatType(first!.type)}` : undefined;
  },
});

/** `: operands -> results`, without parentheses around the operands. */
export const arrow: Signature = {
  read(reader, draft) {
    reader.expect(':');
    if (reader.is('(')) return readFunctionType(reader, draft);
    const at = reader.start;
    reader.checkTypes(at, draft.operands, typeList(reader));
    if (!reader.takeKind(tokens.arrow)) reader.fail("'->'");
    draft.resultTypes = reader.resultTypes();
  },
  write: op =>
    op.operands.length === 0 || op.results.length === 0
      ? undefined
      : ` : ${formatTypes(typesOf(op.operands))} -> ${oneOrMany(op.results)}`,
};
