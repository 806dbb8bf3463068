import { expect, test } from 'vitest';
import { measuredStep } from './run-plan.ts';

const times = (name: string, executions: number, donatedInputs: number, medianMs: number) => ({
  ...{ name, ops: 0, donatedInputs, executions, medianMs, fastestMs: medianMs, totalMs: executions * medianMs },
});
const part = times('F0', 12, 2, 0.003);
const whole = times('step', 3, 5, 26);

test('a step in stages is measured when it has ended; its parts are not it', () => {
  expect(measuredStep({ programs: [part], pipelines: [] }, true)).toBeUndefined();
  expect(measuredStep({ programs: [part], pipelines: [whole] }, true)).toBe(whole);
});
test('of other programs, the one that replaces state and ran most often, and of those the slowest', () => {
  const programs = [times('read', 9, 0, 1), times('first', 1, 3, 50), whole, times('small', 3, 5, 1)];
  expect(measuredStep({ programs, pipelines: [] }, false)).toBe(whole);
  expect(measuredStep(undefined, false)).toBeUndefined();
});
