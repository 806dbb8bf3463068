// Stored models, endpoint configurations and endpoints: the requests and their results.
import type { ReplicaAddress } from '../../jobs/model-server/ping.ts';
import type { Container, Folder, Resource } from '../../jobs/store/resources.ts';
import type { EndpointStatus } from './endpoint-states.ts';

export interface Model extends Resource {
  readonly container: Container;
}

/** The limits for the number of instances of an automatically scaled variant. */
export interface Scaling {
  readonly min: number;
  readonly max: number;
}

export interface Variant {
  readonly name: string;
  readonly modelName: string;
  readonly instanceType: string;
  readonly initialCount: number;
  readonly weight: number;
  readonly startupTimeoutMs: number;
  readonly routing: 'LEAST_OUTSTANDING_REQUESTS' | 'RANDOM';
  readonly scaling: Scaling | undefined;
  /** Undefined: it has instances. */
  readonly serverless: { readonly MaxConcurrency: number; readonly MemorySizeInMB: number } | undefined;
}

export interface Capture {
  readonly percentage: number;
  readonly bucket: string;
  readonly prefix: string;
  readonly input: boolean;
  readonly output: boolean;
  readonly csvTypes: readonly string[];
  readonly jsonTypes: readonly string[];
}

export interface AsyncInference {
  readonly output: Folder | undefined;
  readonly failure: Folder | undefined;
  readonly maxPerInstance: number;
}

export interface EndpointConfig extends Resource {
  readonly variants: readonly Variant[];
  readonly shadows: readonly Variant[];
  readonly capture: Capture | undefined;
  readonly asyncInference: AsyncInference | undefined;
}

/** A running variant, with a copy of its model, because models and configurations may be deleted. */
export interface FleetVariant extends Variant {
  readonly isShadow: boolean;
  readonly container: Container;
  /** The current desired number of instances. */
  readonly desiredCount: number;
  /** Its share of the requests, relative to the others'. */
  readonly currentWeight: number;
}

/** The replicas of one configuration. An update starts a second fleet next to the first. */
export interface Fleet {
  readonly id: string;
  readonly configName: string;
  readonly variants: readonly FleetVariant[];
  readonly capture: Capture | undefined;
  readonly asyncInference: AsyncInference | undefined;
}

/** How traffic is shifted to a new fleet: its shares in order, each for a time; the old fleet ends after the last. */
export interface TrafficPlan {
  readonly steps: readonly { readonly share: number; readonly waitMs: number }[];
}

export interface Update {
  readonly fleet: Fleet;
  readonly plan: TrafficPlan;
  readonly startedMs: number;
  /** The step of the plan, from 0; undefined: the fleet is starting. */
  readonly step: number | undefined;
  readonly stepMs: number;
}

export interface ServingEndpoint extends Resource {
  readonly status: EndpointStatus;
  /** The configuration that clients see: the last one requested, which may not run yet. */
  readonly configName: string;
  /** Undefined before the first one is ready. */
  readonly fleet: Fleet | undefined;
  readonly update: Update | undefined;
  readonly failureReason: string | undefined;
  readonly deploymentConfig: unknown;
}

/** A process that answers requests for a variant, or is starting. */
export interface Replica {
  readonly id: string;
  readonly endpoint: string;
  readonly fleet: string;
  readonly variant: string;
  /** `starting`: gets no requests yet. `draining`: gets no more requests. `failed`: did not start; see `reason`. */
  readonly status: 'starting' | 'ready' | 'draining' | 'failed';
  readonly createdMs: number;
  /** Its supervisor; undefined until it has started. */
  readonly process: { readonly pid: number; readonly started: string; readonly realm: string } | undefined;
  readonly address: ReplicaAddress | undefined;
  readonly reason: string | undefined;
  readonly readyMs: number | undefined;
}
