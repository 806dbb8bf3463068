// Attention over several ranks: the values and gradients of one, and what is sent.
import { describe, expect, test } from 'vitest';
import type { MeshSizes } from '../../hlo/sharding/device-mesh.ts';
import { autograd, cat, type Device, type Tensor, tensor, withShardingConstraint } from '../../tensor/index.ts';
import { deviceOfRanks } from '../../tensor/placement/ranks-backend.testing.ts';
import type { Communication } from '../../transforms/partition/communication.ts';
import { type ContextAttentionKind, sequenceOrder, setContextAttention } from './context-attention.ts';
import { type AttentionSettings, scaledDotProductAttention } from './functional.ts';

interface Case {
  readonly name: string;
  readonly mesh?: MeshSizes;
  readonly keyHeads?: number;
  readonly options?: (device: Device) => AttentionSettings;
}
const [batch, heads, length, size] = [2, 4, 8, 3];
const wave = (shape: readonly number[], from: number): number[] =>
  Array.from({ length: shape.reduce((n, d) => n * d, 1) }, (_, i) => Math.sin(from + 1.7 * i));
const made = (device: Device, shape: readonly number[], from: number): Tensor =>
  tensor(wave(shape, from), { device, shape });

interface Outcome {
  readonly values: readonly (readonly number[])[];
  readonly sent: readonly Communication[];
}
function run(
  device: Device,
  { keyHeads = heads, options = () => ({}) }: Case,
  kind?: ContextAttentionKind,
  isBalanced = false,
): Outcome {
  const axis = 'cp';
  if (kind !== undefined) setContextAttention(device, { mesh: device.mesh, axis, attention: kind, isBalanced });
  const order = sequenceOrder(device, length);
  // [B, T, heads, E], as models have them before attention
  const inputs = [heads, keyHeads, keyHeads].map((n, i) => made(device, [batch, length, n, size], i).requiresGrad_());
  const [q, k, v] = inputs.map(x => {
    const divided = kind === undefined ? x : withShardingConstraint(x, [null, axis]);
    return (order === undefined ? divided : order.balanced(divided)).transpose(1, 2);
  }) as [Tensor, Tensor, Tensor];
  const settings = { enableGqa: keyHeads !== heads, ...options(device), order: order && ('headtail' as const) };
  const mixed = scaledDotProductAttention(q, k, v, settings).transpose(1, 2);
  const result = order === undefined ? mixed : order.natural(mixed);
  const divided = kind === undefined ? result : withShardingConstraint(result, [null, axis]);
  const more = settings.sinks === undefined ? [] : [settings.sinks];
  const gradients = autograd.grad(divided.mul(made(device, result.shape, 5)).sum(), [...inputs, ...more]);
  const all = [divided, ...gradients] as readonly Tensor[];
  // in one program
  const numbers = Array.from(cat(all.map(x => x.reshape(-1))).data as Float32Array);
  const values = all.map(x => numbers.splice(0, x.numel()));
  return { values, sent: device.history.flatMap(({ communication }) => communication) };
}
const padding = (device: Device): Tensor =>
  tensor(
    [
      [1, 1, 1, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 1, 0, 0],
    ],
    { device },
  )
    .eq(0)
    .to('f32')
    .mul(-1e30)
    .reshape(batch, 1, 1, length);
const cases: readonly Case[] = [
  { name: 'all positions' },
  { name: 'causal', options: () => ({ isCausal: true }) },
  { name: 'causal, grouped keys', keyHeads: 2, options: () => ({ isCausal: true, scale: 0.3, softCap: 2 }) },
  { name: 'a window', options: () => ({ isCausal: true, window: 3 }) },
  { name: 'a window wider than a block', options: () => ({ isCausal: true, window: 6 }) },
  { name: 'padding', options: device => ({ isCausal: true, mask: padding(device) }) },
  {
    name: 'a mask of each pair',
    options: device => ({ mask: made(device, [1, heads, length, length], 3), isCausal: true }),
  },
  {
    name: 'a boolean mask with an empty row',
    options: device => ({
      mask: made(device, [length, length], 3)
        .gt(0)
        .logicalAnd(made(device, [length, 1], 0).gt(-0.9)),
    }),
  },
  {
    name: 'sinks',
    options: device => ({ isCausal: true, sinks: made(device, [1, heads, 1, 1], 9).requiresGrad_() }),
  },
  { name: 'four ranks', mesh: { cp: 4 }, options: () => ({ isCausal: true }) },
  {
    name: 'with parts of the batch and of layers',
    mesh: { dp_shard: 2, cp: 2, tp: 2 },
    options: () => ({ isCausal: true }),
  },
];

describe.each<readonly [ContextAttentionKind, boolean]>([
  ['all_gather', false],
  ['ring', false],
  ['ring', true],
  ['ulysses', false],
])('%s, balanced: %s', (kind, isBalanced) => {
  test.each(cases)('$name', example => {
    const expected = run(deviceOfRanks({ data: 1 }), example);
    const { values } = run(deviceOfRanks(example.mesh ?? { cp: 2 }), example, kind, isBalanced);
    for (const [i, list] of values.entries())
      for (const [k, value] of list.entries()) expect(value, `${i}`).toBeCloseTo(expected.values[i]![k]!, 5);
  });
});

describe('what is sent', () => {
  /** The collectives of a kind, by shape. */
  const sentBy = (mesh: MeshSizes, kind: ContextAttentionKind, name: Communication['kind']): readonly string[] => {
    const example = { name: '', keyHeads: 2, options: () => ({ isCausal: true }) };
    const { sent } = run(deviceOfRanks(mesh), example, kind);
    return sent.flatMap(one => (one.kind === name ? [one.shape.join('x')] : [])).sort();
  };
  test('around the ring: all blocks of keys and values but its own, and back their gradients', () => {
    const blocks = Array.from({ length: 2 * 2 * 3 }, () => '2x2x2x3');
    expect(sentBy({ cp: 4 }, 'ring', 'collective_permute')).toEqual(blocks);
  });
  test('for heads: queries, keys, values and the result, and back their gradients', () => {
    // Where results are read, batches are divided.
    const ofHeads = sentBy({ cp: 2 }, 'ulysses', 'all_to_all').filter(shape => shape.startsWith(`${batch}x`));
    const [keys, queries] = [
      ['2x1x8x3', '2x2x4x3'],
      ['2x2x8x3', '2x4x4x3'],
    ];
    expect(ofHeads).toEqual([...keys!, ...keys!, ...queries!, ...queries!].sort());
  });
});
