// Real kernels, timed through the compiler and the runtime.
import { expect, test } from 'vitest';
import { hostTarget } from '../../compiler/cpu/target/target.ts';
import { Runtime } from '../../runtime/runtime.ts';
import { copyProgram } from './calibration-programs.ts';
import { measureProgram } from './measure.ts';

test('the kernels of a program are timed one by one', () => {
  const variables = { ...process.env, TRENIO_PROFILE: '1', TRENIO_NUM_THREADS: '1' };
  const runtime = new Runtime({ variables });
  try {
    const { kernels, startSeconds } = measureProgram(runtime, copyProgram(1 << 16), hostTarget(), 1);
    expect(kernels).toEqual([
      { work: [expect.objectContaining({ kind: 'sweep', bytesRead: 1 << 16 })], seconds: expect.any(Number) },
    ]);
    expect(kernels[0]!.seconds).toBeGreaterThan(0);
    expect(startSeconds).toBeGreaterThan(0);
  } finally {
    runtime.close();
  }
});
