// One process compiles, the others wait: ranks ask for the same program at the same moment, and compiling it once with
// every core is sooner done than compiling it once a rank. A claim is a file that names its holder; it only saves work.
// Nothing depends on it: a claim whose holder is gone, or that cannot be written, is passed over.
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';

const pollMs = 20;
/** A holder on another machine cannot be asked whether it lives; compiling takes seconds. */
const staleAfterMs = 10 * 60_000;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Calls `make` with the claim on `file` held. While another process holds it, waits, and returns what `ready` gives as
 * soon as that is something.
 */
export function underClaim<T>(file: string, ready: () => T | undefined, make: () => T): T {
  for (;;) {
    const taken = take(file);
    if (taken !== 'held by another') {
      try {
        // It may have become ready between the caller's look and the claim.
        return ready() ?? make();
      } finally {
        if (taken === 'mine') rmSync(file, { force: true });
      }
    }
    while (isHeld(file)) Atomics.wait(sleeper, 0, 0, pollMs);
    const found = ready();
    if (found !== undefined) return found;
  }
}

/** Takes the claim on `file`, if it can be had. */
export function take(file: string): 'mine' | 'held by another' | 'impossible' {
  try {
    const descriptor = openSync(file, 'wx');
    writeSync(descriptor, `${hostname()} ${process.pid}`);
    closeSync(descriptor);
    return 'mine';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'held by another' : 'impossible';
  }
}

/** Whether the claim is there and its holder lives. A dead holder's claim is removed. */
export function isHeld(file: string): boolean {
  try {
    const [host, pid] = readFileSync(file, 'utf8').split(' ');
    const ageMs = Date.now() - statSync(file).mtimeMs;
    // Empty: between its creation and its first byte.
    if (pid === undefined ? ageMs < 1000 : host === hostname() ? isAlive(Number(pid)) : ageMs < staleAfterMs)
      return true;
    rmSync(file, { force: true });
    return false;
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
