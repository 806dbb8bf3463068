// The step of virtual hosts that share the cores of one machine, each with one rank of one thread: computation and the exchange
// of gradients, from the measured steps of one host, and of two numbers of hosts that use all cores.
//
//   cores   ▣▣ compute ▣▣ compute … hosts / cores times ▣▣ exchange
//
// Cores are the only resource: the computation of the hosts shares them, and so does the exchange, whose bytes are copied by
// the kernel on the same cores (there is no network card), so one does not hide the other. The all-reduce between hosts sends
// 2 (hosts - 1) times the gradient in all: the exchange is a constant, of waiting for each other, and a time for each further
// host. Start-up times of messages are not modeled: gradients are megabytes.

interface MeasuredStep {
  readonly hosts: number;
  readonly ms: number;
}

export interface SharedCoresQuestion {
  readonly hosts: number;
  readonly cores: number;
  /** The step of one host, alone. */
  readonly stepMs: number;
  /** Steps with the exchange, of different numbers of hosts, each at least the number of cores. */
  readonly measured: readonly [MeasuredStep, MeasuredStep];
}

export interface SharedCoresStep {
  readonly ms: number;
  readonly computeMs: number;
  readonly exchangeMs: number;
  /** The exchange's part of the step. */
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
  const exchangeMs = hosts === 1 ? 0 : Math.max(0, few.ms + perHostMs * (hosts - few.hosts));
  const ms = computeMs + exchangeMs;
  return { ms, computeMs, exchangeMs, share: exchangeMs / ms };
}
