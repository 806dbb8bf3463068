// Batch normalization with statistics over all ranks along the mesh axis `data`, for batches too small on one rank.
//
//   Σx, n ──▶ all-reduce ──▶ mean        Σ(x − mean)² ──▶ all-reduce ──▶ variance        on one rank: plain batch normalization
//
// Both collectives are ops of the program, and gradients flow through them: backward sums cotangents over the ranks.
import { tensorTypeOf } from '../../hlo/program.ts';
import { isFloat } from '../../hlo/types.ts';
import { cat, noGrad, ones, record, type Tensor, wrongArgument } from '../../tensor/index.ts';
import { wrongText } from '../../tensor/settings.ts';
import { checkOwner } from '../module/computed-members.ts';
import type { Module } from '../module/module.ts';
import { BatchNorm1d, BatchNorm2d, BatchNorm3d } from './normalization-layers.ts';

/** The sum over the ranks along the axis `data`. */
const overRanks = (x: Tensor): Tensor =>
  record('syncBatchNorm', [x], (b, [v]) =>
    b.emit1('all_reduce', [v!], x.device.mesh.collective('data'), [b.combiner('add', tensorTypeOf(v!).elementType)]),
  );

/**
 * Batch normalization of x [N, C, …] with the statistics of the batches of all ranks along the mesh axis `data`. In evaluation,
 * and on one rank, it is `BatchNorm2d`. Every rank must run it.
 *
 *     const layer = new nn.SyncBatchNorm(64);
 *     const model = nn.SyncBatchNorm.convertSyncBatchnorm(net); // all batch norms of a model
 *
 * @throws {WRONG_ARGUMENT} for an input of fewer than two dims, or of other channels
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} for training with one value per channel on one rank
 * @example
 * const model = new nn.Sequential(new nn.Conv2d(3, 8, 3), new nn.BatchNorm2d(8));
 * nn.SyncBatchNorm.convertSyncBatchnorm(model)(randn(2, 3, 5, 5)).shape // [2, 8, 3, 3]
 */
export class SyncBatchNorm extends BatchNorm2d {
  override forward(x: Tensor): Tensor {
    if (x.ndim < 2 || x.shape[1] !== this.numFeatures)
      throw wrongText(
        { call: 'SyncBatchNorm', argument: 'the input' },
        `[${x.shape}]`,
        `a tensor [N, ${this.numFeatures}, …]`,
      );
    const byBatch = this.training || this.running_mean === null;
    if (!byBatch || x.device.mesh.size('data') === 1) return this.normalized(x);
    return this.#acrossRanks(x);
  }
  #acrossRanks(given: Tensor): Tensor {
    const { eps, weight, bias, numFeatures } = this;
    const isNarrow = isFloat(given.type.elementType) && !['f32', 'f64'].includes(given.type.elementType);
    const x = isNarrow ? given.float() : given;
    const over = x.shape.map((_, i) => i).filter(i => i !== 1);
    const spread = (channels: Tensor): Tensor => channels.reshape(x.shape.map((_, i) => (i === 1 ? numFeatures : 1)));
    const mine = ones([1], { dtype: x.dtype, device: x.device }).mul(x.numel() / numFeatures);
    const sums = overRanks(cat([x.sum(over), mine], 0));
    const count = sums.narrow(0, numFeatures, 1).detach();
    const mean = sums.narrow(0, 0, numFeatures).div(count);
    const off = x.sub(spread(mean));
    const variance = overRanks(off.square().sum(over)).div(count);
    let y = off.mul(spread(variance.add(eps).rsqrt()));
    if (weight !== null) y = y.mul(spread(weight.to(x.dtype)));
    if (bias !== null) y = y.add(spread(bias.to(x.dtype)));
    if (this.training) this.#track(mean.detach(), variance.detach().mul(count.div(count.sub(1))));
    return isNarrow ? y.to(given.dtype) : y;
  }
  /** Moves the running statistics towards those of the batch. */
  #track(mean: Tensor, variance: Tensor): void {
    const { running_mean: runningMean, running_var: runningVar, num_batches_tracked: batches } = this;
    if (runningMean === null || runningVar === null) return;
    noGrad(() => {
      batches?.add_(1);
      const share = this.momentum ?? batches!.detach().float().reciprocal();
      for (const [running, batch] of [
        [runningMean, mean],
        [runningVar, variance],
      ] as const)
        running.assign_(running.add(batch.to(running.dtype).sub(running).mul(share)).to(running.dtype));
    });
  }
  /**
   * Replaces every BatchNorm1d, 2d and 3d of a model by a SyncBatchNorm with the same parameters and statistics: in place for
   * layers of the model. If the model itself is one, its replacement is returned.
   *
   *     const model = nn.SyncBatchNorm.convertSyncBatchnorm(new ResNet('resnet18'));
   *
   * @throws {WRONG_ARGUMENT} for anything other than a module
   */
  static convertSyncBatchnorm<M extends Module>(module: M): M {
    checkOwner('SyncBatchNorm.convertSyncBatchnorm', module);
    const made = new Map<Module, SyncBatchNorm>();
    for (const [path, found] of [...module.namedModules({ removeDuplicate: false })]) {
      if (!isBatchNorm(found)) continue;
      const sync = made.get(found) ?? syncOf(found);
      made.set(found, sync);
      if (path === '') return sync as unknown as M;
      module.setSubmodule(path, sync);
    }
    return module;
  }
}

type Norm = BatchNorm1d | BatchNorm2d | BatchNorm3d;
const isBatchNorm = (module: Module): module is Norm =>
  !(module instanceof SyncBatchNorm) && [BatchNorm1d, BatchNorm2d, BatchNorm3d].some(norm => module instanceof norm);

function syncOf(norm: Norm): SyncBatchNorm {
  if (norm.numFeatures === 0)
    throw wrongArgument(
      { call: 'SyncBatchNorm.convertSyncBatchnorm', argument: 'the model' },
      norm,
      'batch norms that know their channels',
      'call the model once with an input before converting it',
    );
  const { eps, momentum, weight, bias } = norm;
  const sync = new SyncBatchNorm(norm.numFeatures, {
    eps,
    momentum,
    affine: weight !== null,
    bias: bias !== null,
    trackRunningStats: norm.running_mean !== null,
  });
  sync.weight = weight;
  sync.bias = bias;
  sync.running_mean = norm.running_mean;
  sync.running_var = norm.running_var;
  sync.num_batches_tracked = norm.num_batches_tracked;
  return sync.train(norm.training);
}
