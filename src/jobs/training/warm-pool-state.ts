// The warm pool of a job, as stored with the job; warm-pool.ts manages it.

const warmPoolStatuses = ['Available', 'Terminated', 'Reused', 'InUse'] as const;
export type WarmPoolStatus = (typeof warmPoolStatuses)[number];

export interface WarmPool {
  readonly status: WarmPoolStatus;
  /** When its instances were first taken, by this job or a previous one. */
  readonly clusterSinceMs: number;
  /** The period in which its instances were kept without a job. */
  readonly keptSinceMs?: number | undefined;
  readonly keptUntilMs?: number | undefined;
  /** The name of the job that took it over. */
  readonly reusedBy?: string | undefined;
}

/** The pool of a job that has ended. */
export function poolAtEnd(
  pool: WarmPool | undefined,
  keepAliveSeconds: number | undefined,
  nowMs: number,
): WarmPool | undefined {
  if (pool === undefined) return undefined;
  const kept = { ...pool, keptSinceMs: nowMs };
  return (keepAliveSeconds ?? 0) > 0
    ? { ...kept, status: 'Available' }
    : { ...kept, status: 'Terminated', keptUntilMs: nowMs };
}
