// Training throughput published in AWS Neuron's documentation for trn1.32xlarge, release by release: facts to compare
// predictions with. Copied unchanged; one row per configuration, one number per release. Settings that are not in the documents
// but in recipes of the same team (recomputation, sequence parallelism, kernels) are in `layoutOf`.

import type { EngineConstants } from '../engines/engine.ts';
import type { Layout } from '../layout.ts';
import type { OptimizerName } from '../run.ts';
import type { AttentionKernel, Precision } from '../workload.ts';

/** A configuration that the Neuron documentation publishes the throughput of. */
export interface PublishedTraining {
  /** A name of `modelOf`. */
  readonly model: string;
  /** Tokens per sample. */
  readonly sequence: number;
  /** The number of trn1.32xlarge. */
  readonly nodes: number;
  /** The data types of the training run. */
  readonly precision: Precision;
  /** The optimizer. */
  readonly optimizer: OptimizerName;
  /** How attention is computed. */
  readonly attention: AttentionKernel;
  /** How the work is divided among cores. */
  readonly layout: Layout;
  /** Samples per second, by the release of the SDK. */
  readonly runs: readonly (readonly [release: string, samplesPerSecond: number])[];
  /** Where it is published. */
  readonly source: string;
}

interface Configuration {
  readonly nodes: number;
  readonly tensor: number;
  readonly pipeline: number;
  readonly zero1: boolean;
  readonly microBatch: number;
  readonly globalBatch: number;
}
const neuronTables = 'AWS Neuron documentation, training performance tables of trn1, releases 2.3 to 2.28';
const cores = 32;

/**
 * The rest of a configuration, from the team's own recipes: neuronx-nemo-megatron (bf16) recomputes all activations,
 * NxD (f32 optimizer, ZeRO-1) only those of attention, with a fused softmax (Llama 2; NEURON_FUSE_SOFTMAX) or blocked attention
 * (Llama 3); both split norms along the sequence.
 */
function published(
  model: string,
  sequence: number,
  { nodes, tensor, pipeline, zero1, microBatch, globalBatch }: Configuration,
  precision: Precision,
  optimizer: OptimizerName,
  runs: PublishedTraining['runs'],
  source: string = neuronTables,
): PublishedTraining {
  const data = (nodes * cores) / (tensor * pipeline);
  return {
    model,
    sequence,
    nodes,
    precision,
    optimizer,
    attention: model.startsWith('llama3') ? 'blocked' : zero1 ? 'fused-softmax' : 'unfused',
    layout: {
      data,
      tensor,
      pipeline,
      interleave: 1,
      expert: 1,
      sequenceParallel: tensor > 1,
      zero1,
      microBatch,
      microBatches: globalBatch / (data * microBatch),
      recompute: tensor === 1 ? 'none' : zero1 ? 'selective' : 'full',
    },
    runs,
    source,
  };
}

/** The constants that programs of a release are predicted with: those in use are of the newest ones. */
export function constantsOfRelease(release: string, constants: EngineConstants): EngineConstants {
  if (Number(/^2\.(\d+)/.exec(release)?.[1] ?? 0) >= 20) return constants;
  const known = earlier.get(constants) ?? {
    ...constants,
    neuron: { ...constants.neuron, overlap: constants.neuron.earlierOverlap },
  };
  earlier.set(constants, known);
  return known;
}
/** Times are cached by constants. */
const earlier = new WeakMap<EngineConstants, EngineConstants>();

/** Releases with the slower programs of the first compilers. */
export const isEarly = (release: string): boolean => /^2\.[34](\D|$)/.test(release);

/** Published throughput of training on trn1.32xlarge, which predictions are compared with. */
// biome-ignore format: a table
export const publishedTraining: readonly PublishedTraining[] = [
  published('bert-large', 128, { nodes: 1, tensor: 1, pipeline: 1, zero1: false, microBatch: 16, globalBatch: 16384 }, 'bf16', 'adamw', [['2.3.0-2.4.0', 2845.7], ['2.6.0', 3365], ['2.10.0', 3512], ['2.11.0', 3368.97], ['2.12.0', 3409.78], ['2.13.0', 3614.49], ['2.14.0', 3618.22], ['2.16.0', 3581], ['2.15.0', 3530], ['2.17.0', 3586], ['2.18.0', 3311.59], ['2.20.0', 4379.6], ['2.21.0', 3963], ['2.22.0', 3737.1], ['2.23.0', 3705.1], ['2.24.0', 3714.4], ['2.25.0', 3704.1], ['2.26.0', 3697.71], ['2.27.0', 3836.4653], ['2.28.0', 3826.6103]]),
  published('bert-large', 128, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 16, globalBatch: 262144 }, 'bf16', 'adamw', [['2.3.0-2.4.0', 42132.24], ['2.3.0-2.4.0', 42483.56], ['2.9.0', 48414]]),
  published('bert-large', 512, { nodes: 1, tensor: 1, pipeline: 1, zero1: false, microBatch: 2, globalBatch: 2048 }, 'bf16', 'adamw', [['2.3.0-2.4.0', 478.6]]),
  published('bert-large', 512, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 2, globalBatch: 32768 }, 'bf16', 'adamw', [['2.3.0-2.4.0', 6802.05]]),
  published('gpt3-6.7b', 2048, { nodes: 1, tensor: 8, pipeline: 1, zero1: false, microBatch: 1, globalBatch: 64 }, 'bf16', 'adamw', [['2.3.0-2.4.0', 7.3], ['2.6.0', 8.23]]),
  published('gpt3-6.7b', 2048, { nodes: 16, tensor: 8, pipeline: 1, zero1: false, microBatch: 1, globalBatch: 1024 }, 'bf16', 'adamw', [['2.3.0-2.4.0', 101], ['2.3.0-2.4.0', 109.54], ['2.6.0', 122.13], ['2.9.0', 129], ['2.10.0', 127], ['2.11.0', 135.63], ['2.12.0', 141.57], ['2.13.0', 143.75]]),
  published('bert-large', 512, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 2, globalBatch: 524288 }, 'bf16', 'adamw', [['2.3.0-2.4.0', 7133], ['2.3.0-2.4.0', 7186.5], ['2.4.x', 7187], ['2.9.0', 7522]]),
  published('bert-large', 128, { nodes: 1, tensor: 1, pipeline: 1, zero1: false, microBatch: 8, globalBatch: 16384 }, 'f32', 'adamw', [['2.3.0-2.4.0', 1863.7]]),
  published('bert-large', 512, { nodes: 1, tensor: 1, pipeline: 1, zero1: false, microBatch: 1, globalBatch: 32768 }, 'f32', 'adamw', [['2.3.0-2.4.0', 247.4]]),
  published('bert-large', 128, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 16, globalBatch: 262144 }, 'f32', 'adamw', [['2.3.0-2.4.0', 27256.71]]),
  published('bert-large', 512, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 2, globalBatch: 524288 }, 'f32', 'adamw', [['2.3.0-2.4.0', 3619.25]]),
  published('bert-large', 512, { nodes: 1, tensor: 1, pipeline: 1, zero1: false, microBatch: 2, globalBatch: 32768 }, 'bf16', 'adamw', [['2.6.0', 527.95]]),
  published('bert-large', 128, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 16, globalBatch: 262144 }, 'bf16', 'lamb', [['2.9.0', 41242]]),
  published('bert-large', 128, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 16, globalBatch: 1048576 }, 'bf16', 'lamb', [['2.10.0', 54653], ['2.11.0', 53083.7], ['2.12.0', 53436.34], ['2.13.0', 52585.88], ['2.14.0', 52305.17], ['2.16.0', 53345], ['2.15.0', 53069], ['2.17.0', 53644], ['2.18.0', 52921], ['2.20.0', 61765.4], ['2.21.0', 55102.1], ['2.22.0', 54357.1], ['2.23.0', 53655.8], ['2.24.0', 52515.4], ['2.25.0', 52431.5], ['2.26.0', 55617.28], ['2.27.0', 56923.6521], ['2.28.0', 57407.9207]]),
  published('bert-large', 512, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 2, globalBatch: 524288 }, 'bf16', 'lamb', [['2.10.0', 7741], ['2.11.0', 7453.02], ['2.12.0', 7446.69], ['2.13.0', 7258.34], ['2.14.0', 6997.3584], ['2.16.0', 7350.8], ['2.15.0', 7507], ['2.17.0', 7350], ['2.18.0', 7589], ['2.20.0', 8396.1], ['2.21.0', 7832.4], ['2.22.0', 7800.9]]),
  published('bert-large', 128, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 8, globalBatch: 1048576 }, 'f32', 'lamb', [['2.10.0', 30711], ['2.11.0', 28378.1], ['2.12.0', 28834.39], ['2.13.0', 28402.59], ['2.14.0', 28534.24], ['2.16.0', 28882], ['2.14.0', 28432], ['2.17.0', 28642], ['2.18.0', 29271], ['2.20.0', 31637.3], ['2.21.0', 35144.6], ['2.22.0', 33969.3], ['2.23.0', 33095.9], ['2.24.0', 32365.8], ['2.25.0', 32385], ['2.26.0', 32482.34], ['2.27.0', 32752.7891], ['2.28.0', 32362.6714]]),
  published('bert-large', 128, { nodes: 1, tensor: 1, pipeline: 1, zero1: false, microBatch: 16, globalBatch: 65536 }, 'bf16', 'lamb', [['2.10.0', 3629], ['2.11.0', 3473.2], ['2.12.0', 3520.05], ['2.13.0', 3400.96], ['2.14.0', 3442.49], ['2.16.0', 3813.6], ['2.15.0', 3733], ['2.17.0', 3710.6], ['2.18.0', 3478], ['2.20.0', 4538.5], ['2.21.0', 4137.9], ['2.22.0', 3890.7]]),
  published('bert-large', 128, { nodes: 16, tensor: 1, pipeline: 1, zero1: false, microBatch: 16, globalBatch: 16384 }, 'amp', 'adamw', [['2.11.0', 24518.07], ['2.12.0', 24763.85], ['2.13.0', 25547.62], ['2.14.0', 24518.47], ['2.21.0', 26069.4], ['2.22.0', 26474.4]]),
  published('gpt3-46b', 2048, { nodes: 32, tensor: 8, pipeline: 8, zero1: false, microBatch: 1, globalBatch: 1024 }, 'bf16', 'adamw', [['2.13.0', 45.25], ['2.14.0', 45.9], ['2.16.0', 47], ['2.15.0', 47.2], ['2.17.0', 47.4], ['2.18.0', 48.24]]),
  published('llama2-7b', 4096, { nodes: 16, tensor: 8, pipeline: 1, zero1: false, microBatch: 1, globalBatch: 256 }, 'bf16', 'adamw', [['2.13.1', 49.75]]),
  published('llama2-7b', 4096, { nodes: 32, tensor: 8, pipeline: 4, zero1: false, microBatch: 1, globalBatch: 1024 }, 'bf16', 'adamw', [['2.16.0', 88], ['2.15.0', 82], ['2.17.0', 89]]),
  published('llama2-7b', 4096, { nodes: 16, tensor: 8, pipeline: 1, zero1: true, microBatch: 1, globalBatch: 1024 }, 'bf16-mixed', 'adamw', [['2.16.0', 93.3], ['2.15.0', 81], ['2.17.0', 94.7], ['2.18.0', 92.93], ['2.21.0', 95.14]]),
  published('llama3-70b', 8192, { nodes: 32, tensor: 32, pipeline: 8, zero1: true, microBatch: 1, globalBatch: 1024 }, 'bf16-mixed', 'adamw', [['2.20.0', 7.59], ['2.21.0', 7.97], ['2.22.0', 7.51], ['2.24.0', 7.94]]),
  published('bert-large', 128, { nodes: 1, tensor: 1, pipeline: 1, zero1: false, microBatch: 16, globalBatch: 16384 }, 'bf16', 'adamw', [['2.3', 2873]], 'AWS Neuron documentation, tutorial of BERT pre-training, log of phase 1'),
  published('bert-large', 512, { nodes: 1, tensor: 1, pipeline: 1, zero1: false, microBatch: 2, globalBatch: 32768 }, 'bf16', 'adamw', [['2.3', 495]], 'AWS Neuron documentation, tutorial of BERT pre-training, log of phase 2'),
  published('bert-large', 128, { nodes: 2, tensor: 1, pipeline: 1, zero1: false, microBatch: 16, globalBatch: 16384 }, 'bf16', 'adamw', [['2.6', 6454]], 'aws-neuron-eks-samples, BERT pre-training, log of December 2022'),
  published('gpt3-6.7b', 2048, { nodes: 1, tensor: 8, pipeline: 1, zero1: false, microBatch: 1, globalBatch: 64 }, 'bf16', 'adamw', [['2.3', 7.34]], 'aws-neuron-reference-for-megatron-lm, README'),
  published('gpt3-6.7b', 2048, { nodes: 16, tensor: 8, pipeline: 1, zero1: false, microBatch: 1, globalBatch: 1024 }, 'bf16', 'adamw', [['2.12', 140]], 'aws-neuron-reference-for-megatron-lm, README'),
  published('llama2-7b', 4096, { nodes: 4, tensor: 8, pipeline: 1, zero1: false, microBatch: 1, globalBatch: 256 }, 'bf16', 'adamw', [['2.14', 15.6]], 'aws-neuron-parallelcluster-samples, Llama 2 job'),
  published('llama2-7b', 4096, { nodes: 4, tensor: 8, pipeline: 1, zero1: false, microBatch: 1, globalBatch: 64 }, 'bf16', 'adamw', [['2.14', 11.1]], 'aws-neuron-parallelcluster-samples, Llama 2 fine-tuning'),
  published('llama3-70b', 8192, { nodes: 16, tensor: 32, pipeline: 8, zero1: true, microBatch: 1, globalBatch: 1024 }, 'bf16-mixed', 'adamw', [['2.25', 4.1]], 'awsome-distributed-training, Llama 3 on trn1, README'),
];
