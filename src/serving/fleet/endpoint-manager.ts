// Keeps endpoints in their desired state: starts and ends replicas, changes the states of endpoints, moves traffic to new fleets,
// and rolls back. All its state is in the store: a new server continues where the old one ended, and adopts the running replicas.
//
//   tick: dead replicas ─► replicas without a fleet drain ─► missing ones start ─► state ─► router

import { guarded } from '../../base/guarded.ts';
import { orIfFull } from '../../base/or-if-full.ts';
import { Ages } from '../../jobs/ages.ts';
import type { Clocks } from '../../jobs/clocks.ts';
import { movedEndpoint, nextChange } from './endpoint-changes.ts';
import { LiveEndpoints } from './live-endpoints.ts';
import { ReplicaProcesses, type ReplicaProcessesOptions } from './replica-processes.ts';
import type { Fleet, FleetVariant, Replica, ServingEndpoint, TrafficPlan } from './resources.ts';
import type { Invoked, InvokeOptions } from './router.ts';
import { deregisterEndpoint, scalingOf } from './scaling-policies.ts';
import type { TrafficStore } from './traffic.ts';

export interface EndpointManagerOptions extends ReplicaProcessesOptions {
  readonly traffic: TrafficStore;
}

/** A change of a variant that a client requested. */
export interface VariantChange {
  readonly weight: number | undefined;
  readonly count: number | undefined;
}

const BUSY_TICK_MS = 50;
const TICK_MS = 500;
const SEEN_EVERY_MS = 5000;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 60_000;

export class EndpointManager {
  readonly #options: EndpointManagerOptions;
  readonly #clocks: Clocks;
  /** The ages of the steps of updates. */
  readonly #ages: Ages;
  /** The endpoints that take requests. */
  readonly live: LiveEndpoints;
  readonly #processes: ReplicaProcesses;
  /** When a replica may be started after others have failed, by fleet and variant. */
  readonly #backoff = new Map<string, { untilMs: number; ms: number }>();
  readonly #checkAll: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Whether any change is in progress. */
  #isBusy = false;
  /** By the steady clock. */
  #seenMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: EndpointManagerOptions) {
    this.#options = options;
    this.#clocks = options.clocks;
    this.#ages = new Ages(options.clocks);
    this.live = new LiveEndpoints(options.store, options.traffic, options.clocks, options.log);
    this.#processes = new ReplicaProcesses(options);
    this.#checkAll = guarded('endpoints', () => this.#check(), options.log);
  }

  start(): void {
    this.#options.store.serverSeen(this.#options.clocks.wall());
    this.#tickLater(0);
  }

  /** Replicas continue to run; the next server adopts them. */
  stop(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.live.close();
  }

  /** False if there is an endpoint of this name. */
  create(
    endpoint: Pick<ServingEndpoint, 'name' | 'arn' | 'tags' | 'request' | 'deploymentConfig'>,
    fleet: Fleet,
  ): boolean {
    const {
      store,
      clocks: { wall: now },
    } = this.#options;
    const nowMs = now();
    const isNew = store.endpoints.add({
      ...endpoint,
      createdMs: nowMs,
      modifiedMs: nowMs,
      status: 'Creating',
      configName: fleet.configName,
      fleet: undefined,
      update: { fleet, plan: AT_ONCE, startedMs: nowMs, step: undefined, stepMs: nowMs },
      failureReason: undefined,
    });
    this.#tickLater(0);
    return isNew;
  }

  /**
   * Starts a fleet next to the running one.
   * @throws {InProgressError}
   */
  update(name: string, fleet: Fleet, plan: TrafficPlan, deploymentConfig: unknown): void {
    const {
      store,
      clocks: { wall: now },
    } = this.#options;
    store.endpoints.update(name, endpoint => ({
      ...movedEndpoint(endpoint, 'Updating', 'client', now()),
      update: { fleet, plan, startedMs: now(), step: undefined, stepMs: now() },
      failureReason: undefined,
      deploymentConfig,
    }));
    this.#tickLater(0);
  }

  /**
   * Changes the weights and sizes of variants of the running fleet.
   * @throws {InProgressError}
   */
  resize(name: string, changes: ReadonlyMap<string, VariantChange>): void {
    const {
      store,
      clocks: { wall: now },
    } = this.#options;
    store.endpoints.update(name, endpoint => {
      const moved = movedEndpoint(endpoint, 'Updating', 'client', now());
      return { ...moved, failureReason: undefined, fleet: endpoint.fleet && changed(endpoint.fleet, changes) };
    });
    this.#tickLater(0);
  }

  /** @throws {InProgressError} */
  remove(name: string): void {
    const {
      store,
      clocks: { wall: now },
    } = this.#options;
    store.endpoints.update(name, endpoint => ({
      ...movedEndpoint(endpoint, 'Deleting', 'client', now()),
      fleet: undefined,
      update: undefined,
    }));
    this.#tickLater(0);
  }

  /** Undefined if there is no endpoint of this name that answers. @throws {UnknownVariantError} {NoCapacityError} */
  invoke(name: string, options: InvokeOptions): Promise<Invoked | undefined> {
    return this.live.invoke(name, options, ({ name: variant, scaling }) => {
      const { store } = this.#options;
      if (scaling !== undefined || scalingOf(store, name, variant) !== undefined) this.scale(name, variant, 1);
    });
  }

  /** Sets the desired number of instances of a variant; the endpoint stays in service. */
  scale(name: string, variant: string, count: number): void {
    this.#options.store.endpoints.update(name, endpoint =>
      endpoint.fleet === undefined
        ? undefined
        : { ...endpoint, fleet: changed(endpoint.fleet, new Map([[variant, { count, weight: undefined }]])) },
    );
    this.#tickLater(0);
  }

  /** Checks all endpoints once. */
  tick(): void {
    this.#isBusy = false;
    this.#checkAll();
    this.#tickLater(this.#isBusy ? BUSY_TICK_MS : TICK_MS);
  }

  #check(): void {
    const {
      store,
      clocks: { wall: now },
      log,
    } = this.#options;
    const sinceMs = this.#clocks.steady() - this.#seenMs;
    if (sinceMs >= SEEN_EVERY_MS) {
      this.#seenMs = this.#clocks.steady();
      store.serverSeen(now());
      if (Number.isFinite(sinceMs)) this.#countInstances(sinceMs);
    }
    const names = new Set<string>();
    for (const endpoint of store.endpoints.all()) {
      names.add(endpoint.name);
      try {
        this.#isBusy = this.#reconcile(endpoint) || this.#isBusy;
      } catch (error) {
        log(`endpoint ${endpoint.name}: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
    for (const replica of store.replicas()) if (!names.has(replica.endpoint)) this.#processes.end(replica);
  }

  /** Adds the time since the last count to that of the instances, for their cost. */
  #countInstances(sinceMs: number): void {
    const { store, traffic, clocks } = this.#options;
    for (const { name, fleet, update } of store.endpoints.all())
      for (const replica of store.replicas(name)) {
        const own = [fleet, update?.fleet].find(one => one?.id === replica.fleet);
        const instanceType = own?.variants.find(one => one.name === replica.variant)?.instanceType;
        if (instanceType !== undefined && replica.process !== undefined)
          orIfFull(() => traffic.addInstanceTime(clocks.wall(), name, instanceType, sinceMs));
      }
  }

  #tickLater(ms: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.tick(), ms);
  }

  /** Whether any change is in progress. */
  #reconcile(endpoint: ServingEndpoint): boolean {
    const { store } = this.#options;
    const replicas = store
      .replicas(endpoint.name)
      .map(one => this.#processes.look(one))
      .filter(one => one !== undefined);
    const isRollingBack = endpoint.status === 'RollingBack';
    const fleets = [endpoint.fleet, isRollingBack ? undefined : endpoint.update?.fleet].filter(
      one => one !== undefined,
    );
    for (const one of replicas) if (!fleets.some(({ id }) => id === one.fleet)) this.#processes.drain(one);
    for (const fleet of fleets)
      for (const variant of fleet.variants)
        this.#size(
          endpoint,
          fleet,
          variant,
          replicas.filter(one => one.fleet === fleet.id && one.variant === variant.name),
        );
    const after = this.#transition(endpoint, store.replicas(endpoint.name));
    this.live.sync(endpoint.name, after);
    const present = store.replicas(endpoint.name);
    for (const one of present)
      if (one.status === 'draining') this.#processes.endIfIdle(one, this.live.outstandingOf(after?.name, one.id));
    return after === undefined || after.status !== 'InService' || present.some(({ status }) => status !== 'ready');
  }

  /** Starts missing replicas, and drains surplus ones. */
  #size(endpoint: ServingEndpoint, fleet: Fleet, variant: FleetVariant, replicas: readonly Replica[]): void {
    const { store } = this.#options;
    const isActive = fleet.id === endpoint.fleet?.id;
    const key = `${fleet.id}/${variant.name}`;
    if (isActive)
      for (const { id, reason } of replicas.filter(({ status }) => status === 'failed')) {
        const ms = Math.min(LONGEST_BACKOFF_MS, (this.#backoff.get(key)?.ms ?? FIRST_BACKOFF_MS / 2) * 2);
        this.#backoff.set(key, { ms, untilMs: this.#clocks.steady() + ms });
        this.#options.log(`endpoint ${endpoint.name}: the replica ${id} of ${variant.name} failed: ${reason}`);
        store.removeReplica(id);
      }
    const alive = replicas.filter(({ status }) => status === 'starting' || status === 'ready');
    const surplus = alive
      .toSorted((a, b) => rankOf(a) - rankOf(b) || b.createdMs - a.createdMs)
      .slice(0, Math.max(0, alive.length - variant.desiredCount));
    for (const one of surplus) this.#processes.drain(one);
    // A new fleet is abandoned if one of its replicas fails.
    if (!isActive && replicas.some(({ status }) => status === 'failed')) return;
    if (isActive && alive.length > 0 && alive.every(({ status }) => status === 'ready')) this.#backoff.delete(key);
    if (this.#clocks.steady() < (this.#backoff.get(key)?.untilMs ?? 0)) return;
    for (let i = alive.length; i < variant.desiredCount; i++) this.#processes.launch(endpoint.name, fleet, variant);
  }

  #transition(endpoint: ServingEndpoint, replicas: readonly Replica[]): ServingEndpoint | undefined {
    const {
      store,
      traffic,
      clocks: { wall: now },
    } = this.#options;
    const { status, name } = endpoint;
    const change = nextChange(endpoint, replicas, now, this.#ages);
    if (change === undefined) return endpoint;
    if (change !== 'remove')
      return store.endpoints.update(name, one => (one.status === status ? change(one) : undefined));
    store.endpoints.remove(name);
    deregisterEndpoint(store, name);
    this.#ages.forget(name);
    traffic.remove(name, now());
    return undefined;
  }
}

const AT_ONCE: TrafficPlan = { steps: [] };

const rankOf = ({ status }: Replica): number => (status === 'starting' ? 0 : 1);

const changed = (fleet: Fleet, changes: ReadonlyMap<string, VariantChange>): Fleet => ({
  ...fleet,
  variants: fleet.variants.map(variant => {
    const change = changes.get(variant.name);
    return {
      ...variant,
      currentWeight: change?.weight ?? variant.currentWeight,
      desiredCount: change?.count ?? variant.desiredCount,
    };
  }),
});
