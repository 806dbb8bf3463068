// Endpoints in the memory of the server: the fleets that take requests (router.ts), and their traffic statistics.
import { guarded } from '../../base/guarded.ts';
import type { Clocks } from '../../jobs/clocks.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { Fleet, FleetVariant, ServingEndpoint } from './resources.ts';
import { type Invoked, type InvokeOptions, type LiveFleets, LiveVariant, pickVariant } from './router.ts';
import { type EndpointTraffic, type TrafficStore, VariantMeter } from './traffic.ts';

interface Live {
  endpoint: ServingEndpoint;
  active: LiveFleets | undefined;
  next: LiveFleets | undefined;
}

export class LiveEndpoints {
  readonly #store: EndpointStore;
  readonly #traffic: TrafficStore;
  readonly #clocks: Clocks;
  readonly #log: (line: string) => void;
  readonly #live = new Map<string, Live>();
  /** Variants of fleets that are ending: requests that they have taken are still answered. */
  readonly #retired = new Map<LiveVariant, string>();
  /** By endpoint and variant, in any fleet. */
  readonly #meters = new Map<string, VariantMeter>();

  constructor(store: EndpointStore, traffic: TrafficStore, clocks: Clocks, log: (line: string) => void) {
    this.#store = store;
    this.#traffic = traffic;
    this.#clocks = clocks;
    this.#log = log;
  }

  /** Rejects waiting requests, and stores the counts of the current minute. */
  close(): void {
    for (const { active, next } of this.#live.values())
      for (const fleets of [active, next]) for (const variant of fleets?.variants.values() ?? []) variant.close();
    for (const meter of this.#meters.values()) meter.flush();
    this.#live.clear();
  }

  /**
   * Undefined if there is no endpoint of this name that answers. `wake`: called for a variant that was scaled to zero.
   * @throws {UnknownVariantError} {NoCapacityError}
   */
  async invoke(
    name: string,
    options: InvokeOptions,
    wake: (variant: FleetVariant) => void,
  ): Promise<Invoked | undefined> {
    const live = this.#live.get(name);
    if (live?.active === undefined) return undefined;
    const { update } = live.endpoint;
    const share = update?.step === undefined ? 0 : (update.plan.steps[update.step]?.share ?? 0);
    const fleets = live.next !== undefined && Math.random() < share ? live.next : live.active;
    const variant = pickVariant(fleets, options.variant);
    if (variant.spec.desiredCount === 0) wake(variant.spec);
    return variant.invoke(fleets.fleet, options);
  }

  /** The shadow variants of the running fleet. */
  shadows(name: string, fleet: Fleet): readonly LiveVariant[] {
    const live = this.#live.get(name);
    const fleets = [live?.active, live?.next].find(one => one?.fleet.id === fleet.id);
    return [...(fleets?.variants.values() ?? [])].filter(({ spec }) => spec.isShadow);
  }

  /** The activity of an endpoint, for operators. Undefined: there is none with this name. */
  traffic(name: string, fromMs: number): Omit<EndpointTraffic, 'backlog'> | undefined {
    const endpoint = this.#store.endpoints.get(name);
    if (endpoint === undefined) return undefined;
    const live = this.#live.get(name);
    const replicas = this.#store.replicas(name);
    return {
      name,
      status: endpoint.status,
      configName: endpoint.configName,
      variants:
        (endpoint.fleet ?? endpoint.update?.fleet)?.variants.map(spec => {
          const variant = live?.active?.variants.get(spec.name) ?? live?.next?.variants.get(spec.name);
          // Before the stored minutes are read: the meter stores the minute that it ends.
          const current = variant?.meter.minute;
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
            minutes: [...this.#traffic.minutes(name, spec.name, fromMs), ...(current === undefined ? [] : [current])],
          };
        }) ?? [],
    };
  }

  /** The running variants of all endpoints, with their current sizes. */
  variants(): readonly { readonly endpoint: ServingEndpoint; readonly variant: LiveVariant }[] {
    return [...this.#live.values()].flatMap(({ endpoint, active }) =>
      [...(active?.variants.values() ?? [])].map(variant => ({ endpoint, variant })),
    );
  }

  /** Updates the router's fleets and replicas. */
  sync(name: string, endpoint: ServingEndpoint | undefined): void {
    const before = this.#live.get(name);
    const replicas = this.#store.replicas(name);
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

  /** The requests that a replica has taken and not answered. `endpoint`: undefined if it was removed. */
  outstandingOf(endpoint: string | undefined, replica: string): number {
    const live = endpoint === undefined ? undefined : this.#live.get(endpoint);
    const variants = [
      ...(live?.active?.variants.values() ?? []),
      ...(live?.next?.variants.values() ?? []),
      ...this.#retired.keys(),
    ];
    return variants.reduce((sum, one) => sum + one.outstandingOf(replica), 0);
  }

  #newVariant(endpoint: string, spec: FleetVariant): LiveVariant {
    const key = `${endpoint}/${spec.name}`;
    const meter =
      this.#meters.get(key) ??
      new VariantMeter(
        this.#clocks.wall,
        () => this.#live.get(endpoint)?.active?.variants.get(spec.name)?.readyCount ?? 0,
        minute => guarded('traffic of endpoints', () => this.#traffic.add(endpoint, spec.name, minute), this.#log)(),
      );
    this.#meters.set(key, meter);
    return new LiveVariant(spec, meter, this.#clocks.steady);
  }
}
