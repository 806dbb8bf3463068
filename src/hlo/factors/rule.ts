// How the dims of an op's operands and results belong together. Each dim is a product of factors, from major to minor; a
// factor that several dims share can be divided in all of them at once.
//
//   dot_general   ([i, k], [k, j])->([i, j]) {i=8, j=16, k=32} reduction={k}
//
// The idea and the text are Shardy's (`#sdy.op_sharding_rule`), and so are the rules, except where they would give wrong results.
import { type BinaryName, binaryNames } from '../attributes.ts';
import { type Op, type Region, shapeOf, type Value } from '../program.ts';

/** The meaning of dividing a factor. */
export type FactorKind =
  | 'passThrough' // each part of the results depends on the same part of the operands only
  | 'reduction' //   each part gives terms, which must be combined
  | 'permutation' // parts also need elements of other parts, at positions that are known: reverse, pad, windows
  | 'replication'; // each part of the results depends on all of the operands

/** A part of dims that is divided as one. */
export interface Factor {
  /** The number of elements. */
  readonly size: number;
  /** The meaning of its division. */
  readonly kind: FactorKind;
  /** Whether the sharding of one tensor says nothing about that of another. */
  readonly isBlocked: boolean;
}
/** The factors of each dim of a tensor, from major to minor; empty for a scalar and for what is not a tensor. */
export type DimFactors = readonly (readonly number[])[];

/** The factors of an op, by their numbers. */
export interface ShardingRule {
  /** The factors. */
  readonly factors: readonly Factor[];
  /** The dims of each operand. */
  readonly operands: readonly DimFactors[];
  /** The dims of each result. */
  readonly results: readonly DimFactors[];
  /** How the terms of reduction factors are combined; undefined if no single op does. */
  readonly combiner: BinaryName | undefined;
}

/** The dim of each tensor that has a factor; undefined, or a shorter list, for tensors without it. */
type TensorDims = readonly (number | undefined)[];
interface FactorOptions {
  readonly kind?: FactorKind;
  readonly isBlocked?: boolean;
}

/** Collects the factors of an op. */
export class RuleBuilder {
  readonly #factors: Factor[] = [];
  readonly #operands: readonly number[][][];
  readonly #results: readonly number[][][];

  constructor({ operands, results }: Op) {
    this.#operands = operands.map(emptyDims);
    this.#results = results.map(emptyDims);
  }

  /** A factor of one dim of some operands and results. */
  add(size: number, operands: TensorDims, results: TensorDims, options: FactorOptions = {}): this {
    const { kind = 'passThrough', isBlocked = false } = options;
    const factor = this.#factors.push({ size, kind, isBlocked }) - 1;
    for (const [tensors, dims] of [
      [this.#operands, operands],
      [this.#results, results],
    ] as const)
      dims.forEach((dim, i) => {
        const list = dim === undefined ? undefined : tensors[i]?.[dim];
        if (list !== undefined && (size !== 1 || list.length === 0)) list.push(factor);
      });
    return this;
  }

  /** A factor of the same dim of all operands and results, except scalars. */
  addToAll(size: number, dim: number, options: FactorOptions = {}): this {
    return this.add(size, dimOfEach(this.#operands, dim), dimOfEach(this.#results, dim), options);
  }
  /** A factor of the same dim of all operands, except scalars. */
  addToOperands(size: number, dim: number, options: FactorOptions = {}): this {
    return this.add(size, dimOfEach(this.#operands, dim), [], options);
  }
  /** A factor of the same dim of all results. */
  addToResults(size: number, dim: number, options: FactorOptions = {}): this {
    return this.add(size, [], dimOfEach(this.#results, dim), options);
  }

  /** The rule. A dim without a factor gets one of size 1. */
  build(combiner?: BinaryName): ShardingRule {
    for (const dims of [...this.#operands, ...this.#results])
      for (const list of dims)
        if (list.length === 0) list.push(this.#factors.push({ size: 1, kind: 'passThrough', isBlocked: false }) - 1);
    return { factors: this.#factors, operands: this.#operands, results: this.#results, combiner };
  }
}

const emptyDims = ({ type }: Value): number[][] => (type.kind === 'tensor' ? type.shape.map(() => []) : []);
const dimOfEach = (tensors: readonly number[][][], dim: number): TensorDims =>
  tensors.map(dims => (dims.length === 0 ? undefined : dim));

/** Every dim of every tensor is the same dim of the others. `kindOf` a dim is that of its factor. */
export function sameDims(op: Op, kindOf: (dim: number) => FactorKind = () => 'passThrough'): ShardingRule {
  const builder = new RuleBuilder(op);
  const [first] = op.results;
  if (first?.type.kind === 'tensor')
    first.type.shape.forEach((size, dim) => {
      builder.addToAll(size, dim, { kind: kindOf(dim) });
    });
  return builder.build();
}

/** As `sameDims`, for one operand and results that may differ from it in size: those dims have other options. */
export function sameDimsIfEqual(op: Op, otherwise: FactorOptions, isWhole: (dim: number) => boolean): ShardingRule {
  const builder = new RuleBuilder(op);
  shapeOf(op.operands[0]!).forEach((size, dim) => {
    builder.addToAll(size, dim, isWhole(dim) ? {} : otherwise);
  });
  return builder.build();
}

const commutative: ReadonlySet<string> = new Set(['add', 'and', 'maximum', 'minimum', 'multiply', 'or', 'xor']);

/** The op that a region (a, b, …, x, y, …) → (op(a, x), op(b, y), …) applies to all values; undefined for other regions. */
export function combinerOf({ args, results }: Region): BinaryName | undefined {
  const name = binaryNames.find(n => n === results[0]?.op?.name);
  const fits = results.every(({ op }, i) => {
    const [p, q] = op?.operands ?? [];
    const [a, b] = [args[i], args[results.length + i]];
    return op?.name === name && ((p === a && q === b) || (p === b && q === a));
  });
  return name !== undefined && commutative.has(name) && fits ? name : undefined;
}
