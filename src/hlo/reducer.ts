// Recognizes reduction regions that consist of one op on their two arguments.
import { type BinaryName, binaryNames, type ComparisonDirection } from './attributes.ts';
import type { Region } from './program.ts';

const binary: ReadonlySet<string> = new Set(binaryNames);
const commutative: ReadonlySet<string> = new Set(['add', 'and', 'maximum', 'minimum', 'multiply', 'or', 'xor']);

/**
 * The binary op of a region (a, b) → op(a, b); undefined for any other region. Commutative ops may swap a and b.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [4])], (b, [x]) => [b.sum(x!)]);
 * const reduce = main.body.ops.find(({ name }) => name === 'reduce')!;
 * hlo.reducerOf(reduce.regions[0]!) // 'add'
 */
export function reducerOf(region: Region): BinaryName | undefined {
  const [op] = region.ops;
  const { args, results } = region;
  if (region.ops.length !== 1 || op === undefined || args.length !== 2 || results.length !== 1) return undefined;
  if (!binary.has(op.name) || results[0] !== op.results[0]) return undefined;
  const [a, b] = op.operands;
  const straight = a === args[0] && b === args[1];
  const swapped = a === args[1] && b === args[0] && commutative.has(op.name);
  return straight || swapped ? (op.name as BinaryName) : undefined;
}

/**
 * The comparison of a region (a, b, …) → compare(a, b), with its arguments; undefined for any other region.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [4])], (b, [x]) => [b.sum(x!)]);
 * const reduce = main.body.ops.find(({ name }) => name === 'reduce')!;
 * hlo.comparisonOf(reduce.regions[0]!) // undefined
 */
export function comparisonOf(region: Region):
  | {
      /** The comparison. */
      direction: ComparisonDirection;
      /** Whether NaNs and zeros are ordered by sign, too. */
      total: boolean;
      /** The index of the left argument. */
      left: number;
      /** The index of the right argument. */
      right: number;
    }
  | undefined {
  const [op] = region.ops;
  if (region.ops.length !== 1 || op?.name !== 'compare' || region.results[0] !== op.results[0]) return undefined;
  const left = region.args.indexOf(op.operands[0]);
  const right = region.args.indexOf(op.operands[1]);
  if (left < 0 || right < 0) return undefined;
  return {
    direction: op.attributes.comparisonDirection,
    total: op.attributes.compareType === 'TOTALORDER',
    left,
    right,
  };
}
