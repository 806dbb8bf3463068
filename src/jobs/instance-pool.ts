// The simulated instances of this machine: how many of each type exist, and how many are in use.
//
//   { "instances": [{ "type": "ml.trn1.2xlarge", "count": 4, "cores": 0.5 }],
//     "spot": { "interruptionsPerInstanceHour": "catalog", "seed": 7 } }
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { TrenioError } from '../base/errors.ts';
import { readTextFileNow, reasonOf } from '../base/read-file.ts';
import type { InstanceClaim } from './job.ts';
import type { EngineOfServer } from './training/host-engine.ts';
import { calmMarket, type SpotMarket, spotSchema } from './training/interruption.ts';
import type { WaitReason } from './wait-reason.ts';

const poolSchema = z.strictObject({
  instances: z
    .array(
      z.strictObject({
        type: z.string().regex(/^ml\.[a-z0-9-]+\.[a-z0-9]+$/),
        count: z.int().min(1).max(1000),
        /** The number of this machine's cores for each instance; may be fractional. */
        cores: z.number().positive().optional(),
        /** The memory that its programs may use; by default that of the real instance, limited by this machine's. */
        memoryGb: z.number().positive().optional(),
      }),
    )
    .min(1)
    .optional(),
  /** When spot instances are interrupted; by default only on request. */
  spot: spotSchema.optional(),
});

/** Without a pool file: this many instances of every type, and one job at a time for each core. */
const DEFAULT_COUNT = 16;
/** The limit of instances in the capacity blocks of an account. */
const DEFAULT_RESERVABLE = 256;

export class InstancePool {
  /** How many instances there are of each type; undefined: any type. */
  readonly #countsNow: () => ReadonlyMap<string, number> | undefined;
  readonly #cores: ReadonlyMap<string, number>;
  readonly #memoryGb: ReadonlyMap<string, number | undefined>;
  readonly spot: SpotMarket;

  /** @param counted is asked whenever counts are needed; without it, the counts are those of the file */
  constructor(file?: z.infer<typeof poolSchema>, counted?: EngineOfServer['instances']) {
    const counts = file?.instances && countsOf(file.instances);
    this.#countsNow = counted === undefined ? () => counts : () => countsOf(counted());
    this.spot = file?.spot ?? calmMarket;
    this.#memoryGb = new Map((file?.instances ?? []).map(({ type, memoryGb }) => [type, memoryGb]));
    this.#cores = new Map((file?.instances ?? []).map(({ type, cores }) => [type, cores ?? availableParallelism()]));
  }

  /** The instances that the machines of an engine represent. */
  static ofEngine(engine: EngineOfServer): InstancePool {
    return new InstancePool(undefined, () => engine.instances());
  }

  /** @throws {INVALID_OPTION} if the file cannot be read or is not valid */
  static fromFile(file: string | undefined): InstancePool {
    if (file === undefined) return new InstancePool();
    const fail = (reason: string): never => {
      throw new TrenioError('INVALID_OPTION', {
        what: 'trenio server',
        option: '--pool',
        got: `${file} (${reason})`,
        expected: 'a JSON file such as {"instances": [{"type": "ml.trn1.2xlarge", "count": 4}]}',
      });
    };
    let json: unknown;
    try {
      json = JSON.parse(readTextFileNow(file));
    } catch (error) {
      return fail(reasonOf(error));
    }
    const parsed = poolSchema.safeParse(json);
    return parsed.success ? new InstancePool(parsed.data) : fail(z.prettifyError(parsed.error));
  }

  /** The instance types in the pool file; empty without a file, because then every type is available. */
  types(): readonly string[] {
    return [...(this.#countsNow()?.keys() ?? [])];
  }

  /** The total number of instances of a type. */
  limitOf(instanceType: string): number {
    const counts = this.#countsNow();
    return counts === undefined ? DEFAULT_COUNT : (counts.get(instanceType) ?? 0);
  }

  /** How many cores one instance of a type has here. */
  coresOf(instanceType: string): number {
    return this.#cores.get(instanceType) ?? availableParallelism();
  }

  /** The memory of one instance of a type according to the pool file; undefined if it is not set there. */
  memoryGbOf(instanceType: string): number | undefined {
    return this.#memoryGb.get(instanceType);
  }

  /** How many instances of a type can be reserved at the same time. */
  reservableOf(instanceType: string): number {
    const counts = this.#countsNow();
    return counts === undefined ? DEFAULT_RESERVABLE : (counts.get(instanceType) ?? 0);
  }

  /** The reason why a job with reserved instances waits: only jobs that have not ended yet can hold it back. */
  waitOfReserved(job: InstanceClaim, running: readonly InstanceClaim[]): WaitReason | undefined {
    return this.#countsNow() === undefined ? undefined : this.waitOf(job, running);
  }

  /**
   * The reason why a job waits, next to the running ones; undefined: it fits.
   * @param held instances that are reserved for others
   */
  waitOf(
    { instanceType, instanceCount }: InstanceClaim,
    running: readonly InstanceClaim[],
    held = 0,
  ): WaitReason | undefined {
    if (this.#countsNow() === undefined)
      return running.length < Math.max(1, availableParallelism()) ? undefined : { kind: 'cores' };
    const taken = running
      .filter(one => one.instanceType === instanceType)
      .reduce((sum, one) => sum + one.instanceCount, 0);
    const total = this.limitOf(instanceType);
    const free = Math.max(0, total - taken - held);
    return instanceCount <= free
      ? undefined
      : { kind: 'instances', instanceType, needed: instanceCount, free, total, held };
  }
}

const countsOf = (instances: ReturnType<EngineOfServer['instances']>): ReadonlyMap<string, number> =>
  new Map(instances.map(({ type, count }) => [type, count]));
