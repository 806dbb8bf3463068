// Layouts that are refused, and those on one rank, which change nothing.
import { expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { Linear, ReLU, Sequential } from '../../nn/index.ts';
import { forgetDevices } from '../../tensor/devices.ts';
import {
  device,
  distributeTensor,
  fullTensor,
  placements,
  Replicate,
  redistribute,
  Shard,
  tensor,
  withShardingConstraint,
} from '../../tensor/index.ts';
import { deviceOfRanks } from '../../tensor/placement/ranks-backend.testing.ts';
import { initDeviceMesh } from '../init-device-mesh.ts';
import { expertParallel } from './expert-parallel.ts';
import { fullyShard, zero1 } from './fully-shard.ts';
import { neuronxDistributedConfig, parallelCrossEntropy } from './neuronx.ts';
import { parallelize } from './parallelize.ts';
import { pipeline } from './pipeline.ts';
import { ColwiseParallel, RowwiseParallel } from './styles.ts';

const mesh = () => {
  forgetDevices();
  return initDeviceMesh({ dp_shard: 1, tp: 1 });
};
const network = (): Sequential => new Sequential(new Linear(4, 8), new ReLU(), new Linear(8, 4));
const codeOf = (body: () => unknown): string => {
  try {
    body();
  } catch (error) {
    if (isTrenioError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'no error';
};

test('on one rank, nothing changes', () => {
  const m = mesh();
  const x = tensor([
    [1, 2],
    [3, 4],
  ]);
  const divided = distributeTensor(x, m, [Shard(0), Shard(1)]);
  expect(placements(divided)).toEqual([Replicate(), Replicate()]);
  expect(fullTensor(redistribute(divided, [Replicate(), Shard(-1)])).toArray()).toEqual(x.toArray());
  expect(withShardingConstraint(x, ['dp_shard', 'tp']).toArray()).toEqual(x.toArray());
  const model = network();
  const before = model.forward(x.repeat(1, 2)).toArray();
  parallelize(model, m, { plan: { 0: ColwiseParallel(), 2: RowwiseParallel() }, fullyShard: false });
  expect(model.forward(x.repeat(1, 2)).toArray()).toEqual(before);
});

test.each<readonly [why: string, body: () => unknown, error: RegExp]>([
  [
    'an unknown axis',
    () => withShardingConstraint(tensor([1]), ['model']),
    /UNKNOWN_MESH_AXIS: unknown mesh axis 'model'/,
  ],
  [
    'an axis twice',
    () => withShardingConstraint(tensor([[1]]), ['tp', 'tp']),
    /INVALID_SHARDING: .* uses the axis 'tp' twice/,
  ],
  [
    'too many entries',
    () => withShardingConstraint(tensor([1]), [null, 'tp']),
    /INVALID_SHARDING: .* 2 entries, .* 1 dim/,
  ],
  ['too few placements', () => redistribute(tensor([1]), [Shard(0)]), /WRONG_ARGUMENT: .*placement for each axis/],
  [
    'a dim that is not there',
    () => redistribute(tensor([1]), [Shard(1), Replicate()]),
    /WRONG_ARGUMENT: .*placement 0/,
  ],
  [
    'a plan that matches nothing',
    () => parallelize(network(), mesh(), { fc: ColwiseParallel() }),
    /WRONG_ARGUMENT: .*the plan/,
  ],
  [
    'a style that does not fit',
    () => parallelize(network(), mesh(), { 1: ColwiseParallel() }),
    /WRONG_ARGUMENT: .*Linear or an Embedding/,
  ],
  [
    'an unknown option',
    () => parallelize(network(), mesh(), { sequence: true } as never),
    /NO_SUCH_OPTION: .*sequence/,
  ],
  [
    'something else than a style',
    () => parallelize(network(), mesh(), { 0: ColwiseParallel(), 2: 'rows' } as never),
    /WRONG_ARGUMENT: .*the plan of '2'/,
  ],
  ['something else than a model', () => parallelize({} as never, mesh()), /WRONG_ARGUMENT: .*a module/],
  ['a mesh without the axis', () => fullyShard(network(), mesh(), { axis: 'fsdp' }), /UNKNOWN_MESH_AXIS/],
  [
    'an unknown option of a pipeline',
    () => pipeline(network(), mesh(), { microbatches: 4 } as never),
    /NO_SUCH_OPTION: .*microbatches/,
  ],
  [
    'experts of a model without any',
    () => expertParallel(network(), mesh(), { axis: 'tp' }),
    /WRONG_ARGUMENT: .*with experts/,
  ],
  [
    'one axis along two dims',
    () =>
      parallelize(parallelize(network(), mesh(), { 0: ColwiseParallel() }), device().mesh, { 0: RowwiseParallel() }),
    /INVALID_SHARDING: .*'tp' divides dim 0 already/,
  ],
  ['a size of 0', () => neuronxDistributedConfig({ tensor_parallel_size: 0 }), /WRONG_ARGUMENT: .*1 or more/],
  ['a mesh of another device', () => fullyShard(network(), new DeviceMesh({ dp_replicate: 1 })), /UNKNOWN_MESH_AXIS/],
  ['no optimizer', () => zero1(network() as never, mesh()), /WRONG_ARGUMENT: .*an optimizer/],
])('%s', (_, body, error) => {
  mesh();
  expect(codeOf(body)).toMatch(error);
});

test('the loss of divided classes: logits are not gathered', () => {
  const device = deviceOfRanks({ tp: 2 });
  const values = Array.from({ length: 3 * 8 }, (_, i) => Math.sin(i));
  const logits = (on: typeof device) => tensor(values, { device: on, shape: [1, 3, 8] });
  const labels = (on: typeof device) => tensor([[1, 5, 7]], { device: on, dtype: 'int64' });
  const divided = withShardingConstraint(logits(device), [null, null, 'tp']);
  const losses = parallelCrossEntropy(divided, labels(device), { labelSmoothing: 0.1 });
  const alone = deviceOfRanks({ data: 1 });
  const expected = parallelCrossEntropy(logits(alone), labels(alone), { labelSmoothing: 0.1 });
  const [got, want] = [losses, expected].map(one => Array.from(one.data as Float32Array)) as [number[], number[]];
  for (const [i, loss] of got.entries()) expect(loss).toBeCloseTo(want[i]!, 6);
  const sent = device.history.flatMap(({ communication }) =>
    communication.map(({ kind, shape }) => `${kind} ${shape}`),
  );
  expect(new Set(sent)).toEqual(new Set(['all_reduce 3']));
});

test('the names of NxD and of NxD Training', () => {
  const mesh = { pp: 2, dp_shard: -1, cp: 1, ep: 1, tp: 2 };
  expect(
    neuronxDistributedConfig({
      tensor_parallel_size: 2,
      pipeline_parallel_size: 2,
      pipeline_config: { num_microbatches: 4 },
    }),
  ).toMatchObject({ mesh, pipeline: { schedule: '1F1B', microBatches: 4 } });
  expect(
    neuronxDistributedConfig({
      tensor_model_parallel_size: 2,
      pipeline_model_parallel_size: 2,
      virtual_pipeline_model_parallel_size: 2,
    }),
  ).toMatchObject({ mesh, pipeline: { schedule: 'Interleaved1F1B' } });
});
