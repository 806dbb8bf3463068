// The order in which each rank of a pipeline works, as data: for each rank, a list of actions. Names and orders are those of
// torch.distributed.pipelining.
//
//   GPipe, 2 ranks, 3 micro-batches            1F1B
//   0  F0 F1 F2          B0 B1 B2              0  F0 F1       B0 F2    B1    B2
//   1     F0 F1 F2 B0 B1 B2                    1     F0 B0 F1 B1    F2 B2
//
// ZBH1, ZBVZeroBubble: Qi et al., "Zero bubble pipeline parallelism", arXiv:2401.10241. DualPipeV: half of DeepSeek's DualPipe.
import { assertNever } from '../../base/errors.ts';

/** Forward; backward, either whole, or first the gradients that the stage before waits for (I) and later those of weights (W). */
export type ActionKind = 'F' | 'B' | 'I' | 'W';
export interface Action {
  readonly kind: ActionKind;
  readonly stage: number;
  readonly microBatch: number;
}
export interface PipelineSizes {
  readonly ranks: number;
  readonly stages: number;
  readonly microBatches: number;
}
/** The names of schedules. */
export const scheduleNames = ['GPipe', '1F1B', 'Interleaved1F1B', 'ZBH1', 'ZBVZeroBubble', 'DualPipeV'] as const;
/** The name of a schedule. */
export type ScheduleName = (typeof scheduleNames)[number];
export const isScheduleName = (name: string): name is ScheduleName =>
  (scheduleNames as readonly string[]).includes(name);

export interface Schedule {
  /** How many stages each rank has by default. */
  readonly stagesPerRank: number;
  /** Whether each rank must have so many. */
  readonly isFixed: boolean;
  /** Whether gradients of weights are separate actions. */
  readonly splitsBackward: boolean;
  /** The rank that has a stage. */
  rankOf(stage: number, ranks: number): number;
  /** The fewest micro-batches. */
  least(sizes: Omit<PipelineSizes, 'microBatches'>): number;
}
/** Stage s is on rank s, s + ranks, … */
const inTurn = { rankOf: (stage: number, ranks: number): number => stage % ranks, isFixed: false } as const;
/** The first and the last stage are on rank 0, those in the middle on the last. */
const inV = {
  rankOf: (stage: number, ranks: number): number => Math.min(stage, 2 * ranks - 1 - stage),
  isFixed: true,
  stagesPerRank: 2,
  splitsBackward: true,
} as const;
const perStage = ({ stages }: { readonly stages: number }): number => stages;

export const schedules: Readonly<Record<ScheduleName, Schedule>> = {
  GPipe: { ...inTurn, stagesPerRank: 1, splitsBackward: false, least: ({ stages }) => Math.min(2, stages) },
  '1F1B': { ...inTurn, stagesPerRank: 1, splitsBackward: false, least: perStage },
  Interleaved1F1B: { ...inTurn, stagesPerRank: 2, splitsBackward: false, least: ({ ranks }) => Math.max(2, ranks) },
  ZBH1: { ...inTurn, stagesPerRank: 1, splitsBackward: true, least: perStage },
  ZBVZeroBubble: { ...inV, least: ({ ranks }) => Math.max(2, ranks) },
  DualPipeV: { ...inV, least: ({ ranks }) => 2 * ranks },
};

/** Whether a schedule works with so many micro-batches: 1F1B over several stages of a rank needs equal rounds. */
export function fits(name: ScheduleName, sizes: PipelineSizes): boolean {
  const { ranks, stages, microBatches } = sizes;
  if (microBatches < schedules[name].least(sizes)) return false;
  const isInRounds = name !== 'GPipe' && !schedules[name].isFixed && stages > ranks;
  return !isInRounds || microBatches % roundsOf(sizes) === 0;
}
const roundsOf = ({ ranks, microBatches }: PipelineSizes): number => Math.max(1, Math.floor(microBatches / ranks));

/** The actions of each rank. */
export function actionsOf(name: ScheduleName, sizes: PipelineSizes): readonly (readonly Action[])[] {
  return Array.from({ length: sizes.ranks }, (_, rank) => {
    switch (name) {
      case 'GPipe':
        return gpipe(rank, sizes);
      case '1F1B':
      case 'Interleaved1F1B':
        return oneForwardOneBackward(rank, sizes, false);
      case 'ZBH1':
        return oneForwardOneBackward(rank, sizes, true);
      case 'ZBVZeroBubble':
        return zeroBubbleV(rank, sizes);
      case 'DualPipeV':
        return dualPipeV(rank, sizes);
      default:
        return assertNever(name);
    }
  });
}

/** A list of actions, each of which takes the next micro-batch of its kind and stage. */
class Actions {
  readonly list: Action[] = [];
  readonly #counts = new Map<string, number>();

  add(kind: ActionKind, stage: number): void {
    const microBatch = this.count(kind, stage);
    this.#counts.set(`${kind}${stage}`, microBatch + 1);
    this.list.push({ kind, stage, microBatch });
  }
  count(kind: ActionKind, stage: number): number {
    return this.#counts.get(`${kind}${stage}`) ?? 0;
  }
}
const times = (count: number, body: (i: number) => void): void => {
  for (let i = 0; i < count; i++) body(i);
};

function gpipe(rank: number, { ranks, stages, microBatches }: PipelineSizes): readonly Action[] {
  const actions = new Actions();
  for (let stage = rank; stage < stages; stage += ranks) times(microBatches, () => actions.add('F', stage));
  for (let stage = rank + (stages / ranks - 1) * ranks; stage >= 0; stage -= ranks)
    times(microBatches, () => actions.add('B', stage));
  return actions.list;
}

/**
 * Forward passes until the first backward pass can begin, then one of each in turn. With several stages, rounds of micro-batches
 * pass through one after the other. `isZeroBubble`: gradients of weights come later, when the rank would wait.
 */
function oneForwardOneBackward(rank: number, sizes: PipelineSizes, isZeroBubble: boolean): readonly Action[] {
  const { ranks, stages, microBatches } = sizes;
  const own = stages / ranks;
  const perRound = own === 1 ? microBatches : microBatches / roundsOf(sizes);
  const total = microBatches * own;
  const ahead = (own === 1 || isZeroBubble ? 1 : 2) * (ranks - 1 - rank);
  const warmUp = Math.min(total, (own - 1) * perRound + ahead);
  const at = (step: number): number => Math.floor(step / perRound) % own;
  const forward = (step: number): number => at(step) * ranks + rank;
  const backward = (step: number): number => (own - 1 - at(step)) * ranks + rank;
  const actions = new Actions();
  times(warmUp, step => actions.add('F', forward(step)));
  let weights = 0;
  const addWeights = (): void => actions.add('W', backward(weights++));
  times(total, step => {
    if (warmUp + step < total) actions.add('F', forward(warmUp + step));
    actions.add(isZeroBubble ? 'I' : 'B', backward(step));
    if (isZeroBubble && step >= rank) addWeights();
  });
  while (isZeroBubble && weights < total) addWeights();
  return actions.list;
}

function zeroBubbleV(rank: number, { ranks, stages, microBatches }: PipelineSizes): readonly Action[] {
  // Fewer micro-batches do a part of the work of so many.
  const count = Math.max(2 * ranks - 1, microBatches);
  const [first, second] = [rank, stages - 1 - rank];
  const actions = new Actions();
  const backward = (stage: number): void => {
    actions.add('I', stage);
    actions.add('W', stage);
  };
  times(2 * (ranks - rank) - 1, () => actions.add('F', first));
  times(rank, () => {
    actions.add('F', second);
    actions.add('F', first);
  });
  times(ranks - rank, () => {
    actions.add('F', second);
    backward(second);
  });
  while (actions.count('F', second) < actions.count('F', first) || actions.count('F', first) < count) {
    if (actions.count('F', first) < count) actions.add('F', first);
    backward(first);
    actions.add('F', second);
    backward(second);
  }
  times(rank, () => {
    actions.add('I', first);
    actions.add('I', second);
  });
  times(ranks - rank, () => {
    actions.add('I', first);
    actions.add('W', first);
  });
  for (const stage of [second, first])
    while (actions.count('W', stage) < actions.count('I', stage)) actions.add('W', stage);
  return actions.list.filter(({ microBatch }) => microBatch < microBatches);
}

function dualPipeV(rank: number, { ranks, stages, microBatches }: PipelineSizes): readonly Action[] {
  const [first, second] = [rank, stages - 1 - rank];
  const left = ranks - 1 - rank;
  const actions = new Actions();
  const weights: number[] = [];
  const whole = (stage: number): void => {
    actions.add('I', stage);
    actions.add('W', stage);
  };
  const early = (stage: number): void => {
    actions.add('I', stage);
    weights.push(stage);
  };
  const late = (): void => actions.add('W', weights.shift()!);
  times(2 * left, () => actions.add('F', first));
  times(rank + 1, () => {
    actions.add('F', first);
    actions.add('F', second);
  });
  times(left, () => {
    early(second);
    late();
    actions.add('F', second);
  });
  times(microBatches - 2 * ranks + rank + 1, () => {
    actions.add('F', first);
    whole(second);
    actions.add('F', second);
    whole(first);
  });
  times(left, () => {
    whole(second);
    actions.add('F', second);
    whole(first);
  });
  let isEarly = false;
  times(rank + 1, i => {
    const isHalf = i === Math.floor((rank + 1) / 2);
    if (isHalf && rank % 2 === 1) isEarly = true;
    (isEarly ? early : whole)(second);
    if (isHalf && rank % 2 === 0) isEarly = true;
    (isEarly ? early : whole)(first);
  });
  times(left, () => {
    late();
    early(first);
  });
  times(rank + 1, () => {
    if (weights.length > 0) late();
  });
  return actions.list;
}
