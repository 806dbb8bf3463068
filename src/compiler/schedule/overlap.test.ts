// Parameters in parts are gathered a little before they are read, not all at the beginning.
import { expect, test } from 'vitest';
import { buildFunc } from '../../hlo/builder.ts';
import { moduleOf, type Value } from '../../hlo/program.ts';
import { byteSize, tensorType } from '../../hlo/types.ts';
import { cpuMachine } from '../cpu/kernels/cpu-machine.ts';
import { targetOf } from '../cpu/target/target.ts';
import { planProgram } from '../program/plan-program.ts';

const width = 2048;
const whole = tensorType('f32', [width, width]);
const part = tensorType('f32', [width / 2, width]);

function arenaOf(layers: number): number {
  const types = [tensorType('f32', [16, width]), ...Array.from({ length: layers }, () => part)];
  const main = buildFunc('main', types, (b, [x, ...parts]) => {
    let v = x!;
    for (const each of parts) {
      const attributes = { allGatherDim: 0, replicaGroups: [[0, 1]], shape: whole.shape } as const;
      const weight: Value = b.emit('all_gather', [each], attributes as never)[0]!;
      v = b.dotGeneral(v, weight, {
        ...{ lhsBatchingDimensions: [], rhsBatchingDimensions: [] },
        ...{ lhsContractingDimensions: [1], rhsContractingDimensions: [0] },
      });
    }
    return [v];
  });
  return planProgram(moduleOf(main, { numReplicas: 2 }), cpuMachine(targetOf('avx512')), new Map()).memory.arenaBytes;
}

test('the memory of gathered parameters does not grow with their number', () => {
  expect(arenaOf(32)).toBe(arenaOf(16));
  expect(arenaOf(32)).toBeLessThan(10 * byteSize(whole));
});

test('results that are gathered stay in the program', () => {
  const count = 12;
  const types = Array.from({ length: count }, () => part);
  const attributes = { allGatherDim: 0, replicaGroups: [[0, 1]], shape: whole.shape } as const;
  const main = buildFunc('main', types, (b, parts) =>
    parts.map(each => b.emit('all_gather', [b.add(each, each)], attributes as never)[0]!),
  );
  const { schedule } = planProgram(moduleOf(main, { numReplicas: 2 }), cpuMachine(targetOf('avx512')), new Map());
  const gathers = schedule.main.steps.filter(s => s.kind === 'kernel' && s.op.name === 'all_gather');
  expect(new Set(gathers.map(s => s.kind === 'kernel' && s.op)).size).toBe(count);
});
