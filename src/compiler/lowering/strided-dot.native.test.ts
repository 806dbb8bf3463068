// Multiplies of two-byte floats against the interpreter, and the algorithm that a multiply requests.
import { expect, test, vi } from 'vitest';
import { moduleOf } from '../../hlo/program.ts';
import { compileToC, targetOf } from '../index.ts';
import { Batch } from '../testing/batch.testing.ts';

// gcc is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const wave = (i: number): number => Math.sin(i * 1.7) + 0.25 * Math.cos(i * 0.37);
const none = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };

test('two-byte operands in every transposition, with results of the same type or of f32', () => {
  const t = new Batch();
  const [m, n, k] = [37, 45, 29];
  for (const type of ['bf16', 'f16'] as const) {
    for (const elementType of [type, 'f32'] as const) {
      for (const [left, right] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ] as const) {
        const x = t.arg(type, left ? [k, m] : [m, k], wave);
        const y = t.arg(type, right ? [n, k] : [k, n], i => wave(i + 3));
        const dims = { lhsContractingDimensions: [left ? 0 : 1], rhsContractingDimensions: [right ? 1 : 0] };
        t.result(
          `${type} ${elementType} ${left}${right}`,
          t.b.emit1('dot_general', [x, y], { ...none, ...dims, precision: [], elementType }),
        );
      }
    }
    const q = t.arg(type, [2, 19, 3, 16], wave);
    const heads = { lhsBatchingDimensions: [0, 2], rhsBatchingDimensions: [0, 2] };
    t.result(
      `attention ${type}`,
      t.b.dotGeneral(q, q, { ...heads, lhsContractingDimensions: [3], rhsContractingDimensions: [3] }),
      t.b.dotGeneral(q, q, { ...heads, lhsContractingDimensions: [1], rhsContractingDimensions: [1] }),
    );
  }
  t.check(1e-5);
});

test('the algorithm of one tf32 product rounds f32 to tf32', () => {
  const code = (precisionType: 'tf32' | 'f32'): string => {
    const t = new Batch();
    const x = t.arg('f32', [40, 50], wave);
    const y = t.arg('f32', [50, 60], wave);
    const algorithm = {
      lhsPrecisionType: precisionType,
      rhsPrecisionType: precisionType,
      accumulationType: 'f32',
      lhsComponentCount: 1,
      rhsComponentCount: 1,
      numPrimitiveOperations: 1,
      allowImpreciseAccumulation: false,
    } as const;
    const dims = { ...none, lhsContractingDimensions: [1], rhsContractingDimensions: [0], precision: [], algorithm };
    const body = { args: t.args, ops: t.b.ops, results: [t.b.emit1('dot_general', [x, y], dims)] };
    const func = { name: 'main', body, aliases: t.args.map(() => undefined) };
    return compileToC(moduleOf(func), targetOf('avx512'))
      .units.map(u => u.source)
      .join('\n');
  };
  expect(code('tf32')).toContain('gemm_from_tf32x16');
  expect(code('f32')).not.toContain('gemm_from_tf32x16');
});
