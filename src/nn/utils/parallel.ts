// torch.nn.parallel. Ranks average gradients in the step of the optimizer, so that any module is data-parallel already; the
// wrapper has PyTorch's call, `module` and names of states.
import { absentFunction, wrongArgument } from '../../tensor/index.ts';
import { type Settings, settle } from '../../tensor/settings.ts';
import { Module } from '../module/module.ts';

/** PyTorch's options, which have no effect: programs run on the cores, and the compiler schedules the all-reduces. */
export interface DistributedDataParallelOptions {
  /** Accepted, without effect. */
  readonly deviceIds?: readonly unknown[] | null | undefined;
  /** Accepted, without effect. */
  readonly outputDevice?: unknown;
  /** Accepted, without effect. */
  readonly dim?: number;
  /** Accepted, without effect. */
  readonly broadcastBuffers?: boolean;
  /** Accepted, without effect. */
  readonly processGroup?: unknown;
  /** Accepted, without effect: the compiler groups gradients. */
  readonly bucketCapMb?: number;
  /** Accepted, without effect: parameters without gradients are allowed. */
  readonly findUnusedParameters?: boolean;
  /** Accepted, without effect. */
  readonly checkReduction?: boolean;
  /** Accepted, without effect. */
  readonly gradientAsBucketView?: boolean;
  /** Accepted, without effect. */
  readonly staticGraph?: boolean;
}
const order = [
  'deviceIds',
  'outputDevice',
  'dim',
  'broadcastBuffers',
  'processGroup',
  'bucketCapMb',
  'findUnusedParameters',
  'checkReduction',
  'gradientAsBucketView',
  'staticGraph',
] as const;

/**
 * The module, in a wrapper. It is not needed: `optimizer.step()` averages gradients over ranks, with or without it. All ranks
 * start with the same parameters, because they have the same seed. PyTorch: `torch.nn.parallel.DistributedDataParallel`.
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const model = new nn.parallel.DistributedDataParallel(new nn.Linear(4, 2));
 * model(randn(3, 4)).shape // [3, 2]
 * Array.from(model.stateDict().keys()) // ['module.weight', 'module.bias']
 */
export class DistributedDataParallel<M extends Module> extends Module {
  /** The wrapped module. */
  readonly module: M;
  constructor(module: M, ...rest: Settings<DistributedDataParallelOptions, typeof order>) {
    super();
    if (!(module instanceof Module))
      throw wrongArgument({ call: 'DistributedDataParallel', argument: 'the module' }, module, 'a module');
    settle<DistributedDataParallelOptions>('DistributedDataParallel', order, rest);
    this.module = module;
  }
  override forward(...args: Parameters<M['forward']>): ReturnType<M['forward']> {
    return (this.module as Module)(...args) as ReturnType<M['forward']>;
  }
}
/** @deprecated Start several ranks with trenio run. */
export const DataParallel: never = absentFunction('nn.parallel.DataParallel', 'start several ranks with trenio run');
