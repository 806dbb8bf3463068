// Uniform and normal random numbers that depend only on a seed and an index: a restarted server continues the same search.
import { normalQuantile } from '../../numerics/normal.ts';
import { philoxWords } from '../../numerics/philox.ts';

export interface Random {
  /** In [0, 1). */
  uniform(): number;
  normal(): number;
}

const BATCH = 256;

/** The stream of a trial of a tuning job. */
export function randomOf(seed: number, trial: number): Random {
  let counter = BigInt(trial) << 64n;
  let words: Uint32Array = new Uint32Array(0);
  let at = 0;
  const uniform = (): number => {
    if (at === words.length) {
      words = philoxWords(BigInt(seed), counter, BATCH);
      counter += BigInt(BATCH / 4);
      at = 0;
    }
    return words[at++]! / 2 ** 32;
  };
  return { uniform, normal: () => normalQuantile((Math.floor(uniform() * 2 ** 31) + 0.5) / 2 ** 31) };
}
