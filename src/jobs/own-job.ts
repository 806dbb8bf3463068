// A job as its runner changes it: only while it holds the job's lock.
import { orIfFull } from '../base/or-if-full.ts';
import { ownIdentity } from '../base/process-identity.ts';
import type { InstanceJob } from './job.ts';
import { touchRunnerOutput } from './runner-heartbeat.ts';
import type { RunnerSetting } from './runner-setting.ts';
import type { ResourceTable } from './store/resource-table.ts';

/** The pause before a change is tried again on a full disk. */
const FULL_PAUSE_MS = 500;

/** The lock of a job is no longer held: the server gave the job to another runner, or ended it. */
export class LockLostError extends Error {
  constructor(name: string) {
    super(`the lock of the job ${name} is held by another runner`);
    this.name = 'LockLostError';
  }
}

export class OwnJob<T extends InstanceJob> {
  readonly #table: ResourceTable<T>;
  readonly #setting: RunnerSetting;

  constructor(table: ResourceTable<T>, setting: RunnerSetting) {
    this.#table = table;
    this.#setting = setting;
  }

  /** Registers this process as the runner. */
  begin(): T {
    const process = ownIdentity();
    const heartbeatMs = this.#setting.now();
    return this.update(job => job.runner && { ...job, runner: { ...job.runner, process, heartbeatMs } });
  }

  read(): T | undefined {
    return this.#table.get(this.#setting.name);
  }

  /**
   * While the disk is full, the change waits, because a lost state cannot be repeated.
   * @throws {LockLostError}
   */
  update(change: (job: T) => T | undefined): T {
    for (;;) {
      this.showLife();
      const job = this.tryUpdate(change);
      if (job !== undefined) return job;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PAUSE_MS);
    }
  }

  /** Undefined if the disk is full. @throws {LockLostError} */
  tryUpdate(change: (job: T) => T | undefined): T | undefined {
    const { name, token } = this.#setting;
    let job: T | undefined;
    orIfFull(() => {
      let isHeld = false;
      const after = this.#table.update(name, one => {
        isHeld = one.runner?.token === token;
        return isHeld ? change(one) : undefined;
      });
      if (after === undefined || !isHeld) throw new LockLostError(name);
      job = after;
    });
    return job;
  }

  showLife(timeMs = this.#setting.now()): void {
    touchRunnerOutput(this.#setting.output, timeMs);
  }
}
