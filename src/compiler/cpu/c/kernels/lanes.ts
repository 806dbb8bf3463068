// Reductions along a row, in parallel: partial results in lanes of an array that the C compiler keeps in a vector register,
// folded in a fixed tree. The sum of a row then depends only on its length, not on the vector width of the
// machine; gcc would fold an `omp simd` reduction lane by lane.

import type { Reduction } from '../../../ir/node.ts';
import type { Lanes } from '../scalar/combiners.ts';
import type { Writer } from '../writer.ts';
import type { PartialCells } from './pairwise-sums.ts';

/** The arrays of lanes that hold the partial results of one reduction. */
export class LaneSet<R extends Pick<Reduction, 'id'> = Reduction> {
  readonly reduction: R;
  readonly #lanes: Lanes;
  readonly #count: number;
  constructor(reduction: R, lanes: Lanes, count: number) {
    this.reduction = reduction;
    this.#lanes = lanes;
    this.#count = count;
  }
  #name(part: number): string {
    return `a${this.reduction.id}_${part}`;
  }
  declare(out: Writer): void {
    this.#lanes.parts.forEach((part, k) => {
      out.line(`_Alignas(64) ${part.type} ${this.#name(k)}[${this.#count}];`);
    });
  }
  start(out: Writer): void {
    this.#lanes.parts.forEach((part, k) => {
      out.line(`${this.#name(k)}[lane] = ${part.start};`);
    });
  }
  update(out: Writer, element: string, lane: string): void {
    const values = this.#lanes.of(element);
    this.#lanes.parts.forEach((part, k) => {
      const at = `${this.#name(k)}[${lane}]`;
      out.line(`${at} = ${part.combine(at, values[k]!)};`);
    });
  }
  join(out: Writer, to: string, from: string): void {
    this.#lanes.parts.forEach((part, k) => {
      const [a, b] = [`${this.#name(k)}[${to}]`, `${this.#name(k)}[${from}]`];
      out.line(`${a} = ${part.combine(a, b)};`);
    });
  }
  result(): string {
    return this.#lanes.finish(this.#lanes.parts.map((_, k) => `${this.#name(k)}[0]`));
  }
}

type Sets = readonly Omit<LaneSet<Pick<Reduction, 'id'>>, 'reduction'>[];

export function startLanes(out: Writer, sets: Sets, lanes: number): void {
  if (sets.length === 0) return;
  for (const set of sets) set.declare(out);
  out.line('#pragma omp simd');
  out.open(`for (int lane = 0; lane < ${lanes}; lane++)`);
  for (const set of sets) set.start(out);
  out.close();
}
/** Halves the lanes until one is left: always the same tree. */
export function foldLanes(out: Writer, sets: Sets, lanes: number): void {
  if (sets.length === 0) return;
  for (let half = lanes / 2; half > 1; half /= 2) {
    out.line('#pragma omp simd');
    out.open(`for (int lane = 0; lane < ${half}; lane++)`);
    for (const set of sets) set.join(out, 'lane', `lane + ${half}`);
    out.close();
  }
  for (const set of sets) set.join(out, '0', '1');
}

/** Lanes that are added in pieces. */
export const laneCells = (out: Writer, lanes: number): PartialCells => ({
  length: lanes,
  at: '[lane]',
  each(body) {
    out.line('#pragma omp simd');
    out.open(`for (int lane = 0; lane < ${lanes}; lane++)`);
    body();
    out.close();
  },
});
