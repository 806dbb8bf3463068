// How vmap handles random numbers: an error, the same for all examples, or different for each.

import type { SourceLocation } from '../../base/errors.ts';
import { TrenioError } from '../../base/errors.ts';

export const randomnessModes = ['error', 'different', 'same'] as const;
/** How random numbers within `func.vmap` behave: an error, the same for all examples, or different for each. */
export type Randomness = (typeof randomnessModes)[number];

const open: { readonly mode: Randomness; readonly size: number }[] = [];

export function withRandomness<T>(mode: Randomness, size: number, body: () => T): T {
  open.push({ mode, size });
  try {
    return body();
  } finally {
    open.pop();
  }
}

/**
 * How many times the random numbers of a call are sampled: once per example of each vmap with different randomness.
 * @throws {RANDOM_IN_VMAP}
 */
export function samplesOfCall(location: SourceLocation | undefined): number {
  if (open.some(({ mode }) => mode === 'error')) throw new TrenioError('RANDOM_IN_VMAP', {}, { location });
  return open.reduce((samples, { mode, size }) => (mode === 'different' ? samples * size : samples), 1);
}
