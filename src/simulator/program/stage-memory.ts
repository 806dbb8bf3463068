// The memory of a rank of a pipeline: its parameters with their state and summed gradients, and the values that it keeps of the
// micro-batches that are in flight, by running its actions on paper.
import { totalBytes } from '../../hlo/ops/costs.ts';
import { type Module, mainOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { byteSize } from '../../hlo/types.ts';
import type { Part, RankPart } from '../../transforms/pipeline/cut.ts';
import type { StageRank } from '../workload.ts';
import type { ProgramMemory } from './program-memory.ts';
import type { TrainingState } from './training-state.ts';

/** The memory of a part's temporaries, and its constants. */
export interface StageArena {
  readonly bytes: number;
  readonly constants: number;
}
interface StageMemory {
  /** The step of all stages. */
  readonly module: Module;
  readonly state: TrainingState;
  readonly rank: RankPart;
  /** Its place along the pipeline. */
  readonly at: number;
  readonly order: StageRank['order'];
  readonly homes: readonly (number | undefined)[];
  readonly arenas: ReadonlyMap<string, StageArena>;
}

export function stageMemory({ module, state, rank, at, order, homes, arenas }: StageMemory): ProgramMemory {
  const { args } = mainOf(module).body;
  const here = new Set(args.filter((_, i) => homes[i] === undefined || homes[i] === at));
  const bytesHere = (values: readonly Value[]): number => totalBytes(values.filter(value => here.has(value)));
  const arenaBytes = Math.max(0, ...[...arenas.values()].map(({ bytes }) => bytes));
  return {
    weights: bytesHere(state.weights),
    'optimizer state': bytesHere(state.others),
    gradients: rank.accumulators.reduce((sum, { type }) => sum + byteSize(type), 0),
    activations: bytesHere(state.inputs) + mostKept(rank, order),
    temporaries: arenaBytes,
    'program and runtime': [...arenas.values()].reduce((sum, { constants }) => sum + constants, 0),
  };
}

/** The most bytes that the rank keeps at once besides its arguments and sums: each value to its last read. */
function mostKept(rank: RankPart, order: StageRank['order']): number {
  const { before, tasks, beforeRounds, rounds, accumulators } = rank;
  const parts = new Map<string, Part>([['before', before], ...tasks, ['round -1', beforeRounds]]);
  for (const [i, round] of rounds.entries()) parts.set(`round ${i}`, round);
  const sums = new Set(accumulators.map(({ id }) => id));
  const reads = readsOf([...parts.values()]);
  const held = new Map<string, number>();
  const left = new Map<string, number>();
  let [now, most] = [0, 0];
  const keep = (key: string, id: number, bytes: number): void => {
    if (held.has(key) || sums.has(id)) return;
    held.set(key, bytes);
    left.set(key, reads.get(id) ?? Number.POSITIVE_INFINITY);
    now += bytes;
    most = Math.max(most, now);
  };
  const drop = (key: string): void => {
    now -= held.get(key) ?? 0;
    held.delete(key);
  };
  for (const { part: name, microBatch } of order) {
    if (name === 'borrow')
      for (const { values } of before.receives) for (const { id, type } of values) keep(`${id}`, id, byteSize(type));
    const part = parts.get(name);
    if (part === undefined) continue;
    const keyOf = (id: number, isStep: boolean): string =>
      isStep || microBatch === undefined ? `${id}` : `${id} ${microBatch}`;
    if (name !== 'before')
      for (const { values } of part.receives)
        for (const { id, type } of values) keep(keyOf(id, false), id, byteSize(type));
    const { program } = part;
    if (program !== undefined) {
      const { body, aliases } = mainOf(program.module);
      program.outputs.forEach((output, i) => {
        const bytes = byteSize(tensorTypeOf(body.results[i]!));
        if (output.kind === 'value') keep(keyOf(output.id, output.of === 'step'), output.id, bytes);
        else if (!aliases.includes(i)) keep(`result ${output.index}`, -1 - output.index, bytes);
      });
      for (const input of program.inputs) {
        if (input.kind !== 'value' || input.of === 'step') continue;
        const key = keyOf(input.id, false);
        left.set(key, (left.get(key) ?? 0) - 1);
        if (left.get(key) === 0) drop(key);
      }
    }
    for (const { values } of part.sends)
      for (const { id } of values) if (microBatch !== undefined && !reads.has(id)) drop(keyOf(id, false));
  }
  return most;
}

/** How often values of a micro-batch are read on a rank; those that are collected stay to the end. */
function readsOf(parts: readonly Part[]): ReadonlyMap<number, number> {
  const reads = new Map<number, number>();
  for (const { program } of parts)
    for (const input of program?.inputs ?? [])
      if (input.kind === 'collected') reads.set(input.id, Number.POSITIVE_INFINITY);
      else if (input.kind === 'value' && input.of === 'micro-batch')
        reads.set(input.id, (reads.get(input.id) ?? 0) + 1);
  return reads;
}
