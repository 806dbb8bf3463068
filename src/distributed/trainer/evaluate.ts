// One pass over the evaluation data: the mean loss, and metrics of all predictions. Each rank evaluates a contiguous part of the
// data; sums and predictions are put together from all ranks in the order of the data.
import { DataLoader, type DataLoaderOptions, type Dataset, Subset } from '../../data/index.ts';
import { toNumbers } from '../../hlo/literal.ts';
import type { Module } from '../../nn/index.ts';
import { type Device, noGrad, type Tensor } from '../../tensor/index.ts';
import { DeviceLoader, type OnDevice } from '../device-loader.ts';
import { allReduceSum, rank, worldSize } from '../process-group.ts';

/** How a model is evaluated. */
export interface Evaluation<M extends Module, T, B> {
  readonly model: M;
  readonly dataset: Dataset<T>;
  readonly batchSize: number;
  readonly collateFn: DataLoaderOptions<T, B>['collateFn'];
  readonly device: Device;
  readonly computeLoss: (model: M, batch: OnDevice<B>) => Tensor;
  readonly predict: ((model: M, batch: OnDevice<B>) => Readonly<Record<string, Tensor>>) | undefined;
  readonly computeMetrics:
    | ((values: Readonly<Record<string, readonly number[]>>) => Readonly<Record<string, number>>)
    | undefined;
}

/** Metrics, each with `eval_` before its name. */
export async function evaluateModel<M extends Module, T, B>(
  evaluation: Evaluation<M, T, B>,
): Promise<Readonly<Record<string, number>>> {
  const { model, dataset, batchSize, collateFn, device, computeLoss, predict, computeMetrics } = evaluation;
  // Less data than ranks: each rank evaluates all of it.
  const isShared = worldSize() > 1 && dataset.length >= worldSize();
  const at = (share: number): number => Math.floor((dataset.length * share) / worldSize());
  const [from, to] = isShared ? [at(rank()), at(rank() + 1)] : [0, dataset.length];
  const wasTraining = model.training;
  model.eval();
  let loss = 0;
  const values = new Map<string, number[]>();
  try {
    const indices = Array.from({ length: to - from }, (_, i) => from + i);
    const part = new Subset(dataset, indices);
    const loader = new DataLoader<T, B>(part, { batchSize, collateFn });
    let left = to - from;
    for await (const batch of new DeviceLoader(loader, device)) {
      const [mean, found] = noGrad(
        () => [computeLoss(model, batch as OnDevice<B>), predict?.(model, batch as OnDevice<B>) ?? {}] as const,
      );
      device.markStep();
      const items = Math.min(batchSize, left);
      left -= items;
      loss += mean.item() * items;
      for (const [name, tensor] of Object.entries(found)) {
        await tensor.ready();
        values.set(name, [...(values.get(name) ?? []), ...toNumbers(tensor.literal())]);
      }
    }
  } finally {
    model.train(wasTraining);
  }
  const [sum, count] = isShared ? (allReduceSum([loss, to - from]) as [number, number]) : [loss, to - from];
  const metrics = computeMetrics?.(isShared ? gathered(values) : Object.fromEntries(values)) ?? {};
  const named = Object.entries(metrics).map(([name, value]) => [`eval_${name}`, value] as const);
  return { eval_loss: sum / count, ...Object.fromEntries(named) };
}

/** The values of all ranks, in the order of the ranks: each adds its own to zeros. */
function gathered(own: ReadonlyMap<string, readonly number[]>): Readonly<Record<string, readonly number[]>> {
  const names = [...own.keys()].sort();
  return Object.fromEntries(
    names.map(name => {
      const mine = own.get(name)!;
      const lengths = allReduceSum(Array.from({ length: worldSize() }, (_, r) => (r === rank() ? mine.length : 0)));
      const start = lengths.slice(0, rank()).reduce((a, b) => a + b, 0);
      const all = new Array<number>(lengths.reduce((a, b) => a + b, 0)).fill(0);
      mine.forEach((value, i) => {
        all[start + i] = value;
      });
      return [name, allReduceSum(all)];
    }),
  );
}
