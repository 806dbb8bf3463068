// Functions of one rank: the same values and gradients as of whole tensors.
import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import type { MeshSizes } from '../../hlo/sharding/device-mesh.ts';
import { autograd, cat, collectives, control, shardMap, type Tensor, tensor } from '../index.ts';
import type { PartitionSpec } from './layouts.ts';
import { deviceOfRanks } from './ranks-backend.testing.ts';

type Specs = readonly [readonly PartitionSpec[], PartitionSpec];
interface Case {
  readonly name: string;
  readonly mesh?: MeshSizes;
  readonly specs: Specs;
  readonly axisNames?: readonly string[];
  readonly shapes: readonly (readonly number[])[];
  readonly local: (...args: readonly Tensor[]) => Tensor;
  readonly whole: (...args: readonly Tensor[]) => Tensor;
  /** The kinds of the collectives of the values and their gradients. */
  readonly sent?: readonly string[];
}
const ring = [
  [0, 1],
  [1, 0],
] as const;
const cases: readonly Case[] = [
  {
    name: 'columns, then rows',
    specs: [
      [
        [null, null],
        [null, 'tp'],
        ['tp', null],
      ],
      [null, null],
    ],
    shapes: [
      [3, 4],
      [4, 6],
      [6, 2],
    ],
    local: (x, up, down) => collectives.allReduce(x!.matmul(up!).tanh().matmul(down!), 'tp'),
    whole: (x, up, down) => x!.matmul(up!).tanh().matmul(down!),
    // the sum, and the gradient of x
    sent: ['all_reduce', 'all_reduce'],
  },
  {
    name: 'a mean',
    specs: [[['tp']], [null]],
    shapes: [[4]],
    local: x => collectives.allReduce(x!.exp().sum(0, { keepDim: true }), 'tp', 'avg'),
    whole: x => x!.exp().sum(0, { keepDim: true }).div(2),
  },
  {
    name: 'a result that each rank computes',
    specs: [[[null]], [null]],
    shapes: [[3]],
    local: x => x!.exp(),
    whole: x => x!.exp(),
  },
  {
    name: 'gathered, then divided',
    specs: [[['tp', null]], [null, 'tp']],
    shapes: [[4, 2]],
    local: x => {
      const all = collectives.allGather(x!.sin(), 'tp');
      const index = collectives.axisIndex('tp');
      return all.mul(index.add(1).to('f32')).sum(1, { keepDim: true });
    },
    whole: x => {
      const sum = x!.sin().sum(1, { keepDim: true });
      return sum.mul(tensor([[1, 2]], { device: x!.device }));
    },
  },
  {
    name: 'sums of parts',
    specs: [[[null, 'tp']], ['tp', null]],
    shapes: [[4, 2]],
    local: x => collectives.reduceScatter(x!.exp(), 'tp'),
    whole: x => x!.exp().sum(1, { keepDim: true }),
  },
  {
    name: 'a dim for another',
    specs: [[['tp', null]], [null, 'tp']],
    shapes: [[4, 6]],
    local: x => collectives.allToAll(x!.mul(x!), 'tp', 1, 0),
    whole: x => x!.mul(x!),
  },
  {
    name: 'neighbors',
    specs: [[['tp']], ['tp']],
    shapes: [[4]],
    local: x => collectives.permute(x!, 'tp', ring).mul(x!),
    whole: x => x!.roll(2, 0).mul(x!),
  },
  {
    name: 'a sender and no answer',
    specs: [[['tp']], ['tp']],
    shapes: [[4]],
    local: x => collectives.permute(x!, 'tp', [[0, 1]]).add(x!),
    whole: x =>
      x!
        .roll(2, 0)
        .mul(tensor([0, 0, 1, 1], { device: x!.device }))
        .add(x!),
  },
  {
    name: 'two axes, one of them for the partitioner',
    mesh: { dp_shard: 2, tp: 2 },
    specs: [
      [
        [null, 'tp'],
        ['tp', null],
      ],
      [null, null],
    ],
    axisNames: ['tp'],
    shapes: [
      [4, 6],
      [6, 2],
    ],
    local: (x, w) => collectives.allReduce(x!.matmul(w!), 'tp').tanh(),
    whole: (x, w) => x!.matmul(w!).tanh(),
  },
  {
    name: 'two axes at once',
    mesh: { dp_shard: 2, tp: 2 },
    specs: [[[['dp_shard', 'tp'], null]], [null, 'tp']],
    shapes: [[8, 2]],
    local: x => collectives.allReduce(x!.mul(x!).sum(0, { keepDim: true }), ['dp_shard', 'tp']).narrow(1, 0, 1),
    whole: x => {
      const sum = x!.mul(x!).sum(0, { keepDim: true }).narrow(1, 0, 1);
      return sum.expand([1, 2]);
    },
  },
  {
    name: 'a tensor from outside',
    specs: [[['tp']], ['tp']],
    shapes: [[4]],
    local: x => x!.mul(outside(x!).sin()).add(collectives.axisIndex('tp').to('f32').mul(x!.mean())),
    whole: x => {
      const [first, second] = [x!.narrow(0, 0, 2), x!.narrow(0, 2, 2)];
      const factor = outside(x!).sin();
      return cat([first.mul(factor), second.mul(factor).add(second.mean())], 0);
    },
  },
];
let factor: Tensor | undefined;
const outside = (x: Tensor): Tensor => {
  factor ??= tensor([0.5, 2], { device: x.device }).requiresGrad_();
  return factor;
};
const numbers = (shape: readonly number[], from: number): number[] =>
  Array.from({ length: shape.reduce((n, size) => n * size, 1) }, (_, i) => Math.sin(from + 1.7 * i));

describe('shardMap', () => {
  test.each(cases)(
    '$name',
    ({ mesh: sizes = { tp: 2 }, specs: [inSpecs, outSpecs], axisNames, shapes, local, whole, sent }) => {
      const outcome = (isLocal: boolean) => {
        const device = deviceOfRanks(isLocal ? sizes : { data: 1 });
        factor = undefined;
        const args = shapes.map((shape, i) => tensor(numbers(shape, i), { device, shape }).requiresGrad_());
        const options = { mesh: device.mesh, inSpecs, outSpecs, ...(axisNames !== undefined && { axisNames }) };
        const result = isLocal ? shardMap(local, options)(...args) : whole(...args);
        const weights = tensor(numbers(result.shape, 7), { device, shape: result.shape });
        const leaves = factor === undefined ? args : [...args, factor];
        const gradients = autograd.grad(result.mul(weights).sum(), leaves);
        const values = [result, ...gradients].map(one => Array.from(one!.data as Float32Array));
        return { values, device };
      };
      const [parts, expected] = [outcome(true), outcome(false)];
      for (const [i, list] of parts.values.entries())
        for (const [k, value] of list.entries()) expect(value).toBeCloseTo(expected.values[i]![k]!, 5);
      if (sent !== undefined) {
        const kinds = parts.device.history.flatMap(({ communication }) => communication.map(({ kind }) => kind));
        expect(kinds).toEqual(sent);
      }
    },
  );
});

describe('errors', () => {
  const errorOf = (body: (x: Tensor, options: { readonly mesh: Tensor['device']['mesh'] }) => unknown): string => {
    const device = deviceOfRanks({ dp_shard: 1, tp: 2 });
    try {
      body(tensor([1, 2, 3], { device }).requiresGrad_(), { mesh: device.mesh });
      return 'no error';
    } catch (error) {
      if (isTrenioError(error)) return `${error.code}: ${error.message}`;
      throw error;
    }
  };
  const same = (x: Tensor): Tensor => x;
  const whole = { inSpecs: [[null]], outSpecs: [null] } as const;
  test.each<readonly [string, Parameters<typeof errorOf>[0], RegExp]>([
    ['a collective outside', x => collectives.allReduce(x, 'tp'), /WRONG_ARGUMENT: .*within the function of shardMap/],
    [
      'another axis',
      (x, o) => shardMap(y => collectives.allReduce(y!, 'dp_shard'), { ...o, ...whole, axisNames: ['tp'] })(x),
      /WRONG_ARGUMENT: .*axes of shardMap, tp/,
    ],
    [
      'a dim that does not divide',
      (x, o) => shardMap(same, { ...o, inSpecs: [['tp']], outSpecs: ['tp'] })(x),
      /INVALID_SHARDING: .*size 3, which 2 ranks/,
    ],
    [
      'a dim for the partitioner',
      (x, o) => shardMap(same, { ...o, inSpecs: [['?']], outSpecs: [null] })(x),
      /INVALID_SHARDING: .*name an axis/,
    ],
    [
      'an axis that the function does not handle',
      (x, o) => shardMap(same, { ...o, inSpecs: [['dp_shard']], outSpecs: [null], axisNames: ['tp'] })(x),
      /INVALID_SHARDING: .*'dp_shard' is not one of axisNames/,
    ],
    [
      'other arguments',
      (x, o) => shardMap((a: Tensor, _: Tensor) => a, { ...o, ...whole } as never)(x, x),
      /2 tensors|1 tensors/,
    ],
    [
      'pairs with one receiver',
      (x, o) =>
        shardMap(
          y =>
            collectives.permute(y, 'tp', [
              [0, 1],
              [1, 1],
            ]),
          { ...o, ...whole } as never,
        )(x as never),
      /WRONG_ARGUMENT: .*each a sender and a receiver once/,
    ],
    [
      'a loop that needs a gradient',
      (x, o) =>
        shardMap(y => control.scan((c: Tensor) => [c.sin(), c] as const, y, undefined, { length: 2 })[0], {
          ...o,
          ...whole,
        } as never)(x as never),
      /NOT_DIFFERENTIABLE: .*scan within shardMap/,
    ],
    [
      'a value that is read',
      (x, o) => shardMap(y => y.mul(y.sum().item()), { ...o, ...whole } as never)(x as never),
      /READ_IN_FUNCTION/,
    ],
  ])('%s', (_, body, error) => {
    expect(errorOf(body)).toMatch(error);
  });
});
