// The printed text equals PyTorch's, and printing has no side effects.
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Literal, literal, scalar } from '../../hlo/literal.ts';
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { numberFormat } from '../../numerics/index.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import * as func from '../func/index.ts';
import {
  compile,
  Device,
  type DType,
  detectAnomaly,
  elementTypeOf,
  markStep,
  noGrad,
  print,
  record,
  setDefaultDevice,
  setPrintOptions,
  Tensor,
  type TensorData,
  tensor,
} from '../index.ts';
import { exponential, fixed } from './format-elements.ts';
import { printOptions } from './print-options.ts';

let dev: Device;
beforeEach(() => {
  dev = new Device(new InterpreterBackend(), { seed: 0, log: () => {} });
  setDefaultDevice(dev);
});
afterEach(() => {
  setDefaultDevice(undefined);
  setPrintOptions({ profile: 'default' });
});
const on = (data: TensorData, dtype?: DType): Tensor => tensor(data, { device: dev, ...(dtype && { dtype }) });

describe("PyTorch's text", () => {
  interface Case {
    readonly dtype: DType;
    readonly shape: readonly number[];
    readonly options: Record<string, unknown>;
    readonly text: string;
    readonly values?: readonly (number | string | boolean | readonly [number | string, number | string])[];
    readonly formula?: readonly [factor: number, modulus: number, offset: number, divisor: number];
  }
  const file = new URL('../../../test/golden/printing.json', import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Case[] };

  function literalOf({ dtype, shape, values, formula }: Case): Literal {
    const type = elementTypeOf(dtype);
    const parse = (value: number | string | boolean): number | bigint | boolean =>
      typeof value !== 'string' ? value : type === 'i64' ? BigInt(value) : Number(value);
    if (values !== undefined)
      return literal(
        type,
        shape,
        values.flatMap(v => (Array.isArray(v) ? v.map(parse) : parse(v as number))),
      );
    const [factor, modulus, offset, divisor] = formula!;
    const count = shape.reduce((a, b) => a * b, 1);
    const numbers = Array.from({ length: count }, (_, i) => (((i * factor) % modulus) + offset) / divisor);
    return literal(type, shape, type.startsWith('complex') ? numbers.flatMap(x => [x, 0]) : numbers);
  }

  test.each(cases.map((one, i) => [i, one.dtype, JSON.stringify(one.options), one.shape, one] as const))(
    '%i: %s %s [%s]',
    (_, _dtype, _options, _shape, one) => {
      const { sci_mode, ...options } = one.options;
      setPrintOptions({ ...options, ...('sci_mode' in one.options && { sciMode: sci_mode as boolean }) });
      const text = one.text.replace('dtype=torch.', 'dtype=');
      const shown = inspect(on(literalOf(one)));
      // Without 'torch.' the names of types are shorter, so line breaks may differ.
      const plain = (s: string): string => (one.text.includes('dtype') ? s.replace(/,\s+(dtype|size)=/g, ', $1=') : s);
      expect(plain(shown)).toBe(plain(text));
    },
  );

  test('halves are rounded as in Python', () => {
    expect([0.5, 1.5, 2.5, -0.5, 9.5].map(x => fixed(x, 0))).toEqual(['0', '2', '2', '-0', '10']);
    expect([0.03125, 0.09375, 1e21, -0].map(x => fixed(x, 4))).toEqual([
      '0.0312',
      '0.0938',
      '1000000000000000000000.0000',
      '-0.0000',
    ]);
    expect([1000050, 1000150, 9.99995e6, 1e100].map(x => exponential(x, 4))).toEqual([
      '1.0000e+06',
      '1.0002e+06',
      '1.0000e+07',
      '1.0000e+100',
    ]);
    expect([2.5, 3.5].map(x => exponential(x, 0))).toEqual(['2e+00', '4e+00']);
  });
});

describe('the text next to the elements', () => {
  test('type, device, gradient', () => {
    const w = on([[1, 2]]).requiresGrad_();
    expect(inspect(w)).toBe('tensor([[1., 2.]], requires_grad=True)');
    expect(inspect(w.add(0.5))).toBe('tensor([[1.5000, 2.5000]], grad_fn=<AddBackward>)');
    expect(inspect(noGrad(() => w.add(0.5)))).toBe('tensor([[1.5000, 2.5000]])');
    expect(inspect(on([1, 2], 'bf16').add(1))).toBe('tensor([2., 3.], dtype=bfloat16)');
    expect(inspect({ loss: w.sum(), w: [w] })).toBe(
      '{\n  loss: tensor(3., grad_fn=<SumBackward>),\n  w: [ tensor([[1., 2.]], requires_grad=True) ]\n}',
    );
    setDefaultDevice(undefined);
    vi.stubEnv('TRENIO_BACKEND', 'cpu');
    expect(inspect(on([1]))).toBe("tensor([1.], device='interpreter')");
    vi.stubEnv('TRENIO_BACKEND', 'interpreter');
    expect(inspect(on([1]))).toBe('tensor([1.])');
    vi.unstubAllEnvs();
  });
  test('a large tensor prints its size, and only its edges are read', () => {
    const x = on(
      literal(
        'f32',
        [100, 100],
        Array.from({ length: 10_000 }, (_, i) => i),
      ),
    );
    expect(inspect(x)).toBe(
      ['tensor([[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 9.7000e+01, 9.8000e+01,', '         9.9000e+01],'].join(
        '\n',
      ) + inspect(x).slice(inspect(x).indexOf('9.9000e+01],') + 12),
    );
    expect(inspect(x)).toMatch(/size=\(100, 100\)\)$/);
    const buffer = dev.read(x);
    const copy = vi.spyOn(buffer, 'copyToHost');
    inspect(x);
    expect(copy.mock.calls.map(([into]) => into?.length)).toEqual(Array.from({ length: 12 }, () => 12));
  });
  test('of a released tensor', () => {
    const state = on([[1, 2]]);
    let y = state;
    for (let i = 0; i < 3; i++) {
      y = state.add(1);
      state.add_(y.mul(2));
      dev.markStep();
      // The first steps copy values before they are overwritten, until it is known which ones are read.
      if (i === 0) expect(inspect(y)).toBe('tensor([[2., 3.]])');
    }
    expect(inspect(state)).toBe('tensor([[53., 80.]])');
    expect(inspect(y)).toBe('tensor(..., size=(1, 2), released)');
    expect(String(y)).toBe('tensor(..., size=(1, 2), released)');
    expect(() => JSON.stringify(y)).toThrow(expect.objectContaining({ code: 'TENSOR_RELEASED' }));
  });
  test('ops that need other ranks do not run on one of them', () => {
    const mesh = new DeviceMesh({ data: 2 });
    dev = new Device(new InterpreterBackend(), { mesh, seed: 0, log: () => {} });
    setDefaultDevice(dev);
    const x = on([1, 2]);
    const sum = record('allReduce', [x], (b, [v]) => {
      const [sum] = b.emit('all_reduce', [v!], { replicaGroups: [[0, 1]] }, [b.combiner('add', 'f32')]);
      return sum!;
    });
    expect(inspect(sum.mul(2))).toBe('tensor(..., size=(2,), needs other ranks)');
    expect(inspect(x.mul(2))).toBe('tensor([2., 4.])');
  });
  test('is symbolic within compile', () => {
    const seen: string[] = [];
    const captured = on([5]);
    const f = compile((x: Tensor) => {
      const y = x.mul(captured);
      seen.push(inspect(x), String(y), inspect(y.sum()), inspect(captured));
      return y;
    });
    expect([f(on([1, 2])).toArray(), f(on([3, 4])).toArray()]).toEqual([
      [5, 10],
      [15, 20],
    ]);
    expect(seen).toEqual([
      'tensor(..., size=(2,), symbolic)',
      'tensor(..., size=(2,), symbolic)',
      'tensor(..., size=(), symbolic)',
      'tensor([5.])',
    ]);
  });
});

test('is symbolic in a function that vmap records', () => {
  const seen: string[] = [];
  const double = func.vmap((row: Tensor) => {
    const sum = row.sum();
    seen.push(inspect(row), String(sum), inspect(on([7])));
    return sum.mul(2);
  });
  expect(
    double(
      on([
        [1, 2],
        [3, 4],
      ]),
    ).toArray(),
  ).toEqual([6, 14]);
  expect(seen.slice(0, 3)).toEqual([
    'tensor(..., size=(2,), symbolic)',
    'tensor(..., size=(), symbolic)',
    'tensor([7.])',
  ]);
});

describe('as text and as JSON', () => {
  test('scalars are numbers', () => {
    const x = on(2.5).requiresGrad_();
    expect([`${x}`, String(x.mul(2)), x.toString(), JSON.stringify(x)]).toEqual(['2.5', '5', '2.5', '2.5']);
    expect([String(on(scalar('i64', 2n ** 62n))), String(on(scalar('i1', true))), String(on(Number.NaN))]).toEqual([
      '4611686018427387904',
      'true',
      'NaN',
    ]);
    expect(String(on(scalar('complex<f32>', 1)))).toBe('tensor(1.+0.j)');
    expect(inspect(x)).toBe('tensor(2.5000, requires_grad=True)');
  });
  test('other tensors are the text of the console, and nested arrays', () => {
    const x = on([
      [1, 2],
      [3, Number.NaN],
    ]);
    expect(String(x)).toBe('tensor([[1., 2.],\n        [3., nan]])');
    expect(JSON.stringify({ x, y: x.add(1), empty: on([]) })).toBe(
      '{"x":[[1,2],[3,null]],"y":[[2,3],[4,null]],"empty":[]}',
    );
    expect(dev.history.map(event => event.kind)).toEqual(['display']);
  });
  test('print', () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    print('x', on(1));
    expect(log.mock.calls).toEqual([['x', expect.any(Tensor)]]);
    log.mockRestore();
  });
});

describe('printing changes nothing', () => {
  const coarse = numberFormat('f8E5M2');
  /** A loop with random numbers and updates, and everything that can be seen of it. */
  function train(show: (x: Tensor, ...more: Tensor[]) => void, mode: 'nearest-even' | 'stochastic' = 'nearest-even') {
    const device = new Device(new InterpreterBackend(), { seed: 1, log: () => {} });
    device.setRounding({ mode });
    const w = tensor([[0.5, -1, 2]], { device, dtype: mode === 'stochastic' ? 'bf16' : 'f32' }).requiresGrad_();
    const steps: unknown[] = [];
    for (let step = 0; step < 4; step++) {
      const x = tensor([[1, 2, 3].map(v => v + step)], { device, dtype: w.dtype });
      const hidden = x.mul(w).roundTo(coarse, { rounding: 'stochastic' });
      show(hidden);
      const loss = hidden.square().mean();
      show(loss);
      loss.backward();
      show(w.grad as Tensor, hidden, w);
      noGrad(() => w.sub_((w.grad as Tensor).mul(0.1)));
      show(w);
      w.zeroGrad();
      device.markStep();
      show(w, loss, hidden);
      steps.push(w.data, loss.item());
    }
    return { steps, history: device.history.filter(({ kind }) => kind !== 'display'), metrics: device.metrics, device };
  }
  const facts = (run: ReturnType<typeof train>) => [
    run.steps,
    run.history.map(({ kind, ops, because }) => [kind, ops, because]),
    run.metrics.stepsMarked,
    run.device.random.state,
  ];

  test.each(['nearest-even', 'stochastic'] as const)(
    'in programs, bits or random numbers of the steps, rounding %s',
    mode => {
      const without = train(() => {}, mode);
      let shown = 0;
      const with_ = train((...tensors) => {
        for (const x of tensors) shown += `${inspect(x)} ${x} ${x.buffer && JSON.stringify(x)}`.length;
      }, mode);
      expect(facts(with_)).toEqual(facts(without));
      expect(shown).toBeGreaterThan(1000);
    },
  );

  test('a loop that prints compiles each display once', () => {
    const run = train((...tensors) => tensors.forEach(x => void inspect(x)));
    const displays = run.device.history.filter(({ kind }) => kind === 'display');
    expect(displays.length).toBeLessThanOrEqual(6);
    expect(displays.every(({ because }) => because === undefined || !because.includes('step'))).toBe(true);
  });

  test('a pending value is printed as it will be, including random numbers', () => {
    const x = on(Array.from({ length: 20 }, () => 1.1)).roundTo(coarse, { rounding: 'stochastic' });
    const text = inspect(x);
    expect(inspect(x)).toBe(text);
    expect(x.buffer).toBeUndefined();
    dev.markStep();
    expect(inspect(x)).toBe(text);
  });

  test('observers of executions are not notified of displays', () => {
    const seen: number[] = [];
    dev.observeNext(() => seen.push(1));
    inspect(on([1]).add(1));
    expect(seen).toEqual([]);
    on([1]).add(1).toArray();
    expect(seen).toEqual([1]);
    detectAnomaly(() => {
      inspect(on([-1]).sqrt());
    });
  });
});

describe('setPrintOptions', () => {
  test('keeps omitted settings, and rejects unknown ones', () => {
    setPrintOptions({ precision: 2 });
    setPrintOptions({ linewidth: 100, sciMode: true });
    expect(printOptions()).toEqual({ precision: 2, threshold: 1000, edgeitems: 3, linewidth: 100, sciMode: true });
    setPrintOptions({ sciMode: undefined, threshold: Number.POSITIVE_INFINITY });
    expect(printOptions()).toMatchObject({ sciMode: undefined, threshold: Number.POSITIVE_INFINITY });
    const set = (options: unknown) => () => setPrintOptions(options as never);
    expect(set({ edgeItem: 2 })).toThrow(/setPrintOptions has no option edgeItem[\s\S]*did you mean edgeitems\?/);
    expect(set({ precision: -1 })).toThrow('precision is -1, expected an integer from 0 to 40');
    expect(set({ profile: 'long' })).toThrow('profile is long, expected default, short, full');
    expect(set({ sciMode: 'yes' })).toThrow('sciMode is yes');
    expect(printOptions()).toMatchObject({ precision: 2 });
  });
  test('affects only the text', () => {
    setPrintOptions({ threshold: 1 });
    expect(JSON.stringify(on([1, 2, 3, 4, 5, 6, 7]))).toBe('[1,2,3,4,5,6,7]');
    markStep(dev);
  });
});
