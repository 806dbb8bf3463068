// Views and in-place calls compared with PyTorch: random programs (scripts/golden/views.py), elements, layouts and gradients.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { compile, device, noGrad, setDefaultDevice, type Tensor, tensor, zeros } from '../index.ts';

type Numbers = number | readonly Numbers[];
interface Program {
  readonly shape: readonly number[];
  readonly requiresGrad: boolean;
  readonly steps: readonly (readonly [string, number, ...Numbers[]])[];
  readonly tensors: readonly {
    readonly data: Numbers;
    readonly stride?: readonly number[];
    readonly offset?: number;
    readonly grad: boolean;
  }[];
  readonly gradient?: Numbers;
}
const programs = JSON.parse(
  readFileSync(new URL('../../../test/golden/pytorch-views.json', import.meta.url), 'utf8'),
) as readonly Program[];

const calls: Readonly<Record<string, (x: Tensor, ...args: never[]) => Tensor>> = {
  select: (x, dim: number, index: number) => x.select(dim, index),
  narrow: (x, dim: number, start: number, length: number) => x.narrow(dim, start, length),
  transpose: (x, i: number, j: number) => x.transpose(i, j),
  permute: (x, dims: number[]) => x.permute(dims),
  reshape: (x, shape: number[]) => x.reshape(shape),
  flatten: x => x.flatten(),
  unsqueeze: (x, dim: number) => x.unsqueeze(dim),
  squeeze: (x, dim: number) => x.squeeze(dim),
  expand: (x, shape: number[]) => x.expand(shape),
  diagonal: (x, offset: number) => x.diagonal(offset),
  slice: (x, dim: number, start: number, end: number, step: number) => x.slice(dim, start, end, step),
  unbind: (x, dim: number, i: number) => x.unbind(dim)[i]!,
  split: (x, size: number, dim: number) => x.split(size, dim).at(-1)!,
  detach: x => x.detach(),
  contiguous: x => x.contiguous(),
  clone: x => x.clone(),
  double: x => x.mul(2).add(1),
  fill_: (x, value: number) => x.fill_(value),
  zero_: x => x.zero_(),
  mul_: (x, value: number) => x.mul_(value),
  add_: (x, value: number) => x.add_(value),
};

function run({ shape, requiresGrad, steps }: Program): Tensor[] {
  const count = shape.reduce((n, d) => n * d, 1);
  const first = tensor(Float32Array.from({ length: count }, (_, i) => i))
    .reshape(shape)
    .detach()
    .clone()
    .detach();
  const tensors = [tensor(first.toArray())];
  if (requiresGrad) tensors[0]!.requiresGrad_();
  for (const [call, at, ...args] of steps) {
    const made = calls[call]!(tensors[at]!, ...(args as never[]));
    if (!call.endsWith('_')) tensors.push(made);
  }
  return tensors;
}

const compiledEvery = 4;

describe('random programs of views and in-place calls', () => {
  afterAll(() => setDefaultDevice(undefined));
  test.each(programs.map((program, i) => [i, program] as const))('%i', (i, program) => {
    // Each read compiles a program: some natively, most interpreted.
    setDefaultDevice(device(i % compiledEvery === 0 ? 'cpu' : 'interpreter'));
    const tensors = run(program);
    expect(tensors.map(x => x.requiresGrad)).toEqual(program.tensors.map(({ grad }) => grad));
    for (const [i, { stride, offset }] of program.tensors.entries()) {
      if (stride === undefined) continue;
      const x = tensors[i]!;
      const strides = x.stride().map((one, dim) => (x.shape[dim] === 1 ? 0 : one));
      expect({ strides, offset: x.storageOffset() }, `tensor ${i}`).toEqual({ strides: stride, offset });
    }
    if (program.gradient !== undefined) {
      const parts = tensors.flatMap((x, i) => (x.requiresGrad ? [x.sum().mul(i + 1)] : []));
      parts.reduce((sum, part) => sum.add(part)).backward();
      expect(tensors[0]!.grad!.toArray()).toEqual(program.gradient);
    }
    expect(tensors.map(x => x.toArray())).toEqual(program.tensors.map(({ data }) => data));
  });
});

describe('a view', () => {
  test('of state writes through in a loop, and the step has one program', () => {
    const table = zeros([3, 2]);
    const step = compile(() => table.select(0, 1).add_(1));
    for (let i = 0; i < 3; i++) step();
    expect(table.toArray()).toEqual([
      [0, 0],
      [3, 3],
      [0, 0],
    ]);
  });
  test('created before its base changes reflects the change, even if it was read before', () => {
    const x = zeros([2, 2]);
    const row = x.select(0, 0);
    expect(row.toArray()).toEqual([0, 0]);
    x.add_(1);
    expect(row.toArray()).toEqual([1, 1]);
    row.mul_(5);
    expect(x.toArray()).toEqual([
      [5, 5],
      [1, 1],
    ]);
  });
  test('of an expanded tensor cannot be written to', () => {
    expect(() => zeros([1, 2]).expand(3, 2).fill_(1)).toThrow('clone() it first');
  });
  test('of a leaf that requires a gradient can be changed only under noGrad', () => {
    const w = zeros([2, 2]).requiresGrad_();
    expect(() => w.select(0, 0).add_(1)).toThrow(
      'a view of the leaf, which requires a gradient, cannot be changed in place',
    );
    noGrad(() => w.select(0, 0).add_(1));
    expect(w.toArray()).toEqual([
      [1, 1],
      [0, 0],
    ]);
    w.select(0, 0).square().sum().backward();
    expect(w.grad!.toArray()).toEqual([
      [2, 2],
      [0, 0],
    ]);
  });
});
