import { describe, expect, test } from 'vitest';
import { Builder } from '../hlo/builder.ts';
import { moduleOf, type Value } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';
import { compileToC, targetOf } from './index.ts';

const target = targetOf('avx512');

function compile(
  type: ReturnType<typeof tensorType>,
  body: (b: Builder, x: Value) => Value,
): ReturnType<typeof compileToC> {
  const b = new Builder();
  b.location = { file: 'model.ts', line: 12, column: 3 };
  const x = b.argument(type, 0);
  return compileToC(
    moduleOf({ name: 'main', body: { args: [x], ops: b.ops, results: [body(b, x)] }, aliases: [undefined] }),
    target,
  );
}

describe('ops that cannot be compiled are rejected with the line and a fix', () => {
  test('results that are not tensors', () => {
    expect(() => compile(tensorType('f32', [3]), (b, x) => b.emit('tuple', [x], {})[0]!)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED' }),
    );
  });
  test('ops that need static sizes', () => {
    const transform = (b: Builder, x: Value): Value => b.emit1('fft', [x], { fftType: 'FFT', fftLength: [4] });
    expect(() => compile(tensorType('complex<f32>', [-1, 4]), transform)).toThrow(
      /fft with tensors of unknown size is not supported[\s\S]*at model.ts:12:3/,
    );
  });
  test('custom calls', () => {
    const call = (b: Builder, x: Value): Value =>
      b.emit('custom_call', [x], {
        callTargetName: 'mine',
        backendConfig: '',
        resultTypes: [x.type],
        hasSideEffect: true,
      })[0]!;
    expect(() => compile(tensorType('f32', [3]), call)).toThrow(
      /custom_call @mine is not supported[\s\S]*at model.ts:12:3/,
    );
  });
});

test('the C of a kernel is readable', () => {
  const { units } = compile(tensorType('f32', [4, 8]), (b, x) => {
    const total = b.broadcastInDim(b.sum(x, [1]), [0], [4, 8]);
    return b.divide(b.unary('exponential', x), total);
  });
  const source = units[0]!.source;
  // Named after a hash of its text, for which the test has `@`.
  const symbol = /T_SHARED void (k_[0-9a-f]{16})\(/.exec(source)![1]!;
  const start = source.indexOf('// k0: reduce');
  const text = source.slice(start, source.indexOf('// k0: reduce', start + 1));
  expect(text.replaceAll(symbol, '@')).toMatchInlineSnapshot(`
    "// k0: reduce, exponential, divide at model.ts:12:3
    static void @_task(void *arg, int64_t task, int worker) {
      const t_call *const call = arg;
      char *const *const p = call->p;
      const float *const p0 = (const float *)p[0];
      float *const p1 = (float *)p[1];
      for (int64_t row = 0; row < 4; row++) {
        const int64_t i0 = row;
        _Alignas(64) float a0_0[8];
        #pragma omp simd
        for (int lane = 0; lane < 8; lane++) {
          a0_0[lane] = 0;
        }
        for (int64_t block = 0; block < 8; block += 8) {
          #pragma omp simd
          for (int64_t i1 = block; i1 < block + 8; i1++) {
            const float v0 = p0[8 * i0 + i1];
            a0_0[i1 - block] = a0_0[i1 - block] + v0;
          }
        }
        #pragma omp simd
        for (int lane = 0; lane < 4; lane++) {
          a0_0[lane] = a0_0[lane] + a0_0[lane + 4];
        }
        #pragma omp simd
        for (int lane = 0; lane < 2; lane++) {
          a0_0[lane] = a0_0[lane] + a0_0[lane + 2];
        }
        a0_0[0] = a0_0[0] + a0_0[1];
        const float r0_0 = a0_0[0];
        const float v3 = r0_0;
        #pragma omp simd
        for (int64_t i1 = 0; i1 < 8; i1++) {
          const float v0 = p0[8 * i0 + i1];
          const float v1 = t_exp_f32(v0);
          const float v4 = v1 / v3;
          p1[8 * i0 + i1] = v4;
        }
      }
    }
    T_SHARED void @(const trenio_rt *rt, char *const *p) {
      t_call call = {rt, p};
      @_task(&call, 0, 0);
    }

    #ifndef __clang__
    #pragma GCC pop_options
    #endif

    "
  `);
});
