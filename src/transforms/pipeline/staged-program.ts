// A step in stages as data: the work of all ranks along the pipeline, which a plan prices. As JSON, with a name for each module.
import type { Module } from '../../hlo/program.ts';
import type { Part, RankPart } from './cut.ts';
import type { Action } from './schedules.ts';

export interface StagedProgram {
  /** For each rank, in the order of the schedule. */
  readonly actions: readonly (readonly Action[])[];
  readonly ranks: readonly RankPart[];
  /** For each rank along the pipeline, the ranks of the run that have this coordinate, in one order. */
  readonly ranksAt: readonly (readonly number[])[];
  /** The rank that has each argument; undefined if all have it. */
  readonly homes: readonly (number | undefined)[];
}

type Stored = Omit<Part, 'program'> & {
  readonly program?: Omit<NonNullable<Part['program']>, 'module'> & { readonly module: string };
};
type StoredRank = Omit<RankPart, 'before' | 'tasks' | 'beforeRounds' | 'rounds'> & {
  readonly before: Stored;
  readonly tasks: readonly (readonly [string, Stored])[];
  readonly beforeRounds: Stored;
  readonly rounds: readonly Stored[];
};
export type StoredStages = Omit<StagedProgram, 'ranks' | 'homes'> & {
  readonly ranks: readonly StoredRank[];
  readonly homes: readonly (number | null)[];
};

/** `name` keeps a module, and returns its name. */
export function storedStages(staged: StagedProgram, name: (module: Module) => string): StoredStages {
  const part = ({ program, sends, receives }: Part): Stored => ({
    sends,
    receives,
    ...(program && { program: { ...program, module: name(program.module) } }),
  });
  const ranks = staged.ranks.map(
    (rank): StoredRank => ({
      ...rank,
      before: part(rank.before),
      tasks: [...rank.tasks].map(([key, task]) => [key, part(task)]),
      beforeRounds: part(rank.beforeRounds),
      rounds: rank.rounds.map(part),
    }),
  );
  return { ...staged, ranks, homes: staged.homes.map(home => home ?? null) };
}

export function stagesOfStored(stored: StoredStages, module: (name: string) => Module): StagedProgram {
  const part = ({ program, sends, receives }: Stored): Part => ({
    sends,
    receives,
    program: program && { ...program, module: module(program.module) },
  });
  const ranks = stored.ranks.map(
    (rank): RankPart => ({
      ...rank,
      before: part(rank.before),
      tasks: new Map(rank.tasks.map(([key, task]) => [key, part(task)])),
      beforeRounds: part(rank.beforeRounds),
      rounds: rank.rounds.map(part),
    }),
  );
  return { ...stored, ranks, homes: stored.homes.map(home => home ?? undefined) };
}
