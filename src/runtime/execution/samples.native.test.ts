import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tensorType } from '../../hlo/types.ts';
import type { Samples } from '../../numerics/samples.ts';
import { Runtime } from '../runtime.ts';
import { sampledBytes } from './samples.ts';

// The reference in JavaScript is the oracle: every distribution, both element types, odd sizes, any stream.
const stream = { key: fc.bigInt(0n, (1n << 64n) - 1n), counter: fc.bigInt(0n, (1n << 128n) - 1n) };
const number = fc.double({ min: -10, max: 10, noNaN: true });
const descriptions: fc.Arbitrary<Samples> = fc.oneof(
  fc.record({ ...stream, kind: fc.constant('uniform' as const), low: number, high: number }),
  fc.record({
    ...stream,
    kind: fc.constant('normal' as const),
    mean: number,
    std: number,
    from: fc.constantFrom(0, 0.02275013194817921),
    to: fc.constantFrom(1, 1 - 0.02275013194817921),
  }),
);

describe('native sampling', () => {
  const sampled = (runtime: Runtime, elementType: 'f32' | 'bf16' | 'f16', count: number, samples: Samples): Buffer => {
    const buffer = runtime.backend('cpu').upload(tensorType(elementType, [count]), samples);
    buffer.wait();
    return Buffer.from(buffer.copyToHost());
  };

  test('are bit-identical to the reference', () => {
    const runtime = new Runtime();
    fc.assert(
      fc.property(
        descriptions,
        fc.constantFrom('f32' as const, 'bf16' as const, 'f16' as const),
        fc.integer({ min: 0, max: 5000 }),
        fc.nat(5000),
        (some, type, count, zero) => {
          const samples: Samples = zero < count ? { ...some, zeros: [zero, (count - zero) >> 1] } : some;
          return sampled(runtime, type, count, samples).equals(sampledBytes(tensorType(type, [count]), samples));
        },
      ),
      { numRuns: 200 },
    );
    runtime.close();
  });

  test('for many tasks, any number of threads, and the tails of the distribution', () => {
    const samples: Samples = { kind: 'normal', mean: 0, std: 1, from: 0, to: 1, key: 7n, counter: (5n << 64n) - 100n };
    const count = 3_000_001;
    const expected = sampledBytes(tensorType('f32', [count]), samples);
    for (const threads of ['1', '3']) {
      const runtime = new Runtime({ variables: { ...process.env, TRENIO_NUM_THREADS: threads } });
      expect(sampled(runtime, 'f32', count, samples).equals(expected)).toBe(true);
      runtime.close();
    }
    expect(Math.max(...new Float32Array(expected.buffer.slice(0)).subarray(0, 100_000))).toBeGreaterThan(3.5);
  });
});
