// Step times of Megatron-LM on A100s (Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer
// Models", tables 3 and 5), the eight points that Calculon validates itself with. NVIDIA's Selene: 8 A100-80GB and 8 × 200 Gb/s
// InfiniBand per node.
import { type Machine, machineOf } from '../../hardware/index.ts';
import type { Layout } from '../layout.ts';

export interface MegatronPoint {
  readonly model: string;
  readonly layout: Layout;
  readonly nodes: number;
  readonly seconds: number;
}

/** A p4de with Selene's network. */
export function selene(): Machine {
  const network = { name: '8 × HDR InfiniBand', bandwidth: 200e9, latency: 5e-6 };
  return { ...machineOf('p4de.24xlarge'), name: 'DGX A100 (Selene)', network, prices: [] };
}

const points = (
  model: string,
  pipeline: number,
  microBatch: number,
  globalBatch: number,
  interleave: number,
  full: number,
  selective: number,
): readonly MegatronPoint[] => {
  const common = {
    data: 1,
    tensor: 8,
    pipeline,
    interleave,
    expert: 1,
    zero1: false,
    microBatch,
    microBatches: globalBatch / microBatch,
  } as const;
  return [
    { model, nodes: pipeline, seconds: full, layout: { ...common, sequenceParallel: false, recompute: 'full' } },
    {
      model,
      nodes: pipeline,
      seconds: selective,
      layout: { ...common, sequenceParallel: true, recompute: 'selective' },
    },
  ];
};

export const megatronPoints: readonly MegatronPoint[] = [
  ...points('megatron-22b', 1, 4, 4, 1, 1.42, 1.1),
  ...points('megatron-175b', 8, 1, 64, 3, 18.13, 13.75),
  ...points('megatron-530b', 35, 1, 280, 3, 49.05, 37.83),
  ...points('megatron-1t', 64, 1, 512, 1, 94.42, 71.49),
];
