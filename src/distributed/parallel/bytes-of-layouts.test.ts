// The data that a rank sends and the work that it does in a training step (forward, backward, SGD), in each layout: by formulas
// where the layout has one, else by a table.
import { describe, expect, test } from 'vitest';
import { mainOf } from '../../hlo/program.ts';
import type { MeshSizes } from '../../hlo/sharding/device-mesh.ts';
import { batch, length, type ModelName, type RecordedStep, recordedStep, sizes } from './recorded-step.testing.ts';

interface Layout {
  readonly mesh: MeshSizes;
  readonly sequenceParallel?: boolean;
}
const layouts: { readonly [name: string]: Layout } = {
  'dp_shard=2': { mesh: { dp_shard: 2 } },
  'dp_shard=4': { mesh: { dp_shard: 4 } },
  'tp=2': { mesh: { tp: 2 } },
  'tp=2, sequence parallel': { mesh: { tp: 2 }, sequenceParallel: true },
  'cp=2': { mesh: { cp: 2 } },
  'dp_shard=2,tp=2': { mesh: { dp_shard: 2, tp: 2 } },
  'dp_shard=2,cp=2': { mesh: { dp_shard: 2, cp: 2 } },
  'dp_replicate=2,dp_shard=2': { mesh: { dp_replicate: 2, dp_shard: 2 } },
  'ep=2': { mesh: { ep: 2 } },
  'cp=2,ep=2': { mesh: { cp: 2, ep: 2 } },
};

const known = new Map<string, RecordedStep>();
function stepOf(model: ModelName, { mesh, sequenceParallel = false }: Layout): RecordedStep {
  const key = JSON.stringify([model, mesh, sequenceParallel]);
  const step = known.get(key) ?? recordedStep(model, mesh, { sequenceParallel });
  known.set(key, step);
  return step;
}
const bytesOf = ({ communication }: RecordedStep, kind?: string): number =>
  communication.reduce((sum, each) => sum + (kind === undefined || each.kind === kind ? each.bytes : 0), 0);
const within = (share: number, actual: number, expected: number): void =>
  expect(Math.abs(actual / expected - 1), `${actual}, expected ${expected}`).toBeLessThanOrEqual(share);

const cases = (['gpt2', 'llama'] as const).flatMap(model =>
  Object.keys(layouts).flatMap(name => (name.endsWith('ep=2') ? [] : [[model, name] as const])),
);
const all: readonly (readonly [ModelName, string])[] = [...cases, ['mixtral', 'ep=2'], ['mixtral', 'cp=2,ep=2']];

test.each(all)('%s, %s: the work of a rank is its share', (model, name) => {
  const { mesh } = layouts[name]!;
  const ranks = Object.values(mesh).reduce<number>((product, size) => product * (size ?? 1), 1);
  within(0.1, stepOf(model, layouts[name]!).flops * ranks, stepOf(model, { mesh: { data: 1 } }).flops);
});

describe.each(['gpt2', 'llama'] as const)('%s', model => {
  test.each([2, 4])('ZeRO-3 on %i ranks gathers each parameter twice and reduces its gradient once', ranks => {
    const step = stepOf(model, layouts[`dp_shard=${ranks}`]!);
    const sent = (step.parameterBytes * (ranks - 1)) / ranks;
    within(0.05, bytesOf(step, 'all_gather'), 2 * sent);
    within(0.05, bytesOf(step, 'reduce_scatter'), sent);
    within(0.05, bytesOf(step), 3 * sent);
  });

  /** A collective of the activations between layers: that of embeddings and of the last layer come on top. */
  const activation = batch * length * sizes.hidden_size * 4;
  const pairs = 4 * sizes.num_hidden_layers + 2;
  test('tensor parallelism sends no more than Megatron-LM', () => {
    const step = stepOf(model, layouts['tp=2']!);
    const ofLayers = step.communication.filter(
      ({ kind, shape }) => kind === 'all_reduce' && shape.join() === [batch, length, sizes.hidden_size].join(),
    );
    expect(ofLayers).toHaveLength(pairs - 1);
    expect(bytesOf(step)).toBeLessThanOrEqual(pairs * activation);
  });
  test('classes that do not divide evenly are not gathered', () => {
    const even = stepOf(model, layouts['tp=2']!);
    within(0.05, bytesOf(recordedStep(model, { tp: 2 }, {}, 67)), bytesOf(even));
  });
  test('with sequence parallelism, it sends as much in all-gathers and reduce-scatters', () => {
    const step = stepOf(model, layouts['tp=2, sequence parallel']!);
    within(0.05, bytesOf(step), pairs * activation);
    within(0.05, bytesOf(step, 'all_gather'), bytesOf(step, 'reduce_scatter'));
  });
});

/** For each kind and number of ranks: bytes, and how often. */
function sentIn({ communication }: RecordedStep): string {
  const sums = new Map<string, [count: number, bytes: number]>();
  for (const { kind, devices, bytes } of communication) {
    const [count, before] = sums.get(`${kind} ${devices}`) ?? [0, 0];
    sums.set(`${kind} ${devices}`, [count + 1, before + bytes]);
  }
  return [...sums]
    .map(([key, [count, bytes]]) => `${key}: ${bytes} in ${count}`)
    .sort()
    .join(', ');
}
test('what is sent in each layout', () => {
  const rows = all.map(([model, name]) => `${model}, ${name}: ${sentIn(stepOf(model, layouts[name]!))}`);
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "gpt2, dp_shard=2: all_gather 2: 110656 in 54, all_reduce 2: 28 in 5, reduce_scatter 2: 57088 in 36
    gpt2, dp_shard=4: all_gather 4: 165984 in 54, all_reduce 4: 42 in 5, reduce_scatter 4: 85632 in 36
    gpt2, tp=2: all_gather 2: 4096 in 1, all_reduce 2: 149504 in 13
    gpt2, tp=2, sequence parallel: all_gather 2: 69632 in 9, all_reduce 2: 5908 in 19, all_to_all 2: 16384 in 2, reduce_scatter 2: 69632 in 9
    gpt2, cp=2: all_gather 2: 41472 in 6, all_reduce 2: 114196 in 40, all_to_all 2: 16384 in 2, reduce_scatter 2: 32768 in 4
    gpt2, dp_shard=2,tp=2: all_gather 2: 54912 in 53, all_gather 4: 6144 in 1, all_reduce 2: 74780 in 18, reduce_scatter 2: 30016 in 36
    gpt2, dp_shard=2,cp=2: all_gather 2: 131392 in 60, all_reduce 2: 61196 in 39, all_reduce 4: 24 in 3, all_to_all 2: 8192 in 2, reduce_scatter 2: 73472 in 40
    gpt2, dp_replicate=2,dp_shard=2: all_gather 2: 110656 in 54, all_gather 4: 13056 in 2, all_reduce 2: 57088 in 36, all_reduce 4: 42 in 5, reduce_scatter 2: 57088 in 36
    llama, dp_shard=2: all_gather 2: 86656 in 41, all_reduce 2: 24 in 4, reduce_scatter 2: 45376 in 21
    llama, dp_shard=4: all_gather 4: 129984 in 41, all_reduce 4: 36 in 4, reduce_scatter 4: 68064 in 21
    llama, tp=2: all_gather 2: 4096 in 1, all_reduce 2: 149504 in 13
    llama, tp=2, sequence parallel: all_gather 2: 77824 in 10, all_reduce 2: 2696 in 10, reduce_scatter 2: 77824 in 10
    llama, cp=2: all_gather 2: 32768 in 4, all_reduce 2: 90768 in 24, all_to_all 2: 16384 in 2, reduce_scatter 2: 32768 in 4
    llama, dp_shard=2,tp=2: all_gather 2: 41600 in 40, all_gather 4: 6144 in 1, all_reduce 2: 74776 in 17, reduce_scatter 2: 22848 in 21
    llama, dp_shard=2,cp=2: all_gather 2: 103040 in 45, all_reduce 2: 45388 in 23, all_reduce 4: 18 in 2, all_to_all 2: 8192 in 2, reduce_scatter 2: 61760 in 25
    llama, dp_replicate=2,dp_shard=2: all_gather 2: 86656 in 41, all_reduce 2: 45376 in 21, all_reduce 4: 36 in 4, reduce_scatter 2: 45376 in 21
    mixtral, ep=2: all_gather 2: 32768 in 4, all_reduce 2: 42648 in 21, all_to_all 2: 2048 in 4, reduce_scatter 2: 32768 in 4
    mixtral, cp=2,ep=2: all_gather 2: 32768 in 8, all_reduce 2: 98316 in 8, all_reduce 4: 63954 in 19, all_to_all 2: 9216 in 6, reduce_scatter 2: 32768 in 8"
  `);
});

test('gradients in parts are made right after the whole ones, before those of other layers', () => {
  const { ops } = mainOf(recordedStep('llama', { dp_shard: 2 }).program).body;
  const scatters = ops.filter(op => op.name === 'reduce_scatter');
  expect(scatters.length).toBeGreaterThan(10);
  for (const scatter of scatters) {
    const between = ops.slice(ops.indexOf(scatter.operands[0]!.op!) + 1, ops.indexOf(scatter));
    expect(between.every(op => op.name === 'reduce_scatter')).toBe(true);
  }
});
