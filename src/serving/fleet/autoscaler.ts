// The number of instances of variants that have a minimum and a maximum: as many as the requests need at the target
// concurrency. It increases immediately, decreases after a while, and becomes zero after a long time without requests.
//
// wanted = requests at a time (mean of the last seconds) / target per instance      size = the largest wanted of the last minute
//
// Variants that are registered with Application Auto Scaling have policies instead (scaling-policies.ts): the largest number
// that any policy requires, within the limits of the target.

import { randomUUID } from 'node:crypto';
import { guarded } from '../../base/guarded.ts';
import type { Clocks } from '../../jobs/clocks.ts';
import type { EndpointManager } from './endpoint-manager.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { LiveEndpoints } from './live-endpoints.ts';
import type { Scaling } from './resources.ts';
import type { LiveVariant } from './router.ts';
import { scalingOf } from './scaling-policies.ts';
import type { ScalableTarget, ScalingPolicy } from './scaling-resources.ts';

export interface AutoscalerOptions {
  readonly manager: Pick<EndpointManager, 'scale'> & { readonly live: Pick<LiveEndpoints, 'variants'> };
  readonly store: EndpointStore;
  readonly clocks: Clocks;
  readonly log: (line: string) => void;
}

const TICK_MS = 2000;
const MINUTE_MS = 60_000;
/** How many changes are kept for each variant. */
const MAX_ACTIVITIES = 100;
/** How long instances must be unnecessary before their number is reduced, and before it is reduced to zero. */
export const SCALE_IN_AFTER_MS = 60_000;
export const TO_ZERO_AFTER_MS = 300_000;
/** Concurrent requests of an instance; the model's Environment may set another value. */
const DEFAULT_TARGET = 4;
const TARGET_VARIABLE = 'TRENIO_TARGET_CONCURRENCY';

/** The desired number of instances of a variant. */
export class VariantSize {
  readonly #target: number;
  readonly #scaleInAfterMs: number;
  #wanted: { readonly atMs: number; readonly count: number }[] = [];

  /** @param target the load of one instance, such as concurrent requests */
  constructor(target: number, scaleInAfterMs = SCALE_IN_AFTER_MS) {
    this.#target = target;
    this.#scaleInAfterMs = scaleInAfterMs;
  }

  next(nowMs: number, load: number, idleMs: number, { min, max }: Scaling): number {
    const count = Math.min(max, Math.max(min, Math.ceil(load / this.#target - 1e-9)));
    this.#wanted = [...this.#wanted.filter(({ atMs }) => nowMs - atMs < this.#scaleInAfterMs), { atMs: nowMs, count }];
    const size = Math.max(...this.#wanted.map(one => one.count));
    return size === 0 && idleMs < TO_ZERO_AFTER_MS ? Math.max(min, 1) : size;
  }
}

/** Reads the target from a model's environment. */
export function targetOf(environment: Readonly<Record<string, string>>, isServerless: boolean): number {
  const stated = Number(environment[TARGET_VARIABLE]);
  if (stated > 0 && Number.isFinite(stated)) return stated;
  return isServerless ? 1 : DEFAULT_TARGET;
}

export class Autoscaler {
  readonly #options: AutoscalerOptions;
  readonly #sizes = new Map<string, VariantSize>();
  readonly #ended = new Map<string, readonly { readonly atMs: number; readonly count: number }[]>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AutoscalerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(
      guarded('the autoscaler', () => this.tick(), this.#options.log),
      TICK_MS,
    ).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  tick(): void {
    const { manager, store, clocks, log } = this.#options;
    const nowMs = clocks.steady();
    const seen = new Set<string>();
    for (const { endpoint, variant } of manager.live.variants()) {
      const { spec, meter, lastRequestMs } = variant;
      const registered = scalingOf(store, endpoint.name, spec.name);
      if ((spec.scaling === undefined && registered === undefined) || endpoint.status !== 'InService') continue;
      const key = `${endpoint.name}/${endpoint.fleet?.id}/${spec.name}`;
      const load = this.#loadOf(key, meter);
      seen.add(key);
      const idleMs = nowMs - lastRequestMs;
      const sizeOf = (name: string, make: () => VariantSize): VariantSize => {
        seen.add(name);
        const size = this.#sizes.get(name) ?? make();
        this.#sizes.set(name, size);
        return size;
      };
      let count: number;
      if (registered !== undefined)
        count = sizeByPolicies(registered, spec.desiredCount, policy =>
          sizeOf(
            `${key}\n${policy.name}\n${policy.modifiedMs}`,
            () => new VariantSize(policy.value, policy.scaleInAfterMs),
          ).next(nowMs, load[policy.metric], idleMs, registered.target),
        );
      else {
        const target = targetOf(spec.container.environment, spec.serverless !== undefined);
        count = sizeOf(key, () => new VariantSize(target)).next(nowMs, load.concurrency, idleMs, spec.scaling!);
      }
      // No instance: a request starts the first one.
      const isAsleep = spec.desiredCount === 0 && load.concurrency === 0 && (registered?.target.min ?? 0) === 0;
      if (count === spec.desiredCount || isAsleep) continue;
      log(`endpoint ${endpoint.name}: ${spec.name} from ${spec.desiredCount} to ${count} instances`);
      manager.scale(endpoint.name, spec.name, count);
      if (registered !== undefined) this.#record(registered.target, spec.desiredCount, count);
    }
    for (const map of [this.#sizes, this.#ended]) for (const key of map.keys()) if (!seen.has(key)) map.delete(key);
  }

  /** The current load of a variant: concurrent requests, and the requests of the last minute. */
  #loadOf(key: string, meter: LiveVariant['meter']): Readonly<Record<ScalingPolicy['metric'], number>> {
    const nowMs = this.#options.clocks.steady();
    const before = this.#ended.get(key)?.filter(({ atMs }) => nowMs - atMs < MINUTE_MS) ?? [];
    const ended = [...before, { atMs: nowMs, count: meter.takeEnded() }];
    this.#ended.set(key, ended);
    return { concurrency: meter.takeConcurrency(), invocations: ended.reduce((sum, { count }) => sum + count, 0) };
  }

  /** Records the change for DescribeScalingActivities. */
  #record(target: ScalableTarget, from: number, to: number): void {
    const {
      store,
      clocks: { wall: now },
    } = this.#options;
    const own = store.scalingActivities.all().filter(one => one.target === target.name);
    for (const { name } of own.slice(0, Math.max(0, own.length + 1 - MAX_ACTIVITIES)))
      store.scalingActivities.remove(name);
    store.scalingActivities.add({
      name: randomUUID(),
      target: target.name,
      description: `Setting desired instance count to ${to}.`,
      cause: `the load of ${from} instances ${to > from ? 'was above' : 'was below'} the target values of the policies, or their number was outside the limits`,
      createdMs: now(),
      modifiedMs: now(),
    });
  }
}

/** The largest number that a policy requires, within the limits; the current one if scaling is suspended. */
function sizeByPolicies(
  { target, policies }: { readonly target: ScalableTarget; readonly policies: readonly ScalingPolicy[] },
  present: number,
  wantedBy: (policy: ScalingPolicy) => number,
): number {
  const { min, max, suspended } = target;
  const wanted = policies.map(policy => Math.max(wantedBy(policy), policy.canScaleIn ? 0 : present));
  const count = Math.min(max, Math.max(min, wanted.length === 0 ? present : Math.max(...wanted)));
  return (count > present ? suspended.out : suspended.in) ? present : count;
}
