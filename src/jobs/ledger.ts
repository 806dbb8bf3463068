// Who has which instances: the jobs of all kinds that have a runner, and the capacity blocks. A job has its instances while its
// row has a runner, so the ledger and the states of the jobs cannot disagree. Only the server gives instances.
import type { CapacityStore } from './capacity/capacity-store.ts';
import type { InstancePool } from './instance-pool.ts';
import type { InstanceClaim } from './job.ts';
import type { JobStore } from './store/job-store.ts';
import type { WaitReason } from './wait-reason.ts';

export interface LedgerSources {
  readonly jobs: JobStore;
  readonly pool: InstancePool;
  readonly capacity: CapacityStore;
  /** The clock of capacity blocks. */
  readonly now: () => number;
}

export const countOf = (claims: readonly InstanceClaim[]): number =>
  claims.reduce((sum, { instanceCount }) => sum + instanceCount, 0);

/** The instances that jobs have now; `add` takes more. */
export class HeldInstances {
  readonly #sources: LedgerSources;
  readonly #claims: InstanceClaim[];

  constructor(sources: LedgerSources) {
    const { training, processing, transform } = sources.jobs;
    this.#sources = sources;
    this.#claims = [training, processing, transform].flatMap(table =>
      table.active().flatMap(({ runner, spec }): InstanceClaim[] => (runner === undefined ? [] : [spec])),
    );
  }

  add(claim: InstanceClaim): void {
    this.#claims.push(claim);
  }

  /** The reason why a job waits; undefined: its instances are free. @param kept instances that are kept for others */
  waitOf(claim: InstanceClaim, kept?: number): WaitReason | undefined {
    return this.#sources.pool.waitOf(claim, this.#claims, kept);
  }

  /** The same for a job in a capacity block: only jobs that have not ended yet can hold it back. */
  waitOfReserved(claim: InstanceClaim): WaitReason | undefined {
    return this.#sources.pool.waitOfReserved(claim, this.#claims);
  }

  /** How many instances of a capacity block jobs have. */
  inBlock(reservation: string): number {
    return countOf(this.#claims.filter(one => one.reservation === reservation));
  }

  /** Instances of a type that blocks reserve now and that no job in a block has. */
  reserved(instanceType: string): number {
    const { capacity, now } = this.#sources;
    const nowMs = now();
    const used = this.#claims.filter(one => one.reservation !== undefined && one.instanceType === instanceType);
    return Math.max(0, capacity.reserved(instanceType.replace(/^ml\./, ''), nowMs, nowMs + 1) - countOf(used));
  }
}
