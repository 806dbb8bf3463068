// The maximum number of iterations of a loop, for programs that are not trusted to end.
import { TrenioError } from '../base/errors.ts';
import type { Op } from './program.ts';

/** @throws {INTERPRETER_STEP_LIMIT} if a loop has more steps than its limit */
export function checkSteps(steps: number, loop: Op, limit: number | undefined): void {
  if (limit !== undefined && steps > limit)
    throw new TrenioError('INTERPRETER_STEP_LIMIT', { limit }, { location: loop.location });
}
