// Number formats of a device: stochastic rounding and auto-cast of programs, autocast of calls, and invalid settings.
import { beforeEach, describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { autocast, compile, Device, ones, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import { Linear } from './layers/layers.ts';

let dev: Device;
beforeEach(() => {
  dev = new Device(new InterpreterBackend(), { seed: 3, log: () => {} });
  setDefaultDevice(dev);
});
const numbers = (x: Tensor): number[] => Array.from(x.to('f32').data as Float32Array);
const third = (): Tensor => tensor(new Array(64).fill(1 / 3)).add(0);

describe('stochastic rounding', () => {
  const sampled = (): number[] => {
    dev.random.state = { seed: 3, step: 0 };
    return numbers(third().bfloat16());
  };
  test('the same seed gives the same bits, another seed different ones', () => {
    const nearest = sampled();
    expect(new Set(nearest).size).toBe(1);
    dev.setRounding({ mode: 'stochastic', seed: 1 });
    const first = sampled();
    expect(new Set(first).size).toBe(2);
    expect(sampled()).toEqual(first);
    dev.setRounding({ mode: 'stochastic', seed: 2 });
    expect(sampled()).not.toEqual(first);
    dev.setRounding({ mode: 'nearest-even' });
    expect(sampled()).toEqual(nearest);
  });
  test('each execution uses new random bits: reads within a step, steps, calls of a compiled function', () => {
    dev.setRounding({ mode: 'stochastic' });
    const run = compile((x: Tensor) => x.bfloat16().float());
    const x = tensor(new Array(64).fill(1 / 3));
    const results = [
      () => numbers(third().bfloat16()),
      () => numbers(third().bfloat16()),
      () => {
        dev.markStep();
        return numbers(third().bfloat16());
      },
      () => numbers(run(x)),
      () => numbers(run(x)),
    ].map(f => f().join());
    expect(new Set(results).size).toBe(5);
    expect(dev.metrics.compiles).toBe(2);
  });
  test('arithmetic on low-precision floats, and gradients, are rounded stochastically, too', () => {
    dev.setRounding({ mode: 'stochastic' });
    const x = tensor(new Array(64).fill(1), { dtype: 'bf16' }).requiresGrad_();
    expect(new Set(numbers(x.mul(1 / 3).exp())).size).toBeGreaterThan(1);
    x.float()
      .mul(1 / 3)
      .sum()
      .backward();
    expect(x.grad!.dtype).toBe('bfloat16');
    expect(new Set(numbers(x.grad!)).size).toBe(2);
  });
  test('the seed is saved with the random state', () => {
    expect(dev.random.state).toEqual({ seed: 3, step: 0 });
    dev.setRounding({ mode: 'stochastic', seed: 5 });
    expect(dev.random.state).toEqual({ seed: 3, step: 0, rounding: 5 });
  });
});

describe('auto-cast', () => {
  const x = (): Tensor => tensor([[1 + 2 ** -9, 1]]);
  test('multiplies in the type; a compiled function is traced again after a change', () => {
    const product = compile((y: Tensor) => y.matmul(ones([2, 1])));
    expect(product(x()).item()).toBe(2 + 2 ** -9);
    dev.setAutoCast({ mode: 'matmult', type: 'bf16' });
    expect(product(x()).item()).toBe(2);
    dev.setAutoCast({ mode: 'matmult', type: 'tf32' });
    expect(product(x()).item()).toBe(2 + 2 ** -9);
    dev.setAutoCast({ mode: 'none', type: 'bf16' });
    expect(product(x()).item()).toBe(2 + 2 ** -9);
    expect(product.traces).toBe(4);
  });
});

describe('autocast', () => {
  test('multiplies are in bf16, losses and norms in f32; parameters and their gradients stay f32', () => {
    const layer = new Linear(4, 2);
    const [y, z] = autocast(() => {
      const product = layer.forward(ones([3, 4]));
      return [product, product.softmax(-1)] as const;
    });
    expect([y.dtype, z.dtype, layer.forward(ones([3, 4])).dtype]).toEqual(['bfloat16', 'float32', 'float32']);
    z.select(1, 0).sum().backward();
    expect(layer.weight.grad!.dtype).toBe('float32');
    expect(autocast(() => autocast(() => layer.forward(ones([3, 4])), { enabled: false })).dtype).toBe('float32');
    expect(autocast(() => layer.forward(ones([3, 4])), { dtype: 'float16' }).dtype).toBe('float16');
  });
  test('a compiled function is traced for each setting', () => {
    const layer = new Linear(4, 2);
    const run = compile((x: Tensor) => layer.forward(x));
    expect([run(ones([3, 4])).dtype, autocast(() => run(ones([3, 4]))).dtype]).toEqual(['float32', 'bfloat16']);
  });
});

describe('a model in bf16', () => {
  test('converts its parameters in place; gradients follow, an optimizer keeps them', () => {
    const layer = new Linear(4, 2);
    const { weight } = layer;
    const before = numbers(weight);
    const run = compile((x: Tensor) => layer.forward(x));
    expect(run(ones([3, 4])).dtype).toBe('float32');
    expect(layer.to('bfloat16').weight).toBe(weight);
    expect([weight.dtype, layer.bias!.dtype]).toEqual(['bfloat16', 'bfloat16']);
    expect(numbers(weight)).toEqual(numbers(tensor(before).bfloat16()));
    const y = run(ones([3, 4], { dtype: 'bf16' }));
    expect(y.dtype).toBe('bfloat16');
    layer
      .forward(ones([3, 4], { dtype: 'bf16' }))
      .sum()
      .backward();
    expect(weight.grad!.dtype).toBe('bfloat16');
    expect(layer.float().weight.dtype).toBe('float32');
    expect(layer.half().weight.dtype).toBe('float16');
  });
  test('functions compute in f32 and round once', () => {
    const x = tensor(
      Array.from({ length: 64 }, (_, i) => Math.sin(i) * 3),
      { shape: [4, 16], dtype: 'bf16' },
    );
    const w = tensor(
      Array.from({ length: 32 }, (_, i) => Math.cos(i)),
      { shape: [16, 2], dtype: 'bf16' },
    );
    const functions: ((v: Tensor, m: Tensor) => Tensor)[] = [
      v => v.gelu(),
      v => v.gelu('tanh'),
      v => v.softmax(-1),
      v => v.logSoftmax(0),
      v => v.sum(1),
      v => v.mean(0),
      v => v.var(1),
      v => v.pow(3),
      v => v.div(3),
      (v, m) => v.matmul(m),
    ];
    for (const f of functions) {
      const got = f(x, w);
      expect(got.dtype).toBe('bfloat16');
      expect(numbers(got)).toEqual(numbers(f(x.float(), w.float()).bfloat16()));
    }
  });
});

describe('invalid settings', () => {
  test.each<[string, () => unknown]>([
    [
      'mode is most, expected one of none, matmult, all',
      () => dev.setAutoCast({ mode: 'most' as 'all', type: 'bf16' }),
    ],
    ['type is int4, expected one of bf16', () => dev.setAutoCast({ mode: 'all', type: 'int4' as 'bf16' })],
    ['mode is up, expected one of nearest-even, stochastic', () => dev.setRounding({ mode: 'up' as 'stochastic' })],
    ['seed is -1, expected an integer', () => dev.setRounding({ mode: 'stochastic', seed: -1 })],
    ['seed is NaN, expected an integer', () => dev.setRounding({ mode: 'stochastic', seed: NaN })],
    ['dtype is int8, expected bfloat16 or float16', () => autocast(() => {}, { dtype: 'int8' })],
    ['the data type is int32, expected a floating-point type', () => new Linear(1, 1).to('int32')],
  ])('%s', (text, call) => {
    const { precision } = dev;
    expect(call).toThrow(text);
    expect(dev.precision).toBe(precision);
  });
});
