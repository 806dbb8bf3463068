// The values of a function as numbers, and what each op reads: comparing many ops needs no more than these.
//
//   result r of the op at position p    256 · p + r
//   argument i                          −1 − i
import type { Func, Op, Value } from '../../hlo/program.ts';
import { capturesOf } from '../../hlo/walk.ts';

/** Results of ops with more are numbered like arguments. */
export const resultsPerOp = 256;
const unknown = -(2 ** 31);

/** Everything that an op reads. */
export function readsOf(op: Op): readonly Value[] {
  return op.regions.length === 0 ? op.operands : [...op.operands, ...capturesOf(op)];
}

export class ValueNumbers {
  readonly #ops: readonly Op[];
  /** Values that are numbered like arguments. */
  readonly #others: Value[];
  /** The numbers of values by id, for ids near that of the op in the middle: nearly all. */
  readonly #near: Int32Array;
  readonly #firstId: number;
  readonly #far = new Map<number, number>();
  /** The numbers of the values that all ops read, one after another. */
  readonly reads: readonly number[];
  /** By position, where those of an op begin; one more than there are ops. */
  readonly from: Int32Array;

  constructor({ args, ops }: Func['body']) {
    this.#ops = ops;
    this.#others = [...args];
    const middle = ops[ops.length >> 1]?.results[0]?.id ?? 0;
    this.#near = new Int32Array(4 * ops.length).fill(unknown);
    this.#firstId = middle - 2 * ops.length;
    for (const [i, arg] of args.entries()) this.#set(arg, -1 - i);
    const reads: number[] = [];
    this.reads = reads;
    this.from = new Int32Array(ops.length + 1);
    for (let p = 0; p < ops.length; p++) {
      const op = ops[p]!;
      for (const value of readsOf(op)) reads.push(this.of(value));
      this.from[p + 1] = reads.length;
      const results = op.results as readonly Value[];
      for (let r = 0; r < results.length; r++)
        this.#set(results[r]!, results.length > resultsPerOp ? -this.#others.push(results[r]!) : resultsPerOp * p + r);
    }
  }

  #set({ id }: Value, number: number): void {
    const at = id - this.#firstId;
    if (at >= 0 && at < this.#near.length) this.#near[at] = number;
    else this.#far.set(id, number);
  }
  of({ id }: Value): number {
    const at = id - this.#firstId;
    const number = at >= 0 && at < this.#near.length ? this.#near[at]! : (this.#far.get(id) ?? unknown);
    if (number === unknown) throw new Error('Trenio bug: a value is used before the op that computes it');
    return number;
  }
  value(number: number): Value {
    return number < 0 ? this.#others[-1 - number]! : this.#ops[positionOf(number)]!.results[resultOf(number)]!;
  }
}

/** The position of the op that computes a value; negative for arguments. */
export const positionOf = (number: number): number => number >> 8;
/** Which result of its op a value is. */
export const resultOf = (number: number): number => number & (resultsPerOp - 1);
