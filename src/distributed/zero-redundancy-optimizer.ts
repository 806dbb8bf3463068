// torch.distributed.optim.ZeroRedundancyOptimizer: an optimizer whose state is divided among the ranks (ZeRO, stage 1). It is the
// optimizer of the given class; the partitioner makes the collectives of its step. Biases and other small parameters stay whole.
import { TrenioError } from '../base/errors.ts';
import {
  Adadelta,
  Adagrad,
  Adam,
  Adamax,
  AdamW,
  Lion,
  NAdam,
  Optimizer,
  type Parameters,
  RAdam,
  RMSprop,
  SGD,
  type StateFormat,
} from '../optim/index.ts';
import { divideState, userLocation, wrongArgument } from '../tensor/index.ts';
import { zero1 } from './parallel/fully-shard.ts';

/** Those that update an element from that element alone. */
const elementwise = [SGD, Adam, AdamW, Adamax, NAdam, RAdam, Adagrad, Adadelta, RMSprop, Lion] as const;

/** The class of an optimizer. */
export type OptimizerClass<S extends StateFormat> = new (params: Parameters<S>, ...rest: never[]) => Optimizer<S>;
/** Settings of `ZeroRedundancyOptimizer`: those of the optimizer, and its class. */
export type ZeroRedundancySettings<S extends StateFormat> = Partial<S> & {
  /** The optimizer, such as `AdamW`. */
  readonly optimizerClass: OptimizerClass<S>;
};

/** The constructor of `ZeroRedundancyOptimizer`, which makes an optimizer of the given class. */
export interface ZeroRedundancyConstructor {
  /** Divides the state of an optimizer of `optimizerClass`, with these settings, among the ranks. */
  new <S extends StateFormat>(params: Parameters<S>, settings: ZeroRedundancySettings<S>): Optimizer<S>;
}

function divided<S extends StateFormat>(
  params: Parameters<S>,
  { optimizerClass, ...settings }: ZeroRedundancySettings<S>,
): Optimizer<S> {
  if (typeof optimizerClass !== 'function' || !(optimizerClass.prototype instanceof Optimizer))
    throw wrongArgument(
      { call: 'ZeroRedundancyOptimizer', argument: 'optimizerClass' },
      optimizerClass,
      'a class of optimizers, such as AdamW',
    );
  if (!elementwise.some(known => (known as unknown) === optimizerClass))
    throw new TrenioError(
      'UNSUPPORTED',
      {
        what: `dividing the state of ${optimizerClass.name}`,
        where: 'ZeroRedundancyOptimizer',
        instead: `use one of ${elementwise.map(known => known.name).join(', ')}`,
      },
      { location: userLocation() },
    );
  const optimizer = new optimizerClass(params, settings as never);
  const { mesh } = optimizer.parameters()[0]!.device;
  const axis = axes.find(name => mesh.size(name) > 1);
  if (axis === undefined) return optimizer;
  if (axis !== 'data') return zero1(optimizer, mesh, { axis });
  for (const parameter of optimizer.parameters()) {
    const dim = parameter.shape.findIndex(size => size >= mesh.size(axis));
    if (parameter.ndim > 1 && dim >= 0) divideState(parameter, dim, axis);
  }
  return optimizer;
}
/** The axes of data parallelism. */
const axes = ['data', 'dp_shard', 'dp_replicate'] as const;

/**
 * An optimizer that keeps only this rank's part of its state: moments, and f32 master weights of low-precision parameters. A
 * step reduces and scatters the gradients, updates this rank's parts, and gathers the parameters, with the same bits as an
 * optimizer whose state is not divided. Biases and other tensors of one dim are not divided. PyTorch:
 * `torch.distributed.optim.ZeroRedundancyOptimizer`.
 *
 *     const optimizer = new ZeroRedundancyOptimizer(model.parameters(), { optimizerClass: AdamW, lr: 3e-4 });
 *
 * Clipping, schedules, `GradScaler` and `Checkpointer` take it like any other; a checkpoint can be resumed by another number of
 * ranks, and by an optimizer that is not divided. `stateDict()` gathers the state, so every rank must call it.
 *
 * @throws {UNSUPPORTED} for an optimizer that needs whole tensors, such as LAMB
 */
export const ZeroRedundancyOptimizer = class {
  constructor(params: Parameters<StateFormat>, settings: ZeroRedundancySettings<StateFormat>) {
    // biome-ignore lint/correctness/noConstructorReturn: `new` returns an optimizer of the requested class.
    return divided(params, settings);
  }
} as unknown as ZeroRedundancyConstructor;
