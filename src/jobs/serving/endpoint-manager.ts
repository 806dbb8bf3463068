// Keeps endpoints in their desired state: starts and ends replicas, changes the states of endpoints, moves traffic to new fleets,
// and rolls back. All its state is in the store: a new server continues where the old one ended, and adopts the running replicas.
//
//   tick: dead replicas ─► replicas of no fleet drain ─► missing ones start ─► state ─► router
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedVariables } from '../../base/environment.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { lifeOf } from '../../base/process-identity.ts';
import { isGone } from '../process-life.ts';
import type { InstancePool } from '../training/instance-pool.ts';
import { type EndpointMover, type EndpointStatus, isInProgress, mayMoveEndpoint } from './endpoint-states.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { ReplicaArguments } from './replica-main.ts';
import type { Fleet, FleetVariant, Replica, ServingEndpoint, TrafficPlan } from './resources.ts';
import { type Invoked, type InvokeOptions, type LiveFleets, LiveVariant, pickVariant } from './router.ts';
import { type EndpointTraffic, type TrafficStore, VariantMeter } from './traffic.ts';

export interface EndpointManagerOptions {
  readonly store: EndpointStore;
  readonly traffic: TrafficStore;
  readonly pool: InstancePool;
  /** The server's folder. */
  readonly data: string;
  /** The file with images, for the supervisors. */
  readonly images: string | undefined;
  /** The program of the image `trenio`. */
  readonly serveProgram: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** A change of a variant that a client asked for. */
export interface VariantChange {
  readonly weight: number | undefined;
  readonly count: number | undefined;
}

/** The endpoint is being changed: it can be neither updated nor deleted now. */
export class InProgressError extends Error {}

const BUSY_TICK_MS = 50;
const TICK_MS = 500;
const SEEN_EVERY_MS = 5000;
/** A supervisor names itself within this time. */
const START_MS = 30_000;
/** A replica that drains is ended when it has answered, and at the latest after this time. */
const MAX_DRAIN_MS = 75_000;
/** Between the ends of requests and the signal: a request may be on its way. */
const DRAIN_QUIET_MS = 100;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 60_000;
const main = fileURLToPath(
  new URL(`./replica-main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

interface Live {
  endpoint: ServingEndpoint;
  active: LiveFleets | undefined;
  next: LiveFleets | undefined;
}

export class EndpointManager {
  readonly #options: EndpointManagerOptions;
  readonly #live = new Map<string, Live>();
  /** Variants of fleets that end, with the fleet: requests that they have taken are answered. */
  readonly #retired = new Map<LiveVariant, string>();
  /** By endpoint and variant, whatever its fleet. */
  readonly #meters = new Map<string, VariantMeter>();
  /** When a replica may be started after others have failed, by fleet and variant. */
  readonly #backoff = new Map<string, { untilMs: number; ms: number }>();
  readonly #drainingSinceMs = new Map<string, number>();
  readonly #asked = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #seenMs = 0;
  #isClosed = false;

  constructor(options: EndpointManagerOptions) {
    this.#options = options;
    makeFolder(join(options.data, 'replicas'), 0o700);
  }

  start(): void {
    this.#options.store.serverSeen(this.#options.now());
    this.#tickLater(0);
  }

  /** Replicas continue to run; the next server adopts them. */
  stop(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { active, next } of this.#live.values())
      for (const fleets of [active, next]) for (const variant of fleets?.variants.values() ?? []) variant.close();
    for (const meter of this.#meters.values()) meter.flush();
    this.#live.clear();
  }

  /** False if there is an endpoint of this name. */
  create(
    endpoint: Pick<ServingEndpoint, 'name' | 'arn' | 'tags' | 'request' | 'deploymentConfig'>,
    fleet: Fleet,
  ): boolean {
    const { store, now } = this.#options;
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
   * Starts a fleet next to the one that runs.
   * @throws {InProgressError}
   */
  update(name: string, fleet: Fleet, plan: TrafficPlan, deploymentConfig: unknown): void {
    const { store, now } = this.#options;
    store.endpoints.update(name, endpoint => ({
      ...this.#moved(endpoint, 'Updating', 'client'),
      update: { fleet, plan, startedMs: now(), step: undefined, stepMs: now() },
      failureReason: undefined,
      deploymentConfig,
    }));
    this.#tickLater(0);
  }

  /**
   * Changes the weights and sizes of variants of the fleet that runs.
   * @throws {InProgressError}
   */
  resize(name: string, changes: ReadonlyMap<string, VariantChange>): void {
    const { store } = this.#options;
    store.endpoints.update(name, endpoint => {
      const moved = this.#moved(endpoint, 'Updating', 'client');
      return { ...moved, failureReason: undefined, fleet: endpoint.fleet && changed(endpoint.fleet, changes) };
    });
    this.#tickLater(0);
  }

  /** @throws {InProgressError} */
  remove(name: string): void {
    this.#options.store.endpoints.update(name, endpoint => ({
      ...this.#moved(endpoint, 'Deleting', 'client'),
      fleet: undefined,
      update: undefined,
    }));
    this.#tickLater(0);
  }

  /** Undefined if there is no endpoint of this name that answers. @throws {UnknownVariantError} {NoCapacityError} */
  async invoke(name: string, options: InvokeOptions): Promise<Invoked | undefined> {
    const live = this.#live.get(name);
    if (live?.active === undefined) return undefined;
    const { update } = live.endpoint;
    const share = update?.step === undefined ? 0 : (update.plan.steps[update.step]?.share ?? 0);
    const fleets = live.next !== undefined && Math.random() < share ? live.next : live.active;
    const variant = pickVariant(fleets, options.variant);
    if (variant.spec.desiredCount === 0) this.#wake(name, variant.spec);
    return variant.invoke(fleets.fleet, options);
  }

  /** The shadow variants of a fleet that runs. */
  shadows(name: string, fleet: Fleet): readonly LiveVariant[] {
    const live = this.#live.get(name);
    const fleets = [live?.active, live?.next].find(one => one?.fleet.id === fleet.id);
    return [...(fleets?.variants.values() ?? [])].filter(({ spec }) => spec.isShadow);
  }

  /** The activity of an endpoint, for operators. Undefined: there is none with this name. */
  traffic(name: string, fromMs: number): Omit<EndpointTraffic, 'backlog'> | undefined {
    const { store, traffic } = this.#options;
    const endpoint = store.endpoints.get(name);
    if (endpoint === undefined) return undefined;
    const live = this.#live.get(name);
    const replicas = store.replicas(name);
    return {
      name,
      status: endpoint.status,
      configName: endpoint.configName,
      variants:
        (endpoint.fleet ?? endpoint.update?.fleet)?.variants.map(spec => {
          const variant = live?.active?.variants.get(spec.name) ?? live?.next?.variants.get(spec.name);
          return {
            name: spec.name,
            isShadow: spec.isShadow,
            weight: spec.currentWeight,
            desiredCount: spec.desiredCount,
            instanceType: spec.instanceType,
            modelName: spec.modelName,
            replicas: replicas
              .filter(one => one.variant === spec.name)
              .map(({ id, status, createdMs, readyMs }) => ({
                id,
                status,
                outstanding: variant?.outstandingOf(id) ?? 0,
                createdMs,
                readyMs,
              })),
            outstanding: variant?.meter.outstanding ?? 0,
            waiting: variant?.waiting ?? 0,
            minutes: [
              ...traffic.minutes(name, spec.name, fromMs),
              ...(variant === undefined ? [] : [variant.meter.minute]),
            ],
          };
        }) ?? [],
    };
  }

  /** Variants that run, of all endpoints, with the size that they have. */
  liveVariants(): readonly { readonly endpoint: ServingEndpoint; readonly variant: LiveVariant }[] {
    return [...this.#live.values()].flatMap(({ endpoint, active }) =>
      [...(active?.variants.values() ?? [])].map(variant => ({ endpoint, variant })),
    );
  }

  /** Sets the number of instances that a variant should have; the endpoint stays in service. */
  scale(name: string, variant: string, count: number): void {
    this.#options.store.endpoints.update(name, endpoint =>
      endpoint.fleet === undefined
        ? undefined
        : { ...endpoint, fleet: changed(endpoint.fleet, new Map([[variant, { count, weight: undefined }]])) },
    );
    this.#tickLater(0);
  }

  /** One look at all endpoints. */
  tick(): void {
    const { store, now, log } = this.#options;
    if (now() - this.#seenMs >= SEEN_EVERY_MS) {
      this.#seenMs = now();
      store.serverSeen(now());
    }
    let isBusy = false;
    const names = new Set<string>();
    for (const endpoint of store.endpoints.all()) {
      names.add(endpoint.name);
      try {
        isBusy = this.#reconcile(endpoint) || isBusy;
      } catch (error) {
        log(`endpoint ${endpoint.name}: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
    for (const replica of store.replicas()) if (!names.has(replica.endpoint)) this.#end(replica);
    this.#tickLater(isBusy ? BUSY_TICK_MS : TICK_MS);
  }

  #tickLater(ms: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.tick(), ms);
  }

  /** Whether something is under way. */
  #reconcile(endpoint: ServingEndpoint): boolean {
    const { store } = this.#options;
    const replicas = store
      .replicas(endpoint.name)
      .map(one => this.#looked(one))
      .filter(one => one !== undefined);
    const isRollingBack = endpoint.status === 'RollingBack';
    const fleets = [endpoint.fleet, isRollingBack ? undefined : endpoint.update?.fleet].filter(
      one => one !== undefined,
    );
    for (const one of replicas) if (!fleets.some(({ id }) => id === one.fleet)) this.#drain(one);
    for (const fleet of fleets)
      for (const variant of fleet.variants)
        this.#size(
          endpoint,
          fleet,
          variant,
          replicas.filter(one => one.fleet === fleet.id && one.variant === variant.name),
        );
    const after = this.#transition(endpoint, store.replicas(endpoint.name));
    this.#syncLive(endpoint.name, after);
    const present = store.replicas(endpoint.name);
    for (const one of present) if (one.status === 'draining') this.#endIfIdle(after, one);
    return after === undefined || after.status !== 'InService' || present.some(({ status }) => status !== 'ready');
  }

  /** The current state of the replica; it is removed if its supervisor has died. */
  #looked(replica: Replica): Replica | undefined {
    const { store, now, log } = this.#options;
    const { id, process: owner, createdMs } = replica;
    const isDead = owner === undefined ? now() - createdMs > START_MS : isGone(owner, createdMs, now());
    if (!isDead || replica.status === 'failed') return replica;
    this.#forget(id);
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

  /** Starts replicas that are missing, and drains those that are too many. */
  #size(endpoint: ServingEndpoint, fleet: Fleet, variant: FleetVariant, replicas: readonly Replica[]): void {
    const { store, now } = this.#options;
    const isActive = fleet.id === endpoint.fleet?.id;
    const key = `${fleet.id}/${variant.name}`;
    if (isActive)
      for (const { id, reason } of replicas.filter(({ status }) => status === 'failed')) {
        const ms = Math.min(LONGEST_BACKOFF_MS, (this.#backoff.get(key)?.ms ?? FIRST_BACKOFF_MS / 2) * 2);
        this.#backoff.set(key, { ms, untilMs: now() + ms });
        this.#options.log(`endpoint ${endpoint.name}: the replica ${id} of ${variant.name} failed: ${reason}`);
        store.removeReplica(id);
      }
    const alive = replicas.filter(({ status }) => status === 'starting' || status === 'ready');
    const surplus = alive
      .toSorted((a, b) => rankOf(a) - rankOf(b) || b.createdMs - a.createdMs)
      .slice(0, Math.max(0, alive.length - variant.desiredCount));
    for (const one of surplus) this.#drain(one);
    // A fleet that is tried is given up if one of its replicas fails.
    if (!isActive && replicas.some(({ status }) => status === 'failed')) return;
    if (isActive && alive.length > 0 && alive.every(({ status }) => status === 'ready')) this.#backoff.delete(key);
    if (now() < (this.#backoff.get(key)?.untilMs ?? 0)) return;
    for (let i = alive.length; i < variant.desiredCount; i++) this.#launch(endpoint, fleet, variant);
  }

  #launch({ name }: ServingEndpoint, fleet: Fleet, variant: FleetVariant): void {
    const { store, now, data, images, pool, serveProgram, log } = this.#options;
    const id = `i-${randomBytes(9).toString('hex').slice(0, 17)}`;
    store.addReplica({
      id,
      endpoint: name,
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
      env: inheritedVariables(),
    });
    closeSync(output);
    supervisor.once('error', error => log(`the supervisor of ${id} could not be started: ${error.message}`));
    supervisor.unref();
  }

  #transition(endpoint: ServingEndpoint, replicas: readonly Replica[]): ServingEndpoint | undefined {
    const { store, traffic, now } = this.#options;
    const { status, update, fleet, name } = endpoint;
    const change = (to: (one: ServingEndpoint) => ServingEndpoint): ServingEndpoint | undefined =>
      store.endpoints.update(name, one => (one.status === status ? to(one) : undefined));
    switch (status) {
      case 'Deleting':
        if (replicas.length > 0) return endpoint;
        store.endpoints.remove(name);
        traffic.remove(name, now());
        return undefined;
      case 'RollingBack':
        if (replicas.some(one => one.fleet === update?.fleet.id)) return endpoint;
        return change(one => ({ ...this.#moved(one, 'InService', 'manager'), update: undefined }));
      case 'Creating':
      case 'Updating':
        if (update === undefined)
          return fleet !== undefined && isComplete(fleet, replicas)
            ? change(one => this.#moved(one, 'InService', 'manager'))
            : endpoint;
        return this.#deploy(endpoint, replicas, change);
      case 'InService':
      case 'Failed':
      case 'UpdateRollbackFailed':
        return endpoint;
    }
  }

  /** The next step of an update. */
  #deploy(
    endpoint: ServingEndpoint,
    replicas: readonly Replica[],
    change: (to: (one: ServingEndpoint) => ServingEndpoint) => ServingEndpoint | undefined,
  ): ServingEndpoint | undefined {
    const { now } = this.#options;
    const { update, fleet } = endpoint;
    if (update === undefined) return endpoint;
    const failed = replicas.find(one => one.fleet === update.fleet.id && one.status === 'failed');
    if (failed !== undefined) {
      const failureReason = failureOf(failed);
      if (fleet !== undefined) return change(one => ({ ...this.#moved(one, 'RollingBack', 'manager'), failureReason }));
      return change(one => ({ ...one, status: 'Failed', update: undefined, failureReason, modifiedMs: now() }));
    }
    if (!isComplete(update.fleet, replicas)) return endpoint;
    const { step, stepMs, plan } = update;
    if (fleet !== undefined && (step === undefined || now() - stepMs < plan.steps[step]!.waitMs)) {
      if (step !== undefined) return endpoint;
      return change(one => ({ ...one, update: { ...update, step: 0, stepMs: now() } }));
    }
    if (fleet !== undefined && step! + 1 < plan.steps.length)
      return change(one => ({ ...one, update: { ...update, step: step! + 1, stepMs: now() } }));
    return change(one => ({
      ...this.#moved(one, 'InService', 'manager'),
      fleet: update.fleet,
      configName: update.fleet.configName,
      update: undefined,
    }));
  }

  #moved(endpoint: ServingEndpoint, to: EndpointStatus, mover: EndpointMover): ServingEndpoint {
    const { status, name } = endpoint;
    if (mover === 'client' && isInProgress(status)) throw new InProgressError(`endpoint ${name} is ${status}`);
    if (!mayMoveEndpoint(status, to, mover))
      throw new Error(`Trenio bug: the ${mover} moved an endpoint from ${status} to ${to}.`);
    return { ...endpoint, status: to, modifiedMs: this.#options.now() };
  }

  /** Updates the router's fleets and replicas. */
  #syncLive(name: string, endpoint: ServingEndpoint | undefined): void {
    const before = this.#live.get(name);
    const replicas = this.#options.store.replicas(name);
    const old = [before?.active, before?.next].filter(one => one !== undefined);
    const fleetsOf = (fleet: Fleet | undefined): LiveFleets | undefined => {
      if (fleet === undefined) return undefined;
      const known = old.find(one => one.fleet.id === fleet.id)?.variants;
      const variants = fleet.variants.map(spec => {
        const variant = known?.get(spec.name) ?? this.#newVariant(name, spec);
        variant.spec = spec;
        variant.sync(replicas.filter(one => one.fleet === fleet.id && one.variant === spec.name));
        return [spec.name, variant] as const;
      });
      return { fleet, variants: new Map(variants) };
    };
    const active = fleetsOf(endpoint?.fleet);
    const next = fleetsOf(endpoint?.update?.fleet);
    const kept = new Set([active?.fleet.id, next?.fleet.id]);
    for (const { fleet, variants } of old)
      if (!kept.has(fleet.id)) for (const variant of variants.values()) this.#retired.set(variant, fleet.id);
    for (const [variant, fleet] of this.#retired) {
      const own = replicas.filter(one => one.fleet === fleet);
      variant.sync(own.filter(one => one.variant === variant.spec.name));
      if (own.length === 0) this.#retired.delete(variant);
    }
    if (endpoint !== undefined) this.#live.set(name, { endpoint, active, next });
    else if (this.#live.delete(name))
      for (const key of this.#meters.keys()) if (key.startsWith(`${name}/`)) this.#meters.delete(key);
  }

  #newVariant(endpoint: string, spec: FleetVariant): LiveVariant {
    const { now, traffic } = this.#options;
    const key = `${endpoint}/${spec.name}`;
    const meter =
      this.#meters.get(key) ??
      new VariantMeter(
        now,
        () => this.#live.get(endpoint)?.active?.variants.get(spec.name)?.readyCount ?? 0,
        minute => traffic.add(endpoint, spec.name, minute),
      );
    this.#meters.set(key, meter);
    return new LiveVariant(spec, meter, now);
  }

  #drain({ id, status }: Replica): void {
    if (status === 'draining') return;
    this.#options.store.updateReplica(id, one => ({ ...one, status: 'draining' }));
  }

  /** Ends a replica that has no more requests. */
  #endIfIdle(endpoint: ServingEndpoint | undefined, replica: Replica): void {
    const { now } = this.#options;
    const live = endpoint && this.#live.get(endpoint.name);
    const variants = [
      ...(live?.active?.variants.values() ?? []),
      ...(live?.next?.variants.values() ?? []),
      ...this.#retired.keys(),
    ];
    const outstanding = variants.reduce((sum, one) => sum + one.outstandingOf(replica.id), 0);
    const sinceMs = this.#drainingSinceMs.get(replica.id) ?? now();
    this.#drainingSinceMs.set(replica.id, sinceMs);
    const drainedMs = now() - sinceMs;
    if (drainedMs > MAX_DRAIN_MS || (outstanding === 0 && drainedMs >= DRAIN_QUIET_MS)) this.#end(replica);
  }

  /** Asks the supervisor to end; it removes the row then. */
  #end({ id, process: owner, status, createdMs }: Replica): void {
    const { store, now, log } = this.#options;
    if (owner === undefined ? now() - createdMs > START_MS : isGone(owner, createdMs, now())) {
      store.removeReplica(id);
      this.#forget(id);
      return;
    }
    // One that has not begun finds that it is not wanted.
    // The number of a process that cannot be looked at may be another's.
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

  #forget(id: string): void {
    this.#drainingSinceMs.delete(id);
    this.#asked.delete(id);
    const output = this.#logFile(id);
    if (statSync(output, { throwIfNoEntry: false })?.size === 0) rmSync(output);
  }

  #logFile(id: string): string {
    return join(this.#options.data, 'replicas', `${id}.log`);
  }

  /** A request for a variant that was scaled to zero. */
  #wake(name: string, { name: variant, scaling }: FleetVariant): void {
    if (scaling !== undefined) this.scale(name, variant, 1);
  }
}

const AT_ONCE: TrafficPlan = { steps: [] };

const rankOf = ({ status }: Replica): number => (status === 'starting' ? 0 : 1);

/** Whether each variant has the replicas that it should have, all of them ready. */
const isComplete = (fleet: Fleet, replicas: readonly Replica[]): boolean =>
  fleet.variants.every(({ name, desiredCount }) => {
    const present = replicas.filter(one => one.fleet === fleet.id && one.variant === name && one.status !== 'draining');
    return present.length === desiredCount && present.every(({ status }) => status === 'ready');
  });

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

/** In the words of SageMaker; its SDK shows them. */
const failureOf = ({ variant, reason }: Replica): string =>
  `The primary container for production variant ${variant} did not pass the ping health check. Please check CloudWatch logs for this endpoint. (${reason})`.slice(
    0,
    1024,
  );
