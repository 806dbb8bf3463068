// Rows of einsum and unary_einsum. A config names each dim of each operand by a letter: "bmk,bkn->bmn". A letter that
// the result does not have is summed over; a letter that occurs twice in an operand selects its diagonal; "..." matches any
// further dims.
import { zip } from '../../base/zip.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { type OpRow, type Rows, tensors } from '../op-row.ts';
import { shapeOf, tensorTypeOf, type Value } from '../program.ts';
import { dynamicDim, formatType, type TensorType, tensorType } from '../types.ts';
import { countOf, streaming } from './costs.ts';
import { anyElement, checkElements, isStatic } from './operand-checks.ts';
import { type Checker, checkerOf, dimsAgree, isUnique } from './shape-checks.ts';

interface Config {
  /** The letters of each operand, one per dim. */
  readonly operands: readonly (readonly string[])[];
  readonly result: readonly string[];
}

/** Dims matched by "..." are called 0, 1, … starting from the last, so that those of all operands are aligned. */
function lettersOf(part: string, ellipsisRank: number): readonly string[] {
  const dims = Array.from({ length: ellipsisRank }, (_, i) => String(ellipsisRank - 1 - i));
  const [before, after] = part.split('...') as [string, string | undefined];
  return after === undefined ? [...before] : [...before, ...dims, ...after];
}

/** Parses a config for operands of these ranks. */
function parseConfig(require: Checker, config: string, ranks: readonly number[]): Config {
  const what = (): string => `"${config}" for operands of rank ${ranks.join(' and ')}`;
  const sides = config.replaceAll(' ', '').split('->');
  const parts = sides[0]!.split(',');
  const whole = (part: string): boolean => /^[A-Za-z]*(\.\.\.)?[A-Za-z]*$/.test(part);
  require(sides.length === 2 && parts.length === ranks.length && [...parts, sides[1]!].every(whole), 'config', () =>
    `${what()}: expected ${ranks.length} lists of letters, an arrow and the letters of the result`);
  const further = parts.map((part, i) => (part.includes('...') ? ranks[i]! - part.replace('...', '').length : 0));
  const operands = parts.map((part, i) => lettersOf(part, further[i]!));
  const result = lettersOf(sides[1]!, Math.max(...further));
  require(operands.every((letters, i) => letters.length === ranks[i]), 'config', () =>
    `${what()}: expected one letter per dim`);
  require(isUnique(result.map(c => c.codePointAt(0)!)) &&
    result.every(c => operands.some(o => o.includes(c))), 'config', () =>
    `${what()}: letters of the result must differ, and occur in an operand`);
  return { operands, result };
}

/** Parses the config of an op and checks it against the operands; returns the size of each letter. */
function checkConfig(require: Checker, config: string, types: readonly TensorType[]): [Config, Map<string, number>] {
  const parsed = parseConfig(
    require,
    config,
    types.map(t => t.shape.length),
  );
  const sizes = new Map<string, number>();
  parsed.operands.forEach((letters, i) => {
    letters.forEach((letter, d) => {
      const [size, known] = [types[i]!.shape[d]!, sizes.get(letter) ?? dynamicDim];
      require(dimsAgree(size, known), 'sizes', () =>
        `"${config}" of ${types.map(formatType).join(' and ')}: ${letter} has two different sizes`);
      sizes.set(letter, known === dynamicDim ? size : known);
    });
  });
  return [parsed, sizes];
}

/** A value with named dims. */
interface Named {
  readonly value: Value;
  readonly letters: readonly string[];
}

/** Selects elements where two dims of one letter have the same index, by masking and summing over the second: the diagonal. */
function diagonals(b: BaseBuilder, { value, letters }: Named): Named {
  const second = letters.findIndex((letter, d) => letters.indexOf(letter) < d);
  if (second < 0) return { value, letters };
  const first = letters.indexOf(letters[second]!);
  const type = tensorType('i32', shapeOf(value));
  const onDiagonal = b.compare('EQ', b.iota(type, first), b.iota(type, second));
  const rest = b.sum(b.select(onDiagonal, value, b.like(value, 0)), [second]);
  return diagonals(b, { value: rest, letters: letters.toSpliced(second, 1) });
}
/** Sums over the letters that occur in no other operand or result. */
function summed(b: BaseBuilder, { value, letters }: Named, kept: readonly string[]): Named {
  const dims = letters.flatMap((letter, d) => (kept.includes(letter) ? [] : [d]));
  if (dims.length === 0) return { value, letters };
  return { value: b.sum(value, dims), letters: letters.filter(letter => kept.includes(letter)) };
}
function ordered(b: BaseBuilder, { value, letters }: Named, result: readonly string[]): Value {
  const permutation = result.map(letter => letters.indexOf(letter));
  return permutation.every((from, to) => from === to) ? value : b.transpose(value, permutation);
}

function contracted(b: BaseBuilder, lhs: Named, rhs: Named, result: readonly string[]): Named {
  const shared = lhs.letters.filter(letter => rhs.letters.includes(letter));
  const batching = shared.filter(letter => result.includes(letter));
  const contracting = shared.filter(letter => !result.includes(letter));
  const free = (side: Named): string[] => side.letters.filter(letter => !shared.includes(letter));
  const dims = (side: Named, letters: readonly string[]): number[] => letters.map(l => side.letters.indexOf(l));
  const value = b.dotGeneral(lhs.value, rhs.value, {
    lhsBatchingDimensions: dims(lhs, batching),
    rhsBatchingDimensions: dims(rhs, batching),
    lhsContractingDimensions: dims(lhs, contracting),
    rhsContractingDimensions: dims(rhs, contracting),
  });
  return { value, letters: [...batching, ...free(lhs), ...free(rhs)] };
}

function row<N extends 'einsum' | 'unary_einsum'>(name: N, count: 1 | 2): OpRow<N> {
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'contraction',
    pure: true,
    infer(operands, { einsumConfig, type }) {
      const types = tensors(name, operands);
      checkElements(require, 'element_type', [...types, type], anyElement);
      const [{ result }, sizes] = checkConfig(require, einsumConfig, types);
      return [{ ...type, shape: result.map(letter => sizes.get(letter)!) }];
    },
    decompose(b, op, operands) {
      const types = operands.map(tensorTypeOf);
      if (!types.every(isStatic)) return undefined;
      const [config] = checkConfig(require, op.attributes.einsumConfig, types);
      const named = zip(operands, config.operands).map(([value, letters]) => diagonals(b, { value, letters }));
      const [lhs, rhs] = named.map((one, i) => {
        const others = named.flatMap((other, k) => (k === i ? [] : other.letters));
        return summed(b, one, [...config.result, ...others]);
      }) as [Named, Named | undefined];
      const whole = rhs === undefined ? lhs : contracted(b, lhs, rhs, config.result);
      return [b.convert(ordered(b, whole, config.result), op.attributes.type.elementType)];
    },
    cost(op) {
      const [, sizes] = checkConfig(require, op.attributes.einsumConfig, op.operands.map(tensorTypeOf));
      return streaming(op, count * countOf(tensorType('f32', [...sizes.values()])));
    },
  };
}

export const einsumRows: Rows<'einsum' | 'unary_einsum'> = {
  einsum: row('einsum', 2),
  unary_einsum: row('unary_einsum', 1),
};
