// Random programs as lists of choices, each a few numbers that select an op and its operands from the values so far: any list
// makes a valid program, and a shorter list or smaller numbers make a simpler one, which allows fast-check to shrink programs.
export interface Choice {
  /** Selects the op. */
  readonly op: number;
  /** Select operands and attributes. */
  readonly picks: readonly [number, number, number, number];
}
export interface ProgramChoices {
  readonly inputs: readonly Choice[];
  readonly ops: readonly Choice[];
}
/** The choices for a seed: for up to four inputs and `mostOps` ops. */
export function randomChoices(seed: number, mostOps: number): ProgramChoices {
  const next = randomWords(seed);
  const below = (limit: number): number => next() % limit;
  const choice = (): Choice => ({ op: below(1000), picks: [below(4096), below(4096), below(4096), below(4096)] });
  const choices = (most: number): Choice[] => Array.from({ length: 1 + below(most) }, choice);
  return { inputs: choices(4), ops: choices(mostOps) };
}

/** 32-bit words (mulberry32). */
export function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return (word ^ (word >>> 14)) >>> 0;
  };
}

/** Selects an element of a list that is not empty. */
export const pick = <T>(list: readonly T[], choice: number): T => list[choice % list.length]!;
