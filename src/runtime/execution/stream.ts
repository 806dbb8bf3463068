// A stream: executions queued by JavaScript, run in order by a native thread. JavaScript never waits unless
// requested, and objects used by native code are kept alive here until it is done.
import { TrenioError } from '../../base/errors.ts';
import { stepErrors } from '../../compiler/index.ts';
import { hostSpan } from '../../observe/host-spans.ts';
import { operatorFailure } from './custom-operators.ts';
import { type DeviceEvent, doneEvent } from './executable.ts';
import { Launch } from './launch.ts';
import type { Address, NativeLibrary } from './native-library.ts';

/** The maximum number of queued executions; the next one waits. Bounds the memory of results that were not read yet. */
const maxQueued = 32;

export interface Submission {
  /** The name in errors. */
  readonly program: string;
  readonly entry: Address;
  readonly arena: Address;
  readonly args: readonly Address[];
  /** Earlier executions whose results this one reads. */
  readonly after: readonly Ticket[];
  /** Where its times are accumulated, for a profile. */
  readonly profile?: Address | undefined;
  /** Called with its duration, some time after it has run. */
  readonly onDone?: ((nanoseconds: bigint) => void) | undefined;
  /** Objects that must not be garbage-collected while it runs. */
  readonly keepAlive: unknown;
  /** The error of a program that has reported it (`stepErrors.REPORTED`). */
  readonly reported?: () => TrenioError;
  /** The bytes of its results that have not been written yet. */
  readonly freshBytes?: number;
}

/** An execution: queued, running or done. */
export class Ticket implements DeviceEvent {
  readonly program: string;
  readonly launch: Launch;
  readonly onDone: Submission['onDone'];
  readonly freshBytes: number;
  readonly #reported: Submission['reported'];
  readonly #stream: Stream;
  #error: TrenioError | undefined;
  /** Released when it is done. */
  keepAlive: unknown;

  constructor(stream: Stream, submission: Submission) {
    const { program, entry, arena, args, after, profile, onDone, keepAlive, reported, freshBytes = 0 } = submission;
    const deps = after.map(ticket => ticket.launch);
    this.#stream = stream;
    this.#reported = reported;
    this.onDone = onDone;
    this.freshBytes = freshBytes;
    this.program = program;
    this.launch = new Launch(program, entry, arena, args, deps, profile);
    this.keepAlive = [keepAlive, deps];
  }

  get isDone(): boolean {
    return this.launch.isDone;
  }
  get ran(): DeviceEvent['ran'] {
    return this.isDone ? { from: this.launch.startNs, to: this.launch.endNs } : undefined;
  }
  /** Blocks until it is done. Throws if it failed. */
  wait(): void {
    if (!this.isDone) hostSpan('wait', this.program, () => this.#stream.wait(this));
    else this.#stream.wait(this);
    if (this.error !== undefined) throw this.#stream.observe(this);
  }
  /** Resolves when it is done, rejects if it failed. */
  async whenDone(): Promise<void> {
    await this.#stream.whenDone(this);
    this.wait();
  }
  get error(): TrenioError | undefined {
    const { status } = this.launch;
    if (!this.isDone || status === 0) return undefined;
    // Read once: reading clears the operator's error.
    this.#error ??=
      status === stepErrors.REPORTED && this.#reported !== undefined
        ? this.#reported()
        : this.#stream.failure(status, this.program);
    return this.#error;
  }
}

export class Stream {
  /** The rank of this process, named in errors. */
  rank = 0;
  readonly #native: NativeLibrary;
  readonly #runtime: Address;
  #queued: Ticket[] = []; // in the order submitted, so done ones come first
  #busyNs = 0n;
  #asyncWait: Promise<void> | undefined;
  #closed = false;
  /** Whether a failure was reported: later failures are mostly its consequences. */
  #failureObserved = false;

  /** `runtime` must have no other stream. */
  constructor(native: NativeLibrary, runtime: Address) {
    this.#native = native;
    this.#runtime = runtime;
  }

  /** The error for the return code of a step. */
  failure(status: number, program: string): TrenioError {
    switch (status) {
      case stepErrors.PEER_LOST:
        return new TrenioError('PEER_LOST', { program, rank: this.rank, reason: this.#reason(status) });
      case stepErrors.TIMED_OUT:
        return new TrenioError('COLLECTIVE_TIMEOUT', { program, rank: this.rank, reason: this.#reason(status) });
      case stepErrors.DIVERGED:
        return new TrenioError('RANKS_DIVERGED', { program, rank: this.rank });
      case stepErrors.OPERATOR_FAILED:
        return operatorFailure() ?? new TrenioError('STEP_FAILED', { program, status });
      case stepErrors.LOOP_LIMIT:
        return new TrenioError('LOOP_LIMIT', { program });
      case stepErrors.DEADLOCK:
        return new TrenioError('DEADLOCK', { waits: this.#reason(status) });
      default:
        return new TrenioError('STEP_FAILED', { program, status });
    }
  }

  #reason(status: number): string {
    return this.#native.reason(this.#runtime, status);
  }

  /** Queues an execution. Throws the failure of an earlier one that was not reported yet. */
  submit(submission: Submission): Ticket {
    if (this.#closed) throw new TrenioError('RUNTIME_CLOSED', { action: `${submission.program} was run` });
    if (this.#queued.length >= maxQueued) this.wait(this.#queued[0]!);
    this.#release(true);
    const ticket = new Ticket(this, submission);
    this.#queued.push(ticket);
    this.#native.submit(this.#runtime, ticket.launch.address);
    return ticket;
  }

  wait(ticket: Ticket): void {
    if (!ticket.isDone) this.#native.wait(this.#runtime, ticket.launch.address);
    this.#release(false);
  }

  /** Resolves, on the event loop, when `ticket` is done; never rejects. A single native thread waits for all callers. */
  async whenDone(ticket: Ticket): Promise<void> {
    while (!ticket.isDone) {
      const next = this.#queued.find(queued => !queued.isDone) ?? ticket;
      this.#asyncWait ??= this.#native.waitAsync(this.#runtime, next.launch.address).finally(() => {
        this.#asyncWait = undefined;
        this.#release(false);
      });
      await this.#asyncWait;
    }
  }

  /** Blocks until all queued work is done. Throws the first failure that was not reported yet. */
  synchronize(): void {
    const last = this.#queued.at(-1);
    if (last !== undefined && !last.isDone) this.#native.wait(this.#runtime, last.launch.address);
    this.#release(true);
  }

  /** The last queued execution. */
  record(): DeviceEvent {
    return this.#queued.at(-1) ?? doneEvent;
  }
  /** Bytes that queued executions have allocated but not written yet. */
  get pendingBytes(): number {
    return this.#queued.reduce((sum, ticket) => sum + (ticket.isDone ? 0 : ticket.freshBytes), 0);
  }
  /** Blocks until all queued work is done. Failures are thrown elsewhere. */
  settle(): void {
    const last = this.#queued.at(-1);
    if (last !== undefined) this.wait(last);
  }

  /** Nanoseconds spent in executions that are done. */
  get busyNs(): bigint {
    this.#release(false);
    return this.#busyNs;
  }

  /** Finishes queued work, then ends the threads. Returns the first failure, unless one was reported. */
  close(): TrenioError | undefined {
    if (this.#closed) return undefined;
    this.#closed = true;
    this.#native.close(this.#runtime);
    this.#release(false);
    const failed = this.#failureObserved ? undefined : this.#queued.find(ticket => ticket.error !== undefined);
    this.#queued = [];
    return failed?.error;
  }

  /** The error of a failed execution, which its caller now throws. */
  observe(failed: Ticket): TrenioError {
    this.#failureObserved = true;
    this.#queued = this.#queued.filter(ticket => ticket !== failed);
    return failed.error!;
  }

  #release(throwing: boolean): void {
    let first = 0;
    for (; first < this.#queued.length; first++) {
      const ticket = this.#queued[first]!;
      if (!ticket.isDone) break;
      // A failure stays in the queue until it is reported.
      if (ticket.launch.status !== 0) {
        if (!throwing) break;
        this.#queued.splice(0, first);
        throw this.observe(ticket);
      }
      ticket.keepAlive = undefined;
      const nanoseconds = ticket.launch.endNs - ticket.launch.startNs;
      this.#busyNs += nanoseconds;
      ticket.onDone?.(nanoseconds);
    }
    if (first > 0) this.#queued.splice(0, first);
  }
}
