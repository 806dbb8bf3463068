// The number of instances of variants that have a minimum and a maximum: as many as the requests need at the target
// concurrency, at once when there are more, after a while when there are fewer, and none when there has been no request for
// long.
//
// wanted = requests at a time (mean of the last seconds) / target per instance      size = the largest wanted of the last minute
import type { EndpointManager } from './endpoint-manager.ts';
import type { LiveEndpoints } from './live-endpoints.ts';
import type { Scaling } from './resources.ts';

export interface AutoscalerOptions {
  readonly manager: Pick<EndpointManager, 'scale'> & { readonly live: Pick<LiveEndpoints, 'variants'> };
  readonly now: () => number;
  readonly log: (line: string) => void;
}

const TICK_MS = 2000;
/** Fewer instances only after they were not needed for this long; none at all only after this. */
export const SCALE_IN_AFTER_MS = 60_000;
export const TO_ZERO_AFTER_MS = 300_000;
/** Requests that an instance answers at a time; a model's Environment may say otherwise. */
const DEFAULT_TARGET = 4;
const TARGET_VARIABLE = 'TRENIO_TARGET_CONCURRENCY';

/** How many instances a variant should have. */
export class VariantSize {
  readonly #target: number;
  #wanted: { readonly atMs: number; readonly count: number }[] = [];

  /** @param target requests at a time of one instance */
  constructor(target: number) {
    this.#target = target;
  }

  next(nowMs: number, concurrency: number, idleMs: number, { min, max }: Scaling): number {
    const count = Math.min(max, Math.max(min, Math.ceil(concurrency / this.#target - 1e-9)));
    this.#wanted = [...this.#wanted.filter(({ atMs }) => nowMs - atMs < SCALE_IN_AFTER_MS), { atMs: nowMs, count }];
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
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AutoscalerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  tick(): void {
    const { manager, now, log } = this.#options;
    const seen = new Set<string>();
    for (const { endpoint, variant } of manager.live.variants()) {
      const { spec, meter, lastRequestMs } = variant;
      if (spec.scaling === undefined || endpoint.status !== 'InService') continue;
      const key = `${endpoint.name}/${endpoint.fleet?.id}/${spec.name}`;
      seen.add(key);
      const target = targetOf(spec.container.environment, spec.serverless !== undefined);
      const size = this.#sizes.get(key) ?? new VariantSize(target);
      this.#sizes.set(key, size);
      const concurrency = meter.takeConcurrency();
      const count = size.next(now(), concurrency, now() - lastRequestMs, spec.scaling);
      // None: a request starts the first one.
      if (count === spec.desiredCount || (spec.desiredCount === 0 && concurrency === 0)) continue;
      log(`endpoint ${endpoint.name}: ${spec.name} from ${spec.desiredCount} to ${count} instances`);
      manager.scale(endpoint.name, spec.name, count);
    }
    for (const key of this.#sizes.keys()) if (!seen.has(key)) this.#sizes.delete(key);
  }
}
