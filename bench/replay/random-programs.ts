// A hundred random programs, from fixed seeds; the first ten are in the fast set.
import { hlo } from 'trenio';
import type { ReplayProgram } from './replay-program.ts';
import { type Choice, randomProgram } from './trenio.ts';

const count = 100;
const fastCount = 10;

/** Words of 32 bits (mulberry32), the same everywhere. */
function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return (word ^ (word >>> 14)) >>> 0;
  };
}

function moduleOfSeed(seed: number): hlo.Module {
  const next = randomWords(seed);
  const below = (limit: number): number => next() % limit;
  const choice = (): Choice => ({ op: below(1000), picks: [below(4096), below(4096), below(4096), below(4096)] });
  const choices = (most: number): Choice[] => Array.from({ length: 1 + below(most) }, choice);
  return hlo.moduleOf(randomProgram({ inputs: choices(4), ops: choices(24) }).func);
}

export const randomPrograms: readonly ReplayProgram[] = Array.from({ length: count }, (_, seed) => ({
  name: `random-${String(seed).padStart(2, '0')}`,
  sets: seed < fastCount ? ['all', 'fast'] : ['all'],
  modules: () => [moduleOfSeed(seed)],
}));
