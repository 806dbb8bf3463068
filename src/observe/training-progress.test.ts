import { expect, test } from 'vitest';
import { emit, subscribe } from './events.ts';
import { TrainingProgress } from './training-progress.ts';

test('loss, rates, time left, MFU and the prediction, if known', () => {
  let nowMs = 0;
  const lines: string[] = [];
  const losses: number[] = [];
  const leave = subscribe(event => event.kind === 'loss' && losses.push(event.value));
  const progress = new TrainingProgress({
    totalSteps: 100,
    perStep: { sequences: 32, tokens: 4096 },
    peakFlops: 1e9,
    predictedStepMs: 450,
    stream: { write: text => lines.push(text) },
    nowMs: () => nowMs,
    medium: 'log',
    logEveryMs: 0,
  });
  emit({ kind: 'program', id: -1, name: 'step', stateInputs: 1, kernels: 1, ops: 1, flops: 1e8, products: 'f32' });
  for (let step = 1; step <= 10; step++) {
    nowMs += 500;
    emit({ kind: 'run', program: -1, nanoseconds: 4e8 });
    progress.step(step, step === 10 ? 0.12345 : undefined);
  }
  expect(lines[0]).toBe(
    'step 1/100  64 sequences/s  8,192 tokens/s  49.5 s left  500 ms/step (predicted 450 ms)  MFU 20.0 %\n',
  );
  expect(lines.at(-1)).toBe(
    'step 10/100  loss 0.1235  64 sequences/s  8,192 tokens/s  45.0 s left  500 ms/step (predicted 450 ms)  MFU 20.0 %\n',
  );
  expect(losses).toEqual([0.12345]);
  // Neither an evaluation nor compiling is training: the rates of the steps before remain.
  progress.pause();
  nowMs += 60_000;
  progress.resume();
  emit({ kind: 'compile', milliseconds: 3000, fromCache: false });
  nowMs += 3500;
  progress.step(11);
  expect(lines.at(-1)).toContain('44.5 s left  500 ms/step');
  progress.done();
  leave();
});
