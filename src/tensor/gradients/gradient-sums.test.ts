// Accumulated gradients: their sums, the partial sums kept from step to step, and the number of programs.
import { beforeEach, describe, expect, test } from 'vitest';
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import type { HostBuffer } from '../../runtime/execution/buffer.ts';
import { compile, Device, noGrad, type Tensor, tensor } from '../index.ts';

let dev: Device;
let w: Tensor;
beforeEach(() => {
  dev = new Device(new InterpreterBackend(), { seed: 0, log: () => {} });
  w = tensor([1, 1, 1], { device: dev }).requiresGrad_();
});

/** Sums of them depend on the order. */
const gradient = (i: number): number[] => [0.1, 1e4, -7].map((x, k) => Math.fround(Math.sin(i * 3 + k) * x ** (i % 5)));
/** The pairwise sum in order: of pairs, of pairs of pairs … */
function pairwise(from: number, count: number): number[] {
  if (count === 1) return gradient(from);
  let left = 1;
  while (2 * left < count) left *= 2;
  const right = pairwise(from + left, count - left);
  return pairwise(from, left).map((x, k) => Math.fround(x + right[k]!));
}
const backward = (i: number): void =>
  w
    .mul(tensor(gradient(i), { device: dev }))
    .sum()
    .backward();
const kept = (): number[] => w.partials.map(({ level }) => level);

describe.each(['one trace', 'marked steps', 'compiled calls'])('in %s', how => {
  const call = (i: number): void => {
    if (how === 'one trace') backward(i);
    else if (how === 'marked steps') {
      backward(i);
      dev.markStep();
    } else accumulate(tensor(gradient(i), { device: dev }));
  };
  let accumulate: (x: Tensor) => void;
  beforeEach(() => {
    accumulate = compile((x: Tensor) => w.mul(x).sum().backward());
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 13])('%i gradients are added pairwise', n => {
    for (let i = 0; i < n; i++) call(i);
    expect(w.grad?.toArray()).toEqual(pairwise(0, n));
  });
  test('the number of kept sums is the number of ones in the binary number of calls', () => {
    for (let i = 0; i < 7; i++) call(i);
    expect(kept()).toEqual([2, 1, 0]);
    call(7);
    expect(kept()).toEqual([3]);
  });
  test('reading the sum changes nothing', () => {
    for (let i = 0; i < 8; i++) {
      call(i);
      expect(w.grad?.toArray()).toEqual(pairwise(0, i + 1));
    }
    w.zeroGrad();
    expect(w.grad).toBeUndefined();
    for (let i = 0; i < 3; i++) call(i);
    expect(w.grad?.toArray()).toEqual(pairwise(0, 3));
  });
});

test('marked steps have one program for each number of sums that are joined, whatever was kept before', () => {
  for (let i = 0; i < 16; i++) {
    backward(i);
    dev.markStep();
  }
  expect(dev.metrics.compiles).toBe(5);
});
test('a sum of several gradients uses the memory of the oldest', () => {
  for (let i = 0; i < 2; i++) {
    backward(i);
    dev.markStep();
  }
  const { block } = dev.read(w.grad!) as HostBuffer;
  for (let i = 2; i < 4; i++) {
    backward(i);
    dev.markStep();
  }
  expect((dev.read(w.grad!) as HostBuffer).block).toBe(block);
});
test('an assigned gradient replaces all sums', () => {
  for (let i = 0; i < 3; i++) backward(i);
  w.grad!.mul_(2);
  expect(kept()).toEqual([2]);
  dev.markStep();
  expect(w.grad?.toArray()).toEqual(pairwise(0, 3).map(x => 2 * x));
  backward(3);
  dev.markStep();
  expect(w.grad?.toArray()).toEqual(pairwise(0, 3).map((x, k) => Math.fround(2 * x + gradient(3)[k]!)));
});
test('a compiled function that reads gradients gets the sum of the existing ones', () => {
  const step = compile((scale: Tensor) => {
    noGrad(() => w.sub_(w.grad!.mul(scale)));
    w.zeroGrad();
  });
  let expected = [1, 1, 1];
  for (const n of [1, 3, 2, 3]) {
    for (let i = 0; i < n; i++) backward(i);
    dev.markStep();
    step(tensor([1], { device: dev }));
    expected = expected.map((x, k) => Math.fround(x - pairwise(0, n)[k]!));
    expect(w.toArray()).toEqual(expected);
    expect(w.grad).toBeUndefined();
  }
});
test('gradients of bf16 are summed in f32, and rounded when they are read', () => {
  w = tensor([1, 1, 1], { device: dev, dtype: 'bf16' }).requiresGrad_();
  const list = [
    [256, 1, 3],
    [1, 1, 2 ** -9],
    [1, 1, 2 ** -9],
    [1, 1, 0],
  ] as const;
  list.forEach((values, i) => {
    w.mul(tensor(values, { device: dev, dtype: 'bf16' }))
      .sum()
      .backward();
    if (i === 1) dev.markStep();
    expect(w.grad?.dtype).toBe('bfloat16');
  });
  // with rounding after each addition, 256 + 1 + (1 + 1) would be 256 + 2
  expect(w.grad?.toArray()).toEqual([260, 4, 3]);
  expect(w.partials.map(({ impl }) => impl.type.elementType)).toEqual(['f32']);
  w.grad!.mul_(0.5);
  expect(w.grad?.toArray()).toEqual([130, 2, 1.5]);
});
test('a gradient may be set to undefined, as in PyTorch', () => {
  backward(0);
  w.grad = undefined;
  expect(w.grad).toBeUndefined();
});

describe('random numbers of micro-batches', () => {
  /** The samples of a rank in `steps` steps of n micro-batches, with `uses` samplings each. */
  function samplesOf(rank: number, worldSize: number, n: number, marked: boolean): bigint[][][] {
    dev = new Device(new InterpreterBackend(), {
      mesh: new DeviceMesh({ data: worldSize }, rank),
      seed: 3,
      log: () => {},
    });
    dev.gradientAccumulationSteps = n;
    w = tensor([1, 1, 1], { device: dev }).requiresGrad_();
    return Array.from({ length: 3 }, () => {
      const step = Array.from({ length: n }, (_, i) => {
        const { random, trace } = dev;
        const sampled = [0, 1].flatMap(() => {
          const { part, pass } = random.position(trace.backwards);
          const words = [random.base('training', pass), random.place(part)].map(input => input.next());
          return [BigInt(trace.uses.training++), ...words.flatMap(bytes => [...new BigUint64Array(bytes.buffer)])];
        });
        backward(i);
        if (marked && i < n - 1) dev.markStep();
        return sampled;
      });
      w.zeroGrad();
      dev.markStep();
      return step;
    });
  }
  test.each([false, true])('match one rank with all of them (marked: %s)', marked => {
    const one = samplesOf(0, 1, 4, marked);
    for (const [ranks, n] of [
      [2, 2],
      [4, 1],
    ] as const) {
      const all = Array.from({ length: ranks }, (_, rank) => samplesOf(rank, ranks, n, marked));
      expect(one.map((_, step) => all.flatMap(rank => rank[step]!))).toEqual(one);
    }
    expect(new Set(one.flat().map(String)).size).toBe(12);
  });
  test('the number of micro-batches must be an integer', () => {
    expect(() => {
      dev.gradientAccumulationSteps = 0.5;
    }).toThrow('gradientAccumulationSteps');
  });
});
