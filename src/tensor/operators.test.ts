// Custom operators: C++ code runs inside the step, on both backends, and its errors contain its name.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { TrenioError } from '../base/errors.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from './debugging/eager.ts';
import { Device } from './device.ts';
import { device as deviceOf } from './devices.ts';
import { loadOperator, type OperatorOptions, type Tensor, tensor } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-operators-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
/** An operator from the text of its C++. */
function operator(options: Omit<OperatorOptions, 'source'> & { readonly code: string }) {
  const { code, ...rest } = options;
  const source = join(folder, `operator${files++}.cpp`);
  writeFileSync(source, `#include "trenio_operator.h"\n${code}\n`);
  return loadOperator({ ...rest, source });
}
const same = ([x]: readonly (readonly number[])[]): readonly (readonly number[])[] => [x!];
function failure(action: () => unknown): TrenioError {
  try {
    action();
  } catch (error) {
    if (error instanceof TrenioError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe.each(['cpu', 'interpreter'] as const)('on %s', backend => {
  const device = deviceOf(backend);

  test('elements, dims, numbers and threads', () => {
    const scaled = operator({
      name: 'scaled_rows',
      inputs: ['f32'],
      outputs: ['f32'],
      numbers: 1,
      shape: same,
      code: `TRENIO_OPERATOR(scaled_rows, (trenio::Input<float> x, trenio::Output<float> y, double by)) {
        trenio::parallel_for(x.dim(0), [&](int64_t begin, int64_t end) {
          for (int64_t r = begin; r < end; r++)
            for (int64_t c = 0; c < x.dim(-1); c++) y(r, c) = float(by) * float(r) * x(r, c);
        }, 2);
      }`,
    });
    const x = tensor(
      Array.from({ length: 7 }, (_, i) => [i, 1]),
      { device },
    );
    expect((scaled(x, 10) as Tensor).toArray()).toEqual(Array.from({ length: 7 }, (_, r) => [10 * r * r, 10 * r]));
  });

  test('several outputs of other types, within a larger program', () => {
    const split = operator({
      name: 'sign_and_size',
      inputs: ['f32'],
      outputs: ['i32', 'f32'],
      shape: ([x]) => [x!, [x!.reduce((a, b) => a * b, 1)]],
      code: `TRENIO_OPERATOR(sign_and_size, (trenio::Input<float> x, trenio::Output<int32_t> sign, trenio::Output<float> size)) {
        for (int64_t i = 0; i < x.size(); i++) { sign[i] = (x[i] > 0) - (x[i] < 0); size[i] = x[i] < 0 ? -x[i] : x[i]; }
      }`,
    });
    const [sign, size] = split(
      tensor(
        [
          [-2, 0],
          [3, -4],
        ],
        { device },
      ).mul(2),
    ) as readonly Tensor[];
    expect(sign!.add(1).toArray()).toEqual([
      [0, 1],
      [2, 0],
    ]);
    expect(size!.toArray()).toEqual([4, 0, 6, 8]);
  });

  test('the given gradient is used, also through other operators', () => {
    const code = (name: string, body: string): string =>
      `TRENIO_OPERATOR(${name}, (trenio::Input<float> x, trenio::Output<float> y)) {
        for (int64_t i = 0; i < x.size(); i++) y[i] = ${body};
      }`;
    const slope = operator({
      name: 'cube_slope',
      inputs: ['f32'],
      outputs: ['f32'],
      shape: same,
      code: code('cube_slope', '3 * x[i] * x[i]'),
    });
    const cube = operator({
      name: 'cube',
      inputs: ['f32'],
      outputs: ['f32'],
      shape: same,
      gradient: ({ inputs: [x], cotangents: [g] }) => [g!.mul(slope(x!) as Tensor)],
      code: code('cube', 'x[i] * x[i] * x[i]'),
    });
    const x = tensor([1, 2, -3], { device }).requiresGrad_();
    (cube(x.mul(2)) as Tensor).sum().backward();
    expect(x.grad!.toArray()).toEqual([24, 96, 216]);
  });

  test('without a gradient function, a gradient is an error', () => {
    const double = operator({
      name: 'no_gradient',
      inputs: ['f32'],
      outputs: ['f32'],
      shape: same,
      code: 'TRENIO_OPERATOR(no_gradient, (trenio::Input<float> x, trenio::Output<float> y)) { y[0] = x[0]; }',
    });
    const x = tensor([1], { device }).requiresGrad_();
    expect(failure(() => (double(x) as Tensor).sum().backward()).code).toBe('NOT_DIFFERENTIABLE');
  });

  const faulty = (name: string, body: string) =>
    operator({
      name,
      inputs: ['f32'],
      outputs: ['f32'],
      shape: same,
      code: `#include <stdexcept>
        TRENIO_OPERATOR(${name}, (trenio::Input<float> x, trenio::Output<float> y)) { ${body} }`,
    });
  test.each([
    ['crasher', '*(volatile int *)8 = 1;', /crashed: Segmentation/],
    ['thrower', 'throw std::runtime_error("bad weather");', /threw: bad weather/],
    ['aborter', 'abort();', /crashed: Aborted/],
    [
      'deep',
      'volatile char room[1 << 28]; for (long i = (1 << 28) - 1; i >= 0; i -= 4096) room[i] = 1; y[0] = room[5];',
      /crashed: Segmentation/,
    ],
  ])('%s is named in the error, and the process survives', (name, body, reason) => {
    const broken = faulty(name, body);
    const error = failure(() => (broken(tensor([1], { device })) as Tensor).toArray());
    expect(error.code).toBe('OPERATOR_FAILED');
    expect(error.message).toContain(`operator ${name}`);
    expect(error.message).toMatch(reason);
    expect(tensor([1, 2], { device }).add(1).toArray()).toEqual([2, 3]);
  });
});

test('operators and their gradients work in eager debug mode', () => {
  const device = new Device(new InterpreterBackend(), {
    seed: 0,
    eager: new EagerMode('never'),
    log: () => {},
  });
  const tripled = operator({
    name: 'tripled',
    inputs: ['f32'],
    outputs: ['f32'],
    shape: same,
    gradient: ({ cotangents: [g] }) => [g!.mul(3)],
    code: `TRENIO_OPERATOR(tripled, (trenio::Input<float> x, trenio::Output<float> y)) {
      for (int64_t i = 0; i < x.size(); i++) y[i] = 3 * x[i];
    }`,
  });
  const x = tensor([1, -2], { device }).requiresGrad_();
  const y = tripled(x) as Tensor;
  expect(y.buffer).toBeDefined();
  expect(y.toArray()).toEqual([3, -6]);
  y.sum().backward();
  expect(x.grad!.toArray()).toEqual([3, 3]);
});

describe('an invalid operator is rejected with the reason', () => {
  const declared = { name: 'wrong', inputs: ['f32'], outputs: ['f32'], shape: same } as const;
  test('C++ that does not compile', () => {
    const error = failure(() =>
      operator({ ...declared, code: 'TRENIO_OPERATOR(wrong, (trenio::Input<float> x)) { return 1 +; }' }),
    );
    expect(error.code).toBe('OPERATOR_NOT_COMPILED');
    expect(error.message).toContain('operator wrong');
    expect(error.message).toMatch(/operator\d+\.cpp:2/);
  });
  test('another signature', () => {
    const code = 'TRENIO_OPERATOR(wrong, (trenio::Input<double> x, trenio::Output<float> y)) {}';
    expect(failure(() => operator({ ...declared, code })).message).toContain(
      'declared as (in f32, out f32), and the C++ takes (in f64, out f32)',
    );
  });
  test('another name', () => {
    const code = 'TRENIO_OPERATOR(other, (trenio::Input<float> x, trenio::Output<float> y)) {}';
    expect(failure(() => operator({ ...declared, code })).message).toContain('has no TRENIO_OPERATOR(wrong');
  });
  test('file names with special characters cannot inject code', () => {
    const planted = '"\n__attribute__((constructor)) static void trenio_planted() { __builtin_trap(); }\n#line 1 "\\';
    const source = join(folder, `-o it's ${planted}\u001b[2J??.cpp`);
    const header = join(folder, '-include "ours\' \u001b[2J.h');
    writeFileSync(header, 'static const float by = 3;\n');
    const code = 'TRENIO_OPERATOR(named, (trenio::Input<float> x, trenio::Output<float> y)) { y[0] = x[0] * 3; }';
    writeFileSync(source, `#include "trenio_operator.h"\n${code}\n`);
    const named = loadOperator({ ...declared, name: 'named', source, headers: [header] });
    expect((named(tensor([2], { device: deviceOf('cpu') })) as Tensor).toArray()).toEqual([6]);
    writeFileSync(source, 'int x = 1 +;\n');
    const { message } = failure(() => loadOperator({ ...declared, source }));
    expect(message).toMatch(/expected (primary-)?expression/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
    expect(message).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });
  test('files that would replace another file', () => {
    const source = join(folder, 'operator_of_headers.cpp');
    const first = join(folder, 'same.h');
    const reserved = join(folder, 'trenio_operator.h');
    for (const file of [source, first, reserved]) writeFileSync(file, '');
    for (const headers of [[first, first], [reserved]])
      expect(failure(() => loadOperator({ ...declared, source, headers })).message).toMatch(/another file/);
  });
  test('a missing file, or a name that is not defined', () => {
    expect(failure(() => loadOperator({ ...declared, source: join(folder, 'none.cpp') })).code).toBe('FILE_UNREADABLE');
    expect(failure(() => loadOperator({ ...declared, name: 'a b', source: 'x' })).code).toBe('OPERATOR_SIGNATURE');
  });
  test('inputs and shapes that do not match', () => {
    const code = 'TRENIO_OPERATOR(picky, (trenio::Input<float> x, trenio::Output<float> y)) {}';
    const device = deviceOf('interpreter');
    const picky = operator({ ...declared, name: 'picky', code });
    expect(failure(() => picky(tensor([1], { device, dtype: 'i32' }))).message).toContain(
      'takes (f32), got (tensor<1xi32>)',
    );
    expect(failure(() => picky(tensor([1], { device }), 3)).code).toBe('OPERATOR_CALL');
    const shapeless = operator({ ...declared, name: 'picky', shape: () => [[-5]], code });
    expect(failure(() => shapeless(tensor([1], { device }))).message).toContain('must return 1 shapes, got [[-5]]');
  });
});
