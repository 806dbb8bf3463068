// Whether calls on tensors are recorded as something gradients flow through.
import { TrenioError } from '../base/errors.ts';
import { during } from './during.ts';
import { userLocation } from './location.ts';

let enabled = true;

export const gradEnabled = (): boolean => enabled;

/**
 * Runs `body` without recording gradients: results do not require any. With an async `body`, until its promise settles.
 */
export function noGrad<T>(body: () => T): T {
  return withGradMode(false, body);
}
/** Runs `body` with gradients recorded, inside noGrad. */
export function enableGrad<T>(body: () => T): T {
  return withGradMode(true, body);
}

function withGradMode<T>(mode: boolean, body: () => T): T {
  if (typeof body !== 'function')
    throw new TrenioError(
      'WRONG_ARGUMENT',
      {
        call: mode ? 'enableGrad' : 'noGrad',
        argument: 'its argument',
        got: String(body),
        expected: 'a function',
        fix: 'write noGrad(() => …)',
      },
      { location: userLocation() },
    );
  const before = enabled;
  enabled = mode;
  return during(body, () => {
    enabled = before;
  });
}
