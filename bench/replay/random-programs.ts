// A hundred random programs with fixed seeds; the first ten are in the fast set.
import { hlo } from 'trenio';
import type { ReplayProgram } from './replay-program.ts';
import { randomChoices, randomProgram } from './trenio.ts';

const count = 100;
const fastCount = 10;
const mostOps = 24;

export const randomPrograms: readonly ReplayProgram[] = Array.from({ length: count }, (_, seed) => ({
  name: `random-${String(seed).padStart(2, '0')}`,
  sets: seed < fastCount ? ['all', 'fast'] : ['all'],
  modules: () => [hlo.moduleOf(randomProgram(randomChoices(seed, mostOps)).func)],
}));
