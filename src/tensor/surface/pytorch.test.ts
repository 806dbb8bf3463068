// Every row of the table compared with PyTorch: values, data types, shapes, gradients, and errors; op by op as in eager debug
// mode, and compiled. The golden values are written by scripts/golden/write.ts.
import { beforeAll, describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { defaultRuntime } from '../../runtime/index.ts';
import { Device } from '../device.ts';
import { EagerMode } from '../eager.ts';
import { goldenOf } from './golden.testing.ts';
import { groups } from './index.ts';
import { differenceOf, finished, type Pending, startCase } from './pytorch.testing.ts';
import { argumentsOf } from './samples.testing.ts';

const modes = [
  { mode: 'eager', backend: () => new InterpreterBackend(), eager: () => new EagerMode('never') },
  { mode: 'compiled', backend: () => defaultRuntime().backend('cpu'), eager: () => undefined },
];

describe.each(groups)('$title', ({ rows }) => {
  test.each(Object.values(rows))('$name: its golden values match its samples', row => {
    const golden = goldenOf(row.name);
    expect(golden, `run scripts/golden/write.ts ${row.name}`).toBeDefined();
    const samples = row.variants.flatMap((variant, i) =>
      variant.samples.map(sample => ({ variant: i, arguments: argumentsOf(row, variant, sample) })),
    );
    expect(golden!.cases.map(c => ({ variant: c.variant, arguments: c.arguments }))).toEqual(samples);
    expect(golden!.torch).toBe(row.torch[0]);
  });

  describe.each(modes)('$mode', ({ backend, eager }) => {
    // One program for the group: compiling one for each case would take minutes.
    const pending = new Map<string, readonly Pending[]>();
    beforeAll(() => {
      const device = new Device(backend(), { seed: 1, eager: eager(), log: () => {} });
      for (const row of Object.values(rows))
        pending.set(
          row.name,
          (goldenOf(row.name)?.cases ?? []).map(golden => startCase(device, row, golden)),
        );
      device.markStep();
    });
    test.each(Object.values(rows))('$name', row => {
      const differences = pending.get(row.name)!.flatMap(one => differenceOf(one.golden, finished(one)));
      expect(differences.join('\n')).toBe('');
    });
  });
});
