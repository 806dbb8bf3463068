// Routes requests to replicas: selects a variant by weight, then its replica with the fewest requests; requests wait if there is
// none. Held in the memory of the server; the endpoint manager updates its replicas.
//
//   invoke ─ variant (target, or weights; share of a new fleet) ─ replica (fewest outstanding) ─ POST /invocations
//                                                                     └ none: wait until one is ready
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pings, type ReplicaAddress } from '../../jobs/model-server/ping.ts';
import type { ReplicaAnswer } from '../../jobs/model-server/replica-answer.ts';
import { NotTakenError, ReplicaClient, type ReplicaRequest } from '../../jobs/model-server/replica-client.ts';
import type { Fleet, FleetVariant, Replica } from './resources.ts';
import { parseRuns, RUNS_HEADER } from './runs-header.ts';
import type { VariantMeter } from './traffic.ts';

/** The endpoint has no variant with this name. */
export class UnknownVariantError extends Error {}
/** There is no replica, and too many requests are waiting for one, or the wait is too long. */
export class NoCapacityError extends Error {}

export interface InvokeOptions extends ReplicaRequest {
  readonly variant?: string | undefined;
}

export interface Invoked {
  readonly variant: FleetVariant;
  readonly fleet: Fleet;
  readonly replica: string;
  readonly answer: ReplicaAnswer;
  /** Must be called when the response has been read or abandoned. `isWhole`: it was read completely. */
  readonly done: (isWhole: boolean) => void;
}

const MAX_WAITING = 1000;
const MAX_ATTEMPTS = 4;
const PING_TIMEOUT_MS = 2000;
const PING_EVERY_MS = 50;

interface LiveReplica {
  readonly id: string;
  readonly address: ReplicaAddress;
  readonly client: ReplicaClient;
  outstanding: number;
  isDraining: boolean;
  /** Whether a connection to it was lost, and it has not answered a ping since. */
  isSuspect: boolean;
}

/** A variant of a running fleet. */
export class LiveVariant {
  spec: FleetVariant;
  readonly meter: VariantMeter;
  readonly #replicas = new Map<string, LiveReplica>();
  readonly #waiting: ((replica: LiveReplica) => void)[] = [];
  #next = 0;
  /** The time of the last request, by the steady clock. */
  lastRequestMs: number;
  readonly #steadyNow: () => number;

  constructor(spec: FleetVariant, meter: VariantMeter, steadyNow = () => performance.now()) {
    this.spec = spec;
    this.meter = meter;
    this.#steadyNow = steadyNow;
    this.lastRequestMs = steadyNow();
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get readyCount(): number {
    return [...this.#replicas.values()].filter(({ isDraining }) => !isDraining).length;
  }

  outstandingOf(id: string): number {
    return this.#replicas.get(id)?.outstanding ?? 0;
  }

  /** Updates the replicas from the store. */
  sync(replicas: readonly Replica[]): void {
    const known = new Set<string>();
    for (const { id, status, address } of replicas) {
      if (address === undefined || (status !== 'ready' && status !== 'draining')) continue;
      known.add(id);
      const live = this.#replicas.get(id);
      if (live !== undefined) live.isDraining ||= status === 'draining';
      else
        this.#add({
          ...{ id, address, client: new ReplicaClient(address), outstanding: 0 },
          ...{ isDraining: status === 'draining', isSuspect: false },
        });
    }
    for (const [id, { client }] of this.#replicas)
      if (!known.has(id)) {
        client.close();
        this.#replicas.delete(id);
      }
  }

  close(): void {
    for (const { client } of this.#replicas.values()) client.close();
    this.#replicas.clear();
  }

  /** @throws {NoCapacityError} */
  async invoke(fleet: Fleet, options: InvokeOptions): Promise<Invoked> {
    const startMs = performance.now();
    this.lastRequestMs = this.#steadyNow();
    this.meter.begin();
    let isCounted = false;
    const count = (modelMs: number, status: number | undefined): void => {
      if (isCounted) return;
      isCounted = true;
      const overheadMs = Math.max(0, performance.now() - startMs - modelMs);
      this.meter.end({ modelMs, overheadMs, status });
    };
    try {
      for (let attempt = 1; ; attempt++) {
        const replica = this.#pick() ?? (await this.#wait(options));
        replica.outstanding++;
        const sentMs = performance.now();
        const done = (): void => {
          replica.outstanding--;
          this.lastRequestMs = this.#steadyNow();
        };
        try {
          const answer = await replica.client.post(options);
          const ran = parseRuns(answer.headers[RUNS_HEADER]);
          if (ran !== undefined) this.meter.batches(ran.runs, ran.items);
          return {
            variant: this.spec,
            fleet,
            replica: replica.id,
            answer,
            done: isWhole => {
              done();
              if (!isWhole && !options.signal?.aborted) void this.#check(replica);
              count(performance.now() - sentMs, isWhole ? answer.status : undefined);
            },
          };
        } catch (error) {
          done();
          if (!(error instanceof NotTakenError)) {
            if (!options.signal?.aborted) void this.#check(replica);
            throw error;
          }
          if (attempt >= MAX_ATTEMPTS) throw new NoCapacityError(error.message, { cause: error });
          // If its process has ended but the manager has not detected this yet, other replicas are preferred.
          const { code } = error.cause as NodeJS.ErrnoException;
          if (code === 'ECONNREFUSED' || code === 'ENOENT') replica.isDraining = true;
        }
      }
    } catch (error) {
      count(0, undefined);
      throw error;
    }
  }

  #add(replica: LiveReplica): void {
    this.#replicas.set(replica.id, replica);
    this.#serveWaiting(replica);
  }

  #serveWaiting(replica: LiveReplica): void {
    if (!replica.isDraining) for (const resolve of this.#waiting.splice(0)) resolve(replica);
  }

  /**
   * Sends no requests to a replica whose connection was lost until it answers a ping. If its program is ending, the system may
   * still accept connections for it, and requests on them would be lost.
   */
  async #check(replica: LiveReplica): Promise<void> {
    if (replica.isSuspect) return;
    replica.isSuspect = true;
    while (!(await pings(replica.address, PING_TIMEOUT_MS))) {
      if (this.#replicas.get(replica.id) !== replica) return;
      await sleep(PING_EVERY_MS, undefined, { ref: false });
    }
    replica.isSuspect = false;
    this.#serveWaiting(replica);
  }

  #pick(): LiveReplica | undefined {
    const ready = [...this.#replicas.values()].filter(({ isDraining, isSuspect }) => !isDraining && !isSuspect);
    if (ready.length <= 1) return ready[0];
    if (this.spec.routing === 'RANDOM') return ready[randomInt(ready.length)];
    const fewest = Math.min(...ready.map(({ outstanding }) => outstanding));
    const candidates = ready.filter(({ outstanding }) => outstanding === fewest);
    return candidates[this.#next++ % candidates.length];
  }

  /** @throws {NoCapacityError} */
  #wait({ timeoutMs, signal }: InvokeOptions): Promise<LiveReplica> {
    if (this.#waiting.length >= MAX_WAITING) throw new NoCapacityError(`${MAX_WAITING} requests wait for an instance`);
    return new Promise((resolve, reject) => {
      const settle = (action: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        const index = this.#waiting.indexOf(take);
        if (index >= 0) this.#waiting.splice(index, 1);
        action();
      };
      const take = (replica: LiveReplica): void => settle(() => resolve(replica));
      const onAbort = (): void => settle(() => reject(new Error('the client closed the connection')));
      const timer = setTimeout(
        () => settle(() => reject(new NoCapacityError('no instance was ready in time'))),
        timeoutMs,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(take);
    });
  }
}

/** The running fleets of an endpoint. */
export interface LiveFleets {
  readonly fleet: Fleet;
  readonly variants: ReadonlyMap<string, LiveVariant>;
}

/** The variant that a request goes to. @throws {UnknownVariantError} */
export function pickVariant(
  { fleet, variants }: LiveFleets,
  target: string | undefined,
  random: () => number = Math.random,
): LiveVariant {
  if (target !== undefined) {
    const variant = variants.get(target);
    if (variant === undefined || variant.spec.isShadow)
      throw new UnknownVariantError(`Variant ${target} not found in endpoint configuration ${fleet.configName}`);
    return variant;
  }
  const production = [...variants.values()].filter(({ spec }) => !spec.isShadow);
  const total = production.reduce((sum, { spec }) => sum + spec.currentWeight, 0);
  let at = random() * total;
  for (const variant of production) {
    at -= variant.spec.currentWeight;
    if (at < 0) return variant;
  }
  return production[0]!;
}
