// Indices, numbers and sizes that change from step to step cause at most three compilations.
import { beforeEach, describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from './debugging/eager.ts';
import {
  arange,
  bucketOf,
  cat,
  Device,
  markDynamic,
  markStatic,
  noGrad,
  ones,
  padTo,
  setDefaultDevice,
  type Tensor,
  tensor,
} from './index.ts';

let dev: Device;
let messages: string[];
function use(isEager: boolean): void {
  messages = [];
  dev = new Device(new InterpreterBackend(), {
    seed: 0,
    eager: isEager ? new EagerMode('never') : undefined,
    log: (level, message) =>
      messages.push(`${level}: ${message.replaceAll(/:\d+/g, '').replace(/\(\d.*?\)/, '(size)')}`),
  });
  setDefaultDevice(dev);
}
beforeEach(() => {
  use(false);
  return () => setDefaultDevice(undefined);
});
/** Six results of `body`, which are those of eager mode. */
function six(body: () => (i: number) => unknown): void {
  const run = (): unknown[] => {
    const step = body();
    return Array.from({ length: 6 }, (_, i) => step(i));
  };
  const lazy = run();
  const [device, said] = [dev, messages];
  use(true);
  expect(lazy).toEqual(run());
  [dev, messages] = [device, said];
}
const table = (): Tensor => arange(24).float().reshape(6, 4);

describe('become inputs of the program', () => {
  test.each<[string, (x: Tensor, i: number) => Tensor]>([
    ['select', (x, i) => x.select(0, i)],
    ['a negative index', (x, i) => x.select(0, -1 - i)],
    ['narrow', (x, i) => x.narrow(0, i % 4, 2)],
    ['slice', (x, i) => x.slice(0, i % 5, (i % 5) + 2)],
    ['a counter in a mask', (x, i) => x.maskedFill(arange(4).le(i), 0)],
    ['a factor', (x, i) => x.mul(i / 8)],
    ['a diagonal', (x, i) => x.tril(i - 2)],
    ['two at one line', (x, i) => x.select(0, i).mul(x.select(0, 5 - i))],
  ])('%s', (_, body) => {
    six(() => {
      const x = table().mul(1).keep();
      x.toArray();
      return i => body(x, i).toArray();
    });
    expect(dev.history.filter(({ kind }) => kind === 'read').length).toBeLessThanOrEqual(1 + 3);
    expect(dev.metrics.executions).toBe(1 + 6);
    expect(messages.filter(m => !m.startsWith('info'))).toEqual([]);
  });
  test('in a training step: gradients flow to the selected elements', () => {
    six(() => {
      const w = tensor(
        Float32Array.from({ length: 24 }, (_, i) => i),
        { shape: [6, 4] },
      ).requiresGrad_();
      return i => {
        w.zeroGrad();
        const loss = w.select(0, i).square().sum().add(w.mul(i).mean());
        loss.backward();
        noGrad(() => w.sub_((w.grad as Tensor).mul(0.1)));
        dev.endStep([w]);
        return [loss.item(), w.toArray()];
      };
    });
    expect(dev.metrics).toMatchObject({ compiles: 3, executions: 6 });
    expect(messages.slice(1)).toMatchInlineSnapshot(`
      [
        "info: recompiling the step at changing-sizes.test.ts (size): slice [1,4] f32 from 1 at changing-sizes.test.ts was slice [1,4] f32 from 0 at changing-sizes.test.ts; it is an input of the program from now on",
        "info: recompiling the step at changing-sizes.test.ts (size): the number at changing-sizes.test.ts is now an input of the program, because it changes",
      ]
    `);
  });
  test('but not if one line records several of them: a loop over time is one program with constants', () => {
    six(() => {
      const x = table();
      return i => {
        let h = tensor([0, 0, 0, 0]);
        for (let t = 0; t < 6; t++)
          h = h
            .mul(0.5)
            .add(x.select(0, t))
            .add(i === 9 ? 1 : 0);
        return h.toArray();
      };
    });
    expect(dev.metrics.compiles).toBe(1);
  });
});

describe('sizes: the third program is for all of them', () => {
  const rows = (i: number): Tensor =>
    arange(4 * (i + 2))
      .float()
      .reshape(i + 2, 4)
      .div(7);
  test.each<[string, (x: Tensor, i: number) => Tensor]>([
    ['a softmax', x => x.softmax(0)],
    ['a mean of a product', x => x.matmul(x.T).mean()],
    ['a variance', x => x.var(0)],
    ['sorted', x => x.neg().sort(0)[0]],
    ['the largest', x => x.max(0)[0]],
    ['the last row', x => x.select(0, -1)],
    ['all but the first row, padded', x => cat([x.narrow(0, 1, x.shape[0]! - 1), x])],
    ['rows chosen by a list', (x, i) => x.indexSelect(0, arange(i + 1))],
    ['a causal mask', x => x.matmul(x.T).tril().sum(1)],
    ['in another shape', x => x.reshape(-1, 2).transpose(0, 1)],
    ['a broadcast', x => x.unsqueeze(0).expand(3, -1, -1).sum(0)],
  ])('%s', (_, body) => {
    six(() => i => {
      const x = rows(i).requiresGrad_();
      const y = body(x, i).keep();
      y.square().sum().backward();
      dev.markStep();
      return [y.shape, y.toArray(), x.grad!.toArray()];
    });
    expect(dev.metrics).toMatchObject({ compiles: 3, executions: 6 });
    expect(messages.filter(m => !m.startsWith('info'))).toEqual([]);
  });
  test('the message names the input', () => {
    const x = ones([1, 2]);
    for (const length of [3, 4, 3, 4, 5, 5, 6, 7]) {
      const y = ones([2, length]);
      y.label = 'input 0 of Net.forward';
      x.matmul(y).sum().item();
    }
    expect(dev.metrics.compiles).toBe(3);
    expect(messages.slice(1)).toMatchInlineSnapshot(`
      [
        "info: recompiling the read at changing-sizes.test.ts (size): input 0 of Net.forward at changing-sizes.test.ts was [2,3] f32, is [2,4] f32; if it changes again, a program for all sizes is compiled",
        "info: recompiling the read at changing-sizes.test.ts (size): input 0 of Net.forward at changing-sizes.test.ts was [2,4] f32, is [2,5] f32; the new program is for all sizes",
      ]
    `);
  });
  test('markDynamic: the second program is for all sizes; markStatic: each has its own', () => {
    const sums = (mark: (x: Tensor, dim: number) => Tensor): void => {
      for (const size of [2, 3, 4, 5, 3])
        expect(
          mark(ones([2, size]), 1)
            .sum()
            .item(),
        ).toBe(2 * size);
    };
    sums(markDynamic);
    expect(dev.metrics.compiles).toBe(2);
    use(false);
    sums(markStatic);
    expect(dev.metrics.compiles).toBe(4);
    expect(() => markDynamic(ones([2]), 1)).toThrow('markDynamic: dim 1 is out of range');
    expect(() => markStatic([1, 2] as never, 0)).toThrow('markStatic: the input');
  });
  test('another family at the line: its second program is for all sizes', () => {
    const sum = (size: number, isSquared: boolean): number => {
      const x = ones([size, 3]);
      return (isSquared ? x.square() : x).mul(2).sum().item();
    };
    const sizes = [2, 3, 4, 5];
    const results = [false, true].map(isSquared => sizes.map(size => sum(size, isSquared)));
    expect(results).toEqual([sizes, sizes].map(list => list.map(size => 6 * size)));
    expect(dev.metrics.compiles).toBe(3 + 2);
  });
  test('a few sizes that recur get programs of their own; of many, none does', () => {
    const sum = (size: number): number => ones([2, size]).sum().item();
    const run = (sizes: readonly number[]): void => {
      for (let round = 0; round < 12; round++) for (const size of sizes) sum(size);
    };
    run([2, 3, 4, 5]);
    expect(dev.metrics.compiles).toBe(5);
    use(false);
    run([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(dev.metrics.compiles).toBe(3);
    use(false);
    for (let i = 0; i < 40; i++)
      ones([2, 2 + (i % 3)])
        .add(tensor(i).item())
        .sum()
        .item();
    expect(dev.metrics.compiles).toBeLessThanOrEqual(5);
  });
  test('sizes that were equal by chance: another program is made, once', () => {
    const product = (n: number, m: number): number =>
      ones([n, 2])
        .matmul(ones([2, m]))
        .sum()
        .item();
    expect([3, 4, 5, 6].map(n => product(n, n))).toEqual([18, 32, 50, 72]);
    expect(
      [
        [1, 7],
        [2, 9],
        [5, 5],
        [8, 3],
      ].map(([n, m]) => product(n!, m!)),
    ).toEqual([14, 36, 50, 48]);
    expect(dev.metrics.compiles).toBe(4);
  });
});

describe('padTo', () => {
  test('pads to the smallest size that holds the tensor, or to multiples of the largest size', () => {
    expect([1, 4, 5, 8, 9, 17].map(length => bucketOf(length, [8, 4]))).toEqual([4, 4, 8, 8, 16, 24]);
    const x = tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const both = { rows: padTo(x, { bucket: [4], dim: 0, value: -1 }), columns: padTo(x, { bucket: [2, 4] }) };
    expect(both.rows.toArray()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [-1, -1, -1],
      [-1, -1, -1],
    ]);
    expect(both.columns.toArray()).toEqual([
      [1, 2, 3, 0],
      [4, 5, 6, 0],
    ]);
    expect(padTo(x, { bucket: [3] })).toBe(x);
    expect(() => padTo(x, { bucket: [] })).toThrow('bucket');
    expect(() => padTo(x, { bucket: [4], dim: 2 })).toThrow('dim');
  });
  test('batches of all lengths compile one program per size', () => {
    for (let length = 1; length <= 16; length++)
      padTo(ones([2, length]), { bucket: [8, 16] })
        .square()
        .sum()
        .item();
    expect(dev.metrics.compiles).toBe(2);
  });
});
