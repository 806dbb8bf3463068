// The report of errors compared with a shadow in f64: rounding, cancellation and overflow; the reported program runs as it would
// without the report.
import { afterEach, expect, test } from 'vitest';
import { compile, device, exp, matmul, precisionReport, setDefaultDevice, tensor } from '../index.ts';

afterEach(() => setDefaultDevice(undefined));

test.each(['interpreter', 'cpu'] as const)('rounding of each type, on %s', name => {
  setDefaultDevice(device(name));
  const x = tensor(Array.from({ length: 8 }, (_, i) => Array.from({ length: 16 }, (_, j) => Math.sin(i * 16 + j))));
  let read = 0;
  const report = precisionReport(() => {
    read = matmul(x, x.transpose(0, 1)).to('bf16').mul(3).sum().item();
  });
  expect(Number.isFinite(read)).toBe(true);
  const row = (op: string) => report.rows.find(r => r.op === op)!;
  expect(row('dot_general').error).toBeLessThan(1e-6);
  expect(row('convert').error).toBeGreaterThan(1e-4);
  expect(row('convert').error).toBeLessThan(4e-3);
  expect(row('multiply').inherited).toBe(row('convert').error);
  expect(report.rows.every(r => r.notFinite === 0)).toBe(true);
});

test('cancellation in a difference of nearly equal numbers is found', () => {
  setDefaultDevice(device('cpu'));
  const x = tensor([0.1, 0.2, 0.3]);
  const report = precisionReport(() => {
    x.add(1e8).sub(1e8).mul(2).toArray();
  });
  const { firstDivergence } = report;
  expect(firstDivergence?.op).toBe('subtract');
  expect(firstDivergence!.inherited).toBeLessThan(1e-7);
  expect(firstDivergence!.location?.file).toContain('precision-report.native.test.ts');
  expect(String(report)).toContain('first divergence: subtract tensor<3xf32>');
});

test('an overflow of f16 is reported where it happens, not where its NaN appears', () => {
  setDefaultDevice(device('cpu'));
  const x = tensor([1, 20], { dtype: 'f16' });
  const report = precisionReport(() => {
    const y = exp(x);
    y.sub(y).add(1).toArray();
  });
  // computed in f32; it overflows in the conversion to f16
  expect(report.firstDivergence).toMatchObject({ op: 'convert', type: 'tensor<2xf16>', notFinite: 1 });
});

test('training continues as without the report', () => {
  setDefaultDevice(device('cpu'));
  const step = compile((a: ReturnType<typeof tensor>) => a.mul(1.5).sum());
  const alone = step(tensor([1, 2, 3])).item();
  let beside = 0;
  const report = precisionReport(() => {
    beside = step(tensor([1, 2, 3])).item();
  });
  expect(beside).toBe(alone);
  expect(report.firstDivergence).toBeUndefined();
  expect(report.rows.length).toBeGreaterThan(0);
});

test('an invalid tolerance is an error', () => {
  expect(() => precisionReport(() => {}, { tolerance: 0 })).toThrow(/tolerance/);
});
