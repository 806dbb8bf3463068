// The values of a function as numbers, and what each op reads: comparing many ops needs no more than these.
//
//   result r of the op at position p    256 · p + r
//   argument i                          −1 − i
import { IdNumbers } from '../../hlo/id-numbers.ts';
import type { Func, Op, Value } from '../../hlo/program.ts';
import { capturesOf } from '../../hlo/walk.ts';

/** Results of ops with more are numbered like arguments. */
export const resultsPerOp = 256;

/** Everything that an op reads. */
export function readsOf(op: Op): readonly Value[] {
  return op.regions.length === 0 ? op.operands : [...op.operands, ...capturesOf(op)];
}

export class ValueNumbers {
  readonly #ops: readonly Op[];
  /** Values that are numbered like arguments. */
  readonly #others: Value[];
  readonly #byId: IdNumbers;
  /** The numbers of the values that all ops read, one after another. */
  readonly reads: readonly number[];
  /** By position, where those of an op begin; one more than there are ops. */
  readonly from: Int32Array;

  constructor({ args, ops }: Func['body']) {
    this.#ops = ops;
    this.#others = [...args];
    this.#byId = new IdNumbers(ops[ops.length >> 1]?.results[0]?.id ?? 0, ops.length);
    for (const [i, arg] of args.entries()) this.#byId.set(arg.id, -1 - i);
    const reads: number[] = [];
    this.reads = reads;
    this.from = new Int32Array(ops.length + 1);
    for (let p = 0; p < ops.length; p++) {
      const op = ops[p]!;
      for (const value of readsOf(op)) reads.push(this.of(value));
      this.from[p + 1] = reads.length;
      const results = op.results as readonly Value[];
      for (let r = 0; r < results.length; r++)
        this.#byId.set(
          results[r]!.id,
          results.length > resultsPerOp ? -this.#others.push(results[r]!) : resultsPerOp * p + r,
        );
    }
  }

  of({ id }: Value): number {
    const number = this.#byId.get(id);
    if (number === undefined) throw new Error('Trenio bug: a value is used before the op that computes it');
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
