// Partial results of a reduction, one or several side by side; in pieces (cpu/ir/pairwise-sum.ts) if it is a sum of several.
import type { Accumulator } from '../../ir/accumulator.ts';
import type { ScalarValue } from '../../ir/scalar-value.ts';
import { isRoundedSum, type Pieces } from '../ir/pairwise-sum.ts';
import { type AccumulatorFunctions, accumulatorFunctions } from './accumulate.ts';

export class Partials {
  readonly #functions: AccumulatorFunctions;
  readonly #pieces: Pieces | undefined;
  /** Those of the current piece. */
  #partials: ScalarValue[];
  readonly #waiting: ScalarValue[][] = [];
  #added = 0;
  #count = 0;

  /** `beside`: the number of partial results. */
  constructor(accumulator: Accumulator, beside: number, pieces: Pieces | undefined) {
    this.#functions = accumulatorFunctions(accumulator);
    this.#pieces = isRoundedSum(accumulator) ? pieces : undefined;
    this.#partials = new Array<ScalarValue>(beside).fill(this.#functions.identity);
  }
  /** Adds a partial result to the one in a lane. */
  add(lane: number, value: ScalarValue): void {
    this.#partials[lane] = this.#functions.combine(this.#partials[lane]!, value);
  }
  /** After this number of elements: ends the piece if it is long enough. */
  after(elements: number): void {
    if (this.#pieces === undefined) return;
    this.#added += elements;
    if (this.#added < this.#pieces.each) return;
    let level = 0;
    for (; (this.#count >> level) & 1; level++) this.#join(level);
    this.#waiting[level] = this.#partials;
    this.#partials = this.#partials.map(() => this.#functions.identity);
    this.#count++;
    this.#added = 0;
  }
  /** All pieces and lanes, added up. */
  total(): ScalarValue {
    for (let level = 0; this.#count >> level; level++) if ((this.#count >> level) & 1) this.#join(level);
    const { combine } = this.#functions;
    const partials = this.#partials;
    // halves until one is left: always the same tree
    for (let half = partials.length / 2; half >= 1; half /= 2)
      for (let lane = 0; lane < half; lane++) partials[lane] = combine(partials[lane]!, partials[lane + half]!);
    return partials[0]!;
  }

  #join(level: number): void {
    const { combine } = this.#functions;
    this.#partials = this.#partials.map((partial, lane) => combine(this.#waiting[level]![lane]!, partial));
  }
}
