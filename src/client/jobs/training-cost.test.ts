import { expect, test } from 'vitest';
import { estimatesOf } from './training-cost.ts';

test('estimates are undefined if the server has none', () => {
  expect(estimatesOf({ Predicted: null, Measured: { Steps: null, StepSeconds: null } })).toEqual({
    predicted: undefined,
    measured: undefined,
  });
  expect(
    estimatesOf({
      Predicted: { StepSeconds: 0.5, Seconds: 50, Usd: null },
      Measured: { Steps: 100, StepSeconds: 2, TrainingTimeInSeconds: 210 },
    }),
  ).toEqual({
    predicted: { stepSeconds: 0.5, seconds: 50, usd: undefined },
    measured: { steps: 100, stepSeconds: 2 },
  });
});
