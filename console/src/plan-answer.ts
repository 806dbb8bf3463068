// The answer of `trenio plan`, and how its rows are read.

interface Layout {
  readonly data?: number;
  readonly tensor?: number;
  readonly pipeline?: number;
  readonly expert?: number;
  readonly interleave?: number;
  readonly sequenceParallel?: boolean;
  readonly zero1?: boolean;
  readonly shard?: 'gradients' | 'weights';
}
/** The prediction for some machines. */
export interface PlanRow {
  readonly kind?: string;
  readonly machine: string;
  readonly nodes: number;
  readonly devices: number;
  readonly layout: Layout;
  readonly stepSeconds: number;
  readonly samplesPerSecond: number;
  readonly tokensPerSecond: number | null;
  readonly mfu: number;
  readonly bound: string;
  readonly byPhase: Readonly<Record<string, number>>;
  readonly memory: { readonly total: number; readonly capacity: number; readonly fits: boolean };
  readonly training?: {
    readonly seconds: number;
    readonly usd: number | null;
    readonly purchase: string | null;
  } | null;
  readonly seconds?: number | null;
  readonly usd?: number | null;
  readonly purchase?: string | null;
  readonly why?: string;
  readonly reason?: string;
  readonly fix?: string;
}
/** The JSON of `trenio plan`. */
export interface PlanAnswer {
  readonly rows: readonly PlanRow[];
  readonly search: {
    readonly priced: number;
    readonly feasible: number;
    readonly best: PlanRow | null;
    readonly runnersUp: readonly PlanRow[];
    readonly rejected: readonly PlanRow[];
    readonly withoutAny: readonly { readonly machine: string; readonly why: string }[];
  } | null;
  readonly answer: {
    readonly machine: string;
    readonly nodes: number;
    readonly kept: boolean;
    readonly reason: string;
    /** The calls that make its layout. */
    readonly call: string | null;
  };
  readonly warnings: readonly string[];
  readonly assumptions: readonly string[];
}

export const secondsOf = (row: PlanRow): number | null => row.training?.seconds ?? row.seconds ?? null;
export const usdOf = (row: PlanRow): number | null => row.training?.usd ?? row.usd ?? null;
export const purchaseOf = (row: PlanRow): string => row.training?.purchase ?? row.purchase ?? '–';

export const isSameMachines = (a: PlanRow, b: PlanRow): boolean => a.machine === b.machine && a.nodes === b.nodes;

export const layoutOf = (layout: Layout): string => {
  const sizes = Object.entries(layout).flatMap(([name, size]) => {
    const short = { data: 'dp', tensor: 'tp', pipeline: 'pp', expert: 'ep', interleave: 'stages a rank' }[name];
    return short !== undefined && typeof size === 'number' && size > 1 ? [`${short} ${size}`] : [];
  });
  const level = { gradients: 2, weights: 3, none: 1 }[layout.shard ?? 'none'];
  const options = [
    ...(layout.zero1 === true ? [`ZeRO-${level}`] : []),
    ...(layout.sequenceParallel === true ? ['sequence'] : []),
  ];
  return [...sizes, ...options].join(', ') || 'one device';
};
