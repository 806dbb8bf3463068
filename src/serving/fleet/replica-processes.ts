// The replicas of endpoints as processes: each has a supervisor (replica-main.ts), which outlives the server.
//
//   launch ─► starting ─► ready ─► drain ─► endIfIdle ─► gone
//                 └─► failed
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerVariables } from '../../base/environment.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { neighbor } from '../../base/neighbor.ts';
import { lifeOf } from '../../base/process-identity.ts';
import { Ages } from '../../jobs/ages.ts';
import type { Clocks } from '../../jobs/clocks.ts';
import type { InstancePool } from '../../jobs/instance-pool.ts';
import { isGone } from '../../jobs/process-life.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { ReplicaArguments } from './replica-main.ts';
import type { Fleet, FleetVariant, Replica } from './resources.ts';

/** The time within which a supervisor must register its process. */
const START_MS = 30_000;
/** A draining replica is ended when it has answered its requests, and at the latest after this time. */
const MAX_DRAIN_MS = 75_000;
/** The delay between the end of the last request and the signal: another request may be on its way. */
const DRAIN_QUIET_MS = 100;
const main = fileURLToPath(neighbor(import.meta.url, './replica-main.ts'));

export interface ReplicaProcessesOptions {
  readonly store: EndpointStore;
  readonly pool: InstancePool;
  /** The server's folder. */
  readonly data: string;
  /** The file with images, for the supervisors. */
  readonly images: string | undefined;
  /** The program of the image `trenio`. */
  readonly serveProgram: string;
  readonly clocks: Clocks;
  readonly log: (line: string) => void;
}

export class ReplicaProcesses {
  readonly #options: ReplicaProcessesOptions;
  readonly #ages: Ages;
  readonly #drainingSinceMs = new Map<string, number>();
  /** Replicas whose supervisors were asked to end. */
  readonly #asked = new Set<string>();

  constructor(options: ReplicaProcessesOptions) {
    this.#options = options;
    this.#ages = new Ages(options.clocks);
    makeFolder(join(options.data, 'replicas'), 0o700);
  }

  /** The current state of the replica; it is removed if its supervisor has died. */
  look(replica: Replica): Replica | undefined {
    const { store, log } = this.#options;
    const { id } = replica;
    if (!this.#isDead(replica) || replica.status === 'failed') return replica;
    this.#forget(id);
    this.#removeFiles(replica);
    if (replica.status === 'draining') {
      store.removeReplica(id);
      return undefined;
    }
    log(`the supervisor of the replica ${id} of ${replica.endpoint} has ended; its output is in ${this.#logFile(id)}`);
    return store.updateReplica(id, one => ({
      ...one,
      status: 'failed',
      reason: one.status === 'failed' ? one.reason : 'its supervisor has ended',
    }));
  }

  /** Adds a replica, and starts its supervisor. */
  launch(endpoint: string, fleet: Fleet, variant: FleetVariant): void {
    const {
      store,
      clocks: { wall: now },
      data,
      images,
      pool,
      serveProgram,
      log,
    } = this.#options;
    const id = `i-${randomBytes(9).toString('hex').slice(0, 17)}`;
    store.addReplica({
      id,
      endpoint,
      fleet: fleet.id,
      variant: variant.name,
      status: 'starting',
      createdMs: now(),
      process: undefined,
      address: undefined,
      reason: undefined,
      readyMs: undefined,
    });
    const args: ReplicaArguments = { data, id, images, cores: pool.coresOf(variant.instanceType), serveProgram };
    const output = openSync(this.#logFile(id), 'a', 0o600);
    const supervisor = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, JSON.stringify(args)], {
      detached: true,
      stdio: ['ignore', output, output],
      env: runnerVariables(),
    });
    closeSync(output);
    supervisor.once('error', error => log(`the supervisor of ${id} could not be started: ${error.message}`));
    supervisor.unref();
  }

  /** Drains a replica: it gets no more requests. */
  drain({ id, status }: Replica): void {
    if (status === 'draining') return;
    this.#options.store.updateReplica(id, one => ({ ...one, status: 'draining' }));
  }

  /** Ends a draining replica once it has answered its `outstanding` requests. */
  endIfIdle(replica: Replica, outstanding: number): void {
    const nowMs = this.#options.clocks.steady();
    const sinceMs = this.#drainingSinceMs.get(replica.id) ?? nowMs;
    this.#drainingSinceMs.set(replica.id, sinceMs);
    const drainedMs = nowMs - sinceMs;
    if (drainedMs > MAX_DRAIN_MS || (outstanding === 0 && drainedMs >= DRAIN_QUIET_MS)) this.end(replica);
  }

  /** Asks the supervisor to end; it removes the row then. */
  end(replica: Replica): void {
    const { id, process: owner, status } = replica;
    const { store, log } = this.#options;
    if (this.#isDead(replica)) {
      store.removeReplica(id);
      this.#forget(id);
      this.#removeFiles(replica);
      return;
    }
    // A supervisor that has not started yet will find that its row is gone.
    // If a process cannot be inspected, its id may belong to another process.
    if (owner === undefined || this.#asked.has(id) || lifeOf(owner) === 'unknown') return;
    if (status === 'failed') {
      store.removeReplica(id);
      return;
    }
    this.#asked.add(id);
    try {
      process.kill(owner.pid, 'SIGTERM');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') log(`replica ${id}: ${String(error)}`);
    }
  }

  /** Whether the supervisor has ended, or has not registered in time. */
  #isDead({ id, process: owner, createdMs }: Replica): boolean {
    const ageMs = this.#ages.of(id, createdMs);
    return owner === undefined ? ageMs > START_MS : isGone(owner, ageMs);
  }

  #forget(id: string): void {
    this.#ages.forget(id);
    this.#drainingSinceMs.delete(id);
    this.#asked.delete(id);
    const output = this.#logFile(id);
    if (statSync(output, { throwIfNoEntry: false })?.size === 0) rmSync(output);
  }

  /** Removes the files of a killed supervisor: its folder, and that of its socket. */
  #removeFiles({ id, address }: Replica): void {
    const folders = [join(this.#options.data, 'replicas', id)];
    if (address !== undefined && 'socketPath' in address) folders.push(dirname(address.socketPath));
    for (const folder of folders)
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch (error) {
        this.#options.log(`the folder ${folder} of a replica that has ended cannot be removed: ${String(error)}`);
      }
  }

  #logFile(id: string): string {
    return join(this.#options.data, 'replicas', `${id}.log`);
  }
}
