// The part of a step's items that is one rank's next batch. A pure function of positions; it does not access items.
import { TrenioError } from '../../base/errors.ts';

export interface Split {
  /** Items per batch on this rank. */
  readonly batchSize: number;
  /** Micro-batches per step. */
  readonly accumulation: number;
  readonly rank: number;
  readonly worldSize: number;
  /** Repeats items of the step if a batch has too few. */
  readonly fill: boolean;
}

/** Items of a step over all ranks. */
export const globalBatch = ({ batchSize, accumulation, worldSize }: Split): number =>
  batchSize * accumulation * worldSize;

export interface Share {
  /** Positions within the items of the step. */
  readonly positions: readonly number[];
  /** How many of them are not repeated. */
  readonly real: number;
}

/** The share of this rank in micro-batch `microBatch` of a step that has `inStep` items. */
export function shareOf(split: Split, inStep: number, microBatch: number): Share {
  const { batchSize, accumulation, rank, fill } = split;
  const place = (rank * accumulation + microBatch) * batchSize;
  const real = Math.min(Math.max(inStep - place, 0), batchSize);
  const positions = Array.from({ length: fill ? batchSize : real }, (_, i) =>
    i < real ? place + i : (place + i) % inStep,
  );
  return { positions, real };
}

/** One rank's entries of a batch. */
export interface SplitBatch<E> {
  /** The number of the batch in the epoch, on this rank. */
  readonly batch: number;
  readonly entries: readonly E[];
  readonly real: number;
}

/** Cuts a sequence of items into this rank's batches. Holds the entries of one step. */
export class StepSplitter<E> {
  readonly #split: Split;
  readonly #dropLast: boolean;
  #step: E[] = [];
  #batch = 0;

  constructor(split: Split, dropLast: boolean) {
    this.#split = split;
    this.#dropLast = dropLast;
  }
  /** The batches that this entry completes. */
  push(entry: E): readonly SplitBatch<E>[] {
    this.#step.push(entry);
    return this.#step.length < globalBatch(this.#split) ? [] : this.#batches();
  }
  /**
   * The batches of the incomplete step at the end.
   * @throws {DATASET_TOO_SMALL} if there was no batch at all
   */
  end(): readonly SplitBatch<E>[] {
    const items = this.#step.length;
    const last = items > 0 && !this.#dropLast ? this.#batches() : [];
    if (this.#batch === 0) throw new TrenioError('DATASET_TOO_SMALL', { items, batch: globalBatch(this.#split) });
    return last;
  }
  #batches(): readonly SplitBatch<E>[] {
    const step = this.#step;
    this.#step = [];
    return Array.from({ length: this.#split.accumulation }, (_, i) => {
      const { positions, real } = shareOf(this.#split, step.length, i);
      return { batch: this.#batch++, entries: positions.map(place => step[place]!), real };
    });
  }
}
