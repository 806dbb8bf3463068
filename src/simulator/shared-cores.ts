// The step of virtual hosts that share the cores of one machine, each with one rank of one thread: computation and the
// all-reduce of gradients, from measured steps of one host, and of two numbers of hosts that use all cores.
//
//   cores   ▣▣ compute ▣▣ compute … hosts / cores times ▣▣ all-reduce
//
// Cores are the only resource: the hosts share them for computation and for the all-reduce, whose bytes the kernel copies on
// the same cores (there is no network card), so the two do not overlap. The all-reduce between hosts sends 2 (hosts - 1) times
// the gradient in total, so its time is a constant, for waiting, plus a time for each additional host. The latency of messages
// is not modeled, because gradients are megabytes.

interface MeasuredStep {
  readonly hosts: number;
  readonly ms: number;
}

export interface SharedCoresQuestion {
  readonly hosts: number;
  readonly cores: number;
  /** The step of one host, alone. */
  readonly stepMs: number;
  /** Steps of different numbers of hosts, each at least the number of cores. */
  readonly measured: readonly [MeasuredStep, MeasuredStep];
}

export interface SharedCoresStep {
  readonly ms: number;
  readonly computeMs: number;
  readonly communicationMs: number;
  /** The share of communication in the step. */
  readonly share: number;
}

export function sharedCoresStep({ hosts, cores, stepMs, measured }: SharedCoresQuestion): SharedCoresStep {
  const compute = (count: number): number => stepMs * Math.max(1, count / cores);
  const [few, many] = measured.map(one => ({ hosts: one.hosts, ms: Math.max(0, one.ms - compute(one.hosts)) })) as [
    MeasuredStep,
    MeasuredStep,
  ];
  const perHostMs = Math.max(0, (many.ms - few.ms) / (many.hosts - few.hosts));
  const computeMs = compute(hosts);
  const communicationMs = hosts === 1 ? 0 : Math.max(0, few.ms + perHostMs * (hosts - few.hosts));
  const ms = computeMs + communicationMs;
  return { ms, computeMs, communicationMs, share: communicationMs / ms };
}
