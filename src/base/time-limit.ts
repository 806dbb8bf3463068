// Ends work that cannot be divided into steps, such as one call of a regular expression that comes from a file: it may have been
// made to take exponential time. V8 interrupts the script that calls it.
import { Script } from 'node:vm';

export class OutOfTime extends Error {}

const action = Symbol.for('trenio.timeLimitedAction');
const scope = globalThis as unknown as Record<symbol, (() => void) | undefined>;
let script: Script | undefined;

/** The result of `work`, which must not be asynchronous. @throws {OutOfTime} after that many milliseconds */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  script ??= new Script(`globalThis[Symbol.for('trenio.timeLimitedAction')]()`);
  const outer = scope[action];
  let result: { readonly value: T } | undefined;
  scope[action] = () => {
    result = { value: work() };
  };
  try {
    script.runInThisContext({ timeout: milliseconds });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new OutOfTime();
    throw error;
  } finally {
    scope[action] = outer;
  }
  return result!.value;
}
