// The C of sums in pieces (cpu/ir/pairwise-sum.ts): the partial results of a piece are joined with those of the pieces before it
// that wait for as many, level by level, as a binary counter carries.
import type { Reduction } from '../../../ir/node.ts';
import { isRoundedSum, type Pieces } from '../../ir/pairwise-sum.ts';
import type { Combiner } from '../scalar/combiners.ts';
import type { Writer } from '../writer.ts';

/** Where the partial results of a reduction are: in a variable `a3_0`, or in an array of that name. */
export interface PartialCells {
  /** The length of the array; 1 for a variable. */
  readonly length: number;
  /** The subscript of an element, in a loop; nothing for a variable. */
  readonly at: string;
  /** Prints the loop over elements; for a variable just the body. */
  each(body: () => void): void;
}

/** A variable for each reduction. */
export const variableCells: PartialCells = { length: 1, at: '', each: body => body() };

export class PieceSums {
  readonly #out: Writer;
  readonly #pieces: Pieces;
  readonly #sums: readonly { readonly id: number; readonly combiner: Combiner }[];
  readonly #cells: PartialCells;
  readonly #names: { readonly added: string; readonly count: string };

  constructor(
    out: Writer,
    pieces: Pieces,
    reductions: readonly Reduction[],
    combiners: ReadonlyMap<Reduction, Combiner | undefined>,
    cells: PartialCells,
  ) {
    this.#out = out;
    this.#pieces = pieces;
    this.#sums = reductions
      .filter(r => isRoundedSum(r.accumulator))
      .map(r => ({ id: r.id, combiner: combiners.get(r)! }));
    this.#cells = cells;
    const { id } = this.#sums[0]!;
    this.#names = { added: `added${id}`, count: `pieces${id}` };
  }

  declare(): void {
    const { levels } = this.#pieces;
    for (const { id, combiner } of this.#sums)
      this.#out.line(`_Alignas(64) ${combiner.type} l${id}[${levels}][${this.#cells.length}];`);
    this.#out.line(`int64_t ${this.#names.added} = 0, ${this.#names.count} = 0;`);
  }
  /** After this number of elements: ends the piece if it is long enough. */
  after(elements: string): void {
    const { added, count } = this.#names;
    const out = this.#out;
    out.line(`${added} += ${elements};`);
    out.open(`if (${added} >= ${this.#pieces.each})`);
    out.line('int level = 0;');
    out.open(`for (; ${count} >> level & 1; level++)`);
    this.#join();
    out.close();
    this.#cells.each(() => {
      for (const { id, combiner } of this.#sums)
        out.line(`${this.#waiting(id)} = ${this.#partial(id)}, ${this.#partial(id)} = ${combiner.identity};`);
    });
    out.line(`${count}++;`);
    out.line(`${added} = 0;`);
    out.close();
  }
  /** Adds the pieces that wait to the partial results. */
  finish(): void {
    const { count } = this.#names;
    this.#out.open(`for (int level = 0; ${count} >> level; level++)`);
    this.#out.line(`if (!(${count} >> level & 1)) continue;`);
    this.#join();
    this.#out.close();
  }

  #join(): void {
    this.#cells.each(() => {
      for (const { id, combiner } of this.#sums)
        this.#out.line(`${this.#partial(id)} = ${combiner.combine(this.#waiting(id), this.#partial(id))};`);
    });
  }
  #partial(id: number): string {
    return `a${id}_0${this.#cells.at}`;
  }
  #waiting(id: number): string {
    return `l${id}[level]${this.#cells.at === '' ? '[0]' : this.#cells.at}`;
  }
}
