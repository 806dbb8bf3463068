// Which part of a step's items is one rank's next batch. A pure function of positions; it does not access items.

export interface Split {
  /** Items a batch on this rank. */
  readonly batchSize: number;
  /** Micro-batches a step. */
  readonly accumulation: number;
  readonly rank: number;
  readonly worldSize: number;
  /** Repeats items of the step where a batch has too few. */
  readonly fill: boolean;
}

/** Items of a step over all ranks. */
export const globalBatch = ({ batchSize, accumulation, worldSize }: Split): number =>
  batchSize * accumulation * worldSize;

export interface Share {
  /** Places within the items of the step. */
  readonly places: readonly number[];
  /** How many of them are not repeated. */
  readonly real: number;
}

/** The share of this rank in micro-batch `microBatch` of a step that has `inStep` items. */
export function shareOf(split: Split, inStep: number, microBatch: number): Share {
  const { batchSize, accumulation, rank, fill } = split;
  const place = (rank * accumulation + microBatch) * batchSize;
  const real = Math.min(Math.max(inStep - place, 0), batchSize);
  const places = Array.from({ length: fill ? batchSize : real }, (_, i) =>
    i < real ? place + i : (place + i) % inStep,
  );
  return { places, real };
}
