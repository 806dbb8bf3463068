// A step in stages as work: each part of the work of each rank (F0, B0, round 0), what they send, and the memory of the rank that
// needs most.
import { type Module, mainOf } from '../../hlo/program.ts';
import { byteSize } from '../../hlo/types.ts';
import type { Transfer } from '../../transforms/pipeline/cut.ts';
import { type PartRun, runsOf } from '../../transforms/pipeline/rank-runs.ts';
import type { StagedProgram } from '../../transforms/pipeline/staged-program.ts';
import type { WorkList } from '../work.ts';
import type { ProgramDivision, StagePart, StageRank, StageSend } from '../workload.ts';
import { type AssumedProgram, countedProgram, type ProgramOptions, recordedProgram } from './recorded-program.ts';
import { type StageArena, stageMemory } from './stage-memory.ts';
import { trainingStateOf } from './training-state.ts';

export interface StagesOptions extends ProgramOptions {
  readonly division: Omit<ProgramDivision, 'collectives' | 'stages'>;
}

/** @param module the step of a device, for all stages */
export function recordedStages(module: Module, staged: StagedProgram, options: StagesOptions): AssumedProgram {
  const whole = recordedProgram(module, options);
  const { target, division } = options;
  const partOptions = { division, ...(target && { target }) };
  const known = new Map<Module, ReturnType<typeof countedProgram>>();
  const counted = (part: Module): ReturnType<typeof countedProgram> => {
    const found = known.get(part) ?? countedProgram(part, partOptions);
    known.set(part, found);
    return found;
  };
  const state = trainingStateOf(mainOf(module));
  const ranks = staged.ranks.map((rank, at) => {
    const runs = runsOf(rank, staged.actions[at]!);
    const order = runs.map(({ name, microBatch }) => ({ part: name, microBatch }));
    const programs = partsOf(runs).flatMap(({ name, kind, part }) =>
      part.program === undefined ? [] : [[name, { ...counted(part.program.module), kind }] as const],
    );
    const arenas = new Map<string, StageArena>(
      programs.map(([name, { program, arenaBytes }]) => [
        name,
        { bytes: arenaBytes, constants: program.memory['program and runtime'] ?? 0 },
      ]),
    );
    const parts = Object.fromEntries(
      programs.map(([name, { program, kind }]): [string, StagePart] => [
        name,
        {
          work: [...program.forward, ...program.backward, ...program.optimizer],
          collectives: program.division!.collectives,
          phase: phases[kind],
        },
      ]),
    );
    const largest = (of: (program: AssumedProgram) => number): number =>
      Math.max(0, ...programs.map(([, { program }]) => of(program)));
    const memory = stageMemory({ module, state, rank, at, order, homes: staged.homes, arenas });
    return {
      stage: { order, parts, memory } satisfies StageRank,
      total: Object.values(memory).reduce((sum, bytes) => sum + bytes, 0),
      ops: programs.reduce((sum, [, { program }]) => sum + program.ops, 0),
      scratchBytes: largest(({ scratchBytes }) => scratchBytes),
    };
  });
  const fullest = ranks.reduce((most, rank) => (rank.total > most.total ? rank : most));
  const stages = ranks.map(({ stage }) => stage);
  const { forward, backward, optimizer } = averaged(stages);
  return {
    ...whole,
    forward,
    backward,
    optimizer,
    ops: Math.max(...ranks.map(({ ops }) => ops)),
    scratchBytes: Math.max(...ranks.map(({ scratchBytes }) => scratchBytes)),
    memory: fullest.stage.memory,
    division: { ...division, collectives: [], stages: { ranks: stages, sends: sendsOf(staged) } },
    assumptions: [...new Set([...whole.assumptions, ...[...known.values()].flatMap(({ onWork }) => [...onWork])])],
  };
}

const phases: Readonly<Record<PartRun['kind'], StagePart['phase']>> = {
  before: 'forward',
  F: 'forward',
  B: 'backward',
  I: 'backward',
  W: 'backward',
  update: 'optimizer',
};
const partsOf = (runs: readonly PartRun[]): readonly PartRun[] => [
  ...new Map(runs.map(run => [run.name, run])).values(),
];

function sendsOf({ ranks, actions, ranksAt }: StagedProgram): readonly StageSend[] {
  const parts = ranks.flatMap((rank, at) => partsOf(runsOf(rank, actions[at]!)));
  const receivers = new Map<number, string>();
  for (const { name, part } of parts) for (const { channel } of part.receives) receivers.set(channel, name);
  const send = (after: string, { channel, from, to, values }: Transfer): StageSend => ({
    after,
    before: receivers.get(channel)!,
    from,
    to,
    bytes: values.reduce((sum, { type }) => sum + byteSize(type), 0),
    pairs: ranksAt[from]!.map((device, i) => [device, ranksAt[to]![i]!] as const),
  });
  return parts.flatMap(({ name, part }) => part.sends.map(each => send(name, each)));
}

/** The work of a device on average. */
function averaged(ranks: readonly StageRank[]): Readonly<Record<StagePart['phase'], WorkList[]>> {
  const lists: Record<StagePart['phase'], WorkList[]> = { forward: [], backward: [], optimizer: [] };
  for (const { order, parts } of ranks)
    for (const [name, { work, phase }] of Object.entries(parts)) {
      const count = order.filter(({ part }) => part === name).length / ranks.length;
      for (const list of work) lists[phase].push({ ...list, times: list.times * count });
    }
  return lists;
}
