// Every row of the table compared with PyTorch: values, data types, shapes, gradients, and errors; op by op as in eager debug
// mode, and as the compiler plans it. The golden values are written by scripts/golden/write.ts.
import { describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { KernelsBackend } from '../../runtime/backends/kernels/kernels-backend.ts';
import { EagerMode } from '../debugging/eager.ts';
import { goldenOf } from './golden.testing.ts';
import { groups } from './index.ts';
import { agreesWithPyTorch } from './pytorch.testing.ts';
import { argumentsOf, samplesOf } from './samples.testing.ts';

describe.each(groups)('$title', ({ rows }) => {
  test.each(Object.values(rows))('$name: its golden values match its samples', row => {
    const golden = goldenOf(row.name);
    expect(golden, `run scripts/golden/write.ts ${row.name}`).toBeDefined();
    const samples = row.variants.flatMap((variant, i) =>
      samplesOf(row, i).map(sample => ({ variant: i, arguments: argumentsOf(row, variant, sample) })),
    );
    expect(golden!.cases.map(c => ({ variant: c.variant, arguments: c.arguments }))).toEqual(samples);
    expect(golden!.torch).toBe(row.torch[0]);
  });

  describe('op by op', () => {
    agreesWithPyTorch(rows, () => new InterpreterBackend(), new EagerMode('never'));
  });
  describe('planned', () => {
    agreesWithPyTorch(rows, () => new KernelsBackend());
  });
});
