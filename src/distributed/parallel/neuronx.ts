// The names of neuronx-distributed (NxD) and of the `distributed_strategy` of NxD Training, on layouts.
import { Embedding, functional as F, Linear, type Module } from '../../nn/index.ts';
import type { Optimizer } from '../../optim/index.ts';
import { device, Replicate, type Tensor, withShardingConstraint, wrongArgument } from '../../tensor/index.ts';
import { initDeviceMesh } from '../init-device-mesh.ts';
import { axesAmong, checkOptions } from './batch.ts';
import { zero1 } from './fully-shard.ts';
import { parallelize } from './parallelize.ts';
import type { PipelineOptions } from './pipeline.ts';
import { ColwiseParallel, type ParallelStyle, RowwiseParallel } from './styles.ts';

/** Settings of `neuronxDistributedConfig`, with NxD's names or those of NxD Training. */
export interface NeuronxSettings {
  /** Ranks that share a layer; 1 by default. */
  readonly tensor_parallel_size?: number;
  /** The same, in NxD Training. */
  readonly tensor_model_parallel_size?: number;
  /** Ranks that share the sequence of layers; 1 by default. */
  readonly pipeline_parallel_size?: number;
  /** The same, in NxD Training. */
  readonly pipeline_model_parallel_size?: number;
  /** Ranks that share experts; 1 by default. */
  readonly expert_parallel_size?: number;
  /** Ranks that share sequences; 1 by default. */
  readonly context_parallel_size?: number;
  /** Divides the sequence between blocks along the ranks that share a layer. */
  readonly sequence_parallel?: boolean;
  /** Divides the state of the optimizer over the ranks that share the batch. */
  readonly zero1?: boolean;
  /** Stages that each rank has, in NxD Training: 1 by default, or 2, which take turns (`Interleaved1F1B`). */
  readonly virtual_pipeline_model_parallel_size?: number;
  /** The pipeline, in NxD. */
  readonly pipeline_config?: {
    /** The number of parts of each batch: as for `pipeline` by default. */
    readonly num_microbatches?: number;
    /** The same as `virtual_pipeline_model_parallel_size`. */
    readonly virtual_pipeline_size?: number;
    /** Names of the modules that stages begin with, but for the first. */
    readonly pipeline_cuts?: readonly string[];
  };
  /** The optimizer, in NxD. */
  readonly optimizer_config?: {
    /** The same as `zero1`. */
    readonly zero_one_enabled?: boolean;
  };
  /** The activations that the backward pass computes again. */
  readonly activation_checkpoint_config?: 'full' | 'selective';
}
/** A layout in NxD's terms. */
export interface NeuronxConfig {
  /** The sizes of the axes of the mesh; `dp_shard` has the remaining ranks. */
  readonly mesh: {
    readonly pp: number;
    readonly dp_shard: -1;
    readonly cp: number;
    readonly ep: number;
    readonly tp: number;
  };
  /** Divides the sequence between blocks. */
  readonly sequenceParallel: boolean;
  /** Divides the state of the optimizer. */
  readonly zero1: boolean;
  /** How ranks along `pp` work. */
  readonly pipeline: PipelineOptions;
  /** The activations that the backward pass computes again. */
  readonly recompute: 'none' | 'full' | 'selective';
}

const known = [
  'tensor_parallel_size',
  'tensor_model_parallel_size',
  'pipeline_parallel_size',
  'pipeline_model_parallel_size',
  'virtual_pipeline_model_parallel_size',
  'pipeline_config',
  'expert_parallel_size',
  'context_parallel_size',
  'sequence_parallel',
  'zero1',
  'optimizer_config',
  'activation_checkpoint_config',
] as const;

/**
 * A layout in NxD's terms: `neuronx_distributed.neuronx_distributed_config`, and the `distributed_strategy` of NxD Training.
 * @throws {WRONG_ARGUMENT} for a size that is not an integer of 1 or more
 * @throws {NO_SUCH_OPTION}
 * @example
 * neuronxDistributedConfig({ tensor_parallel_size: 8, optimizer_config: { zero_one_enabled: true } }).mesh
 * // { pp: 1, dp_shard: -1, cp: 1, ep: 1, tp: 8 }
 */
export function neuronxDistributedConfig(settings: NeuronxSettings = {}): NeuronxConfig {
  const call = 'neuronxDistributedConfig';
  checkOptions(call, settings, known);
  const { pipeline_config: stages = {} } = settings;
  checkOptions(`${call}: pipeline_config`, stages, ['num_microbatches', 'virtual_pipeline_size', 'pipeline_cuts']);
  const checked = (argument: string, given: unknown): number => {
    if (!Number.isInteger(given) || (given as number) < 1)
      throw wrongArgument({ call, argument }, given, 'an integer, 1 or more');
    return given as number;
  };
  /** Under the name of NxD, or of NxD Training. */
  const size = (...names: readonly (keyof NeuronxSettings)[]): number => {
    const name = names.find(each => settings[each] !== undefined);
    return name === undefined ? 1 : checked(name, settings[name]);
  };
  const { num_microbatches: microBatches, pipeline_cuts: cuts } = stages;
  const turns = checked(
    'virtual_pipeline_size',
    stages.virtual_pipeline_size ?? size('virtual_pipeline_model_parallel_size'),
  );
  if (turns > 2) throw wrongArgument({ call, argument: 'virtual_pipeline_size' }, turns, '1 or 2');
  return {
    mesh: {
      pp: size('pipeline_parallel_size', 'pipeline_model_parallel_size'),
      dp_shard: -1,
      cp: size('context_parallel_size'),
      ep: size('expert_parallel_size'),
      tp: size('tensor_parallel_size', 'tensor_model_parallel_size'),
    },
    sequenceParallel: settings.sequence_parallel ?? false,
    pipeline: {
      schedule: turns === 2 ? 'Interleaved1F1B' : '1F1B',
      ...(microBatches === undefined ? {} : { microBatches: checked('num_microbatches', microBatches) }),
      ...(cuts === undefined ? {} : { cuts }),
    },
    zero1: settings.zero1 ?? settings.optimizer_config?.zero_one_enabled ?? false,
    recompute: settings.activation_checkpoint_config ?? 'none',
  };
}

/**
 * The model that `make` makes, in this layout: sets the mesh of the device first. NxD: `initialize_parallel_model`.
 * @throws {INVALID_MESH} for sizes that do not divide the number of ranks
 * @example
 * const config = neuronxDistributedConfig({ tensor_parallel_size: 1 });
 * const sizes = { hidden_size: 8, num_attention_heads: 2, intermediate_size: 16, num_hidden_layers: 1, vocab_size: 10 };
 * const model = initializeParallelModel(config, () => new DecoderForCausalLM({ model_type: 'llama', ...sizes }));
 * const optimizer = initializeParallelOptimizer(config, new AdamW(model.parameters(), { lr: 1e-3 }));
 */
export function initializeParallelModel<M extends Module>(config: NeuronxConfig, make: () => M): M {
  const mesh = initDeviceMesh(config.mesh);
  const model = parallelize(make(), mesh, {
    sequenceParallel: config.sequenceParallel,
    fullyShard: false,
    ...(mesh.size('pp') > 1 ? { pipeline: config.pipeline } : {}),
  });
  if (config.recompute !== 'none') model.recompute(config.recompute);
  return model;
}
/**
 * The optimizer, its state divided if the layout says so. NxD: `initialize_parallel_optimizer`.
 * @example
 * const config = neuronxDistributedConfig({ optimizer_config: { zero_one_enabled: true } });
 * initDeviceMesh(config.mesh);
 * const optimizer = initializeParallelOptimizer(config, new AdamW(new nn.Linear(4, 2).parameters()));
 */
export function initializeParallelOptimizer<O extends Optimizer>(config: NeuronxConfig, optimizer: O): O {
  return config.zero1 ? zero1(optimizer, device().mesh) : optimizer;
}

const styled = (module: Module, style: ParallelStyle): void => {
  const [axis] = axesAmong(device().mesh, ['tp', 'tensor']);
  if (axis !== undefined) style.apply(module, axis);
};
/** Settings of `ColumnParallelLinear` and `RowParallelLinear`. */
export interface ParallelLinearSettings {
  /** Whether the layer has a bias: true by default. */
  readonly bias?: boolean;
  /** Whether every rank gets the whole output of a `ColumnParallelLinear`: true by default. */
  readonly gatherOutput?: boolean;
}
/**
 * A linear layer whose output features are divided over the ranks that share a layer. NxD: `ColumnParallelLinear`.
 * @example
 * initDeviceMesh({ tp: 1 });
 * new ColumnParallelLinear(4, 8, { gatherOutput: false })(ones([2, 4])).shape // [2, 8]
 */
export class ColumnParallelLinear extends Linear {
  constructor(
    inFeatures: number,
    outFeatures: number,
    { bias = true, gatherOutput = true }: ParallelLinearSettings = {},
  ) {
    super(inFeatures, outFeatures, { bias });
    styled(this, ColwiseParallel(gatherOutput ? { outputLayouts: Replicate() } : {}));
  }
}
/**
 * A linear layer whose input features are divided over the ranks that share a layer. NxD: `RowParallelLinear`.
 * @example
 * initDeviceMesh({ tp: 1 });
 * new RowParallelLinear(8, 4)(ones([2, 8])).shape // [2, 4]
 */
export class RowParallelLinear extends Linear {
  constructor(inFeatures: number, outFeatures: number, { bias = true }: Pick<ParallelLinearSettings, 'bias'> = {}) {
    super(inFeatures, outFeatures, { bias });
    styled(this, RowwiseParallel());
  }
}
/**
 * An embedding whose rows are divided over the ranks that share a layer. NxD: `ParallelEmbedding`.
 * @example
 * initDeviceMesh({ tp: 1 });
 * new ParallelEmbedding(10, 4)(randint(0, 10, [2, 3])).shape // [2, 3, 4]
 */
export class ParallelEmbedding extends Embedding {
  constructor(numEmbeddings: number, embeddingDim: number) {
    super(numEmbeddings, embeddingDim);
    styled(this, RowwiseParallel());
  }
}

/** Options of `parallelCrossEntropy`. */
export interface ParallelLossOptions {
  /** The part of each label that is spread over all classes. */
  readonly labelSmoothing?: number;
}
/**
 * The cross entropy of each row: logits [.., V], their classes divided along `tp`, and labels [..] → [..]. No rank gathers
 * logits: only maxima and sums are sent. The losses of models with a divided head are computed so without this call. NxD:
 * `parallel_cross_entropy`. PyTorch: `torch.distributed.tensor.parallel.loss_parallel`.
 * @throws {SHAPE_MISMATCH}
 * @example
 * initDeviceMesh({ tp: 1 });
 * parallelCrossEntropy(zeros(2, 4), tensor([1, 3], { dtype: 'int64' })) // [1.3862…, 1.3862…]
 */
export function parallelCrossEntropy(
  logits: Tensor,
  labels: Tensor,
  { labelSmoothing = 0 }: ParallelLossOptions = {},
): Tensor {
  const [axis] = axesAmong(logits.device.mesh, ['tp', 'tensor']);
  const rows = logits.reshape(-1, logits.shape.at(-1)!);
  const divided = axis === undefined ? rows : withShardingConstraint(rows, ['?', axis]);
  const losses = F.crossEntropy(divided, labels.reshape(-1), { reduction: 'none', labelSmoothing });
  return losses.reshape(labels.shape);
}
