// Formats that a recorded program multiplies in, and the same program with its multiplies cast.
import type { MultiplyType } from '../../hardware/machine.ts';
import { flopsOf, type Work, type WorkList } from '../work.ts';
import type { RecordedProgram, StagePart, StageRank } from '../workload.ts';

/** The format of most of its multiply-adds; f32 if it has none. */
export function mainMultiplyType({ forward, backward, optimizer }: RecordedProgram): MultiplyType {
  const flops = new Map<MultiplyType, number>();
  for (const { work, times } of [...forward, ...backward, ...optimizer])
    for (const one of work)
      if (one.kind === 'multiply') flops.set(one.type, (flops.get(one.type) ?? 0) + times * flopsOf(one));
  return [...flops].reduce<readonly [MultiplyType, number]>(
    (most, own) => (own[1] > most[1] ? own : most),
    ['f32', 0],
  )[0];
}

/** Multiplies of f32 in another format, as auto-cast of multiplies does; values in memory keep their format. */
export function castMultiplies<P extends RecordedProgram>(program: P, type: MultiplyType): P {
  const cast = (work: Work): Work => (work.kind === 'multiply' && work.type === 'f32' ? { ...work, type } : work);
  const lists = (all: readonly WorkList[]): readonly WorkList[] =>
    all.map(({ work, times }) => ({ work: work.map(cast), times }));
  const { forward, backward, optimizer, division } = program;
  const castPart = ([name, part]: readonly [string, StagePart]) => [name, { ...part, work: lists(part.work) }] as const;
  const castRank = ({ parts, ...rank }: StageRank): StageRank => ({
    ...rank,
    parts: Object.fromEntries(Object.entries(parts).map(castPart)),
  });
  const stages = division?.stages && { ...division.stages, ranks: division.stages.ranks.map(castRank) };
  const own = { forward: lists(forward), backward: lists(backward), optimizer: lists(optimizer) };
  return { ...program, ...own, ...(stages && { division: { ...division, stages } }) };
}
