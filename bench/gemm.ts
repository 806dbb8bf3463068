// The matrix multiply on the shapes of BERT-base (8 sequences of 128), against the machine's multiply-add peak measured
// between the samples of the same run: other load on the machine slows both.
//
//   node bench/gemm.ts [--threads 1,2] [--rounds 9] [--only ffn]
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type GemmSpec, gemmUnit, type Tuning } from '../src/compiler/gemm/index.ts';
import { hostTarget } from '../src/compiler/target.ts';
import { compileWithRuntime, median, nanoseconds, peakSampler, peakSource } from './peak.ts';

interface Shape {
  readonly name: string;
  readonly spec: GemmSpec;
}

const tokens = 1024;

/** The three multiplies of a linear layer with weights [outputs, inputs]: y = x Wᵀ, dx = dy W, dW = dyᵀ x. */
function linear(name: string, inputs: number, outputs: number, rows = tokens): Shape[] {
  const plain = { elementType: 'f32', batch: [] } as const;
  const weights = { m: outputs, n: inputs };
  return [
    {
      name: `${name} forward`,
      spec: {
        ...plain,
        m: rows,
        n: outputs,
        k: inputs,
        a: { m: inputs, k: 1 },
        b: { k: 1, n: inputs },
        c: { m: outputs, n: 1 },
      },
    },
    {
      name: `${name} dX`,
      spec: {
        ...plain,
        m: rows,
        n: inputs,
        k: outputs,
        a: { m: outputs, k: 1 },
        b: { k: inputs, n: 1 },
        c: { m: inputs, n: 1 },
      },
    },
    {
      name: `${name} dW`,
      spec: { ...plain, ...weights, k: rows, a: { m: 1, k: outputs }, b: { k: inputs, n: 1 }, c: { m: inputs, n: 1 } },
    },
  ];
}

/** One of attention's: 8 sequences × 12 heads, operands either [head, row, column] or transposed within a head. */
function attention(name: string, m: number, n: number, k: number, transposeA: boolean, transposeB: boolean): Shape {
  return {
    name: `attention ${name}`,
    spec: {
      elementType: 'f32',
      batch: [{ size: 96, a: m * k, b: k * n, c: m * n }],
      m,
      n,
      k,
      a: transposeA ? { m: 1, k: m } : { m: k, k: 1 },
      b: transposeB ? { k: 1, n: k } : { k: n, n: 1 },
      c: { m: n, n: 1 },
    },
  };
}

const shapes: readonly Shape[] = [
  ...linear('proj', 768, 768),
  ...linear('ffn1', 768, 3072),
  ...linear('ffn2', 3072, 768),
  attention('QKᵀ', 128, 128, 64, false, true),
  attention('PV', 128, 64, 128, false, false),
  attention('dV', 128, 64, 128, true, false),
  ...linear('classifier', 768, 2, 8),
];

/** Measures the shapes, interleaved, and prints a table. */
export function benchGemm(
  threads: readonly number[],
  rounds: number,
  only: string,
  tunings: Readonly<Record<string, Tuning>>,
): void {
  const target = hostTarget();
  const chosen = shapes.filter(shape => shape.name.includes(only));
  const variants = chosen.flatMap(shape =>
    Object.entries(tunings).map(([label, tuning]) => ({ ...shape, name: `${shape.name}${label}`, tuning })),
  );
  const unit = gemmUnit(
    variants.map(({ spec, tuning }, i) => ({ name: `gemm${i}`, spec, tuning })),
    target,
  );
  const calls = variants.map((_, i) => `case ${i}: gemm${i}(rt, a, b, c); break;`).join(' ');
  const source = `${peakSource(target)}\n${unit}
void bench_fill(float *x, int64_t count) { for (int64_t i = 0; i < count; i++) x[i] = (float)(i * 2654435761u >> 8 & 0xffff) / 65536 - 0.5f; }
void bench_gemm(const trenio_rt *rt, int which, int64_t repeat, const float *a, const float *b, float *c) {
  while (repeat-- > 0) switch (which) { ${calls} }
}`;
  const native = compileWithRuntime(source, target);
  const peak = peakSampler(native, target);
  const run = native.library.func('bench_gemm', 'void', [
    'uintptr_t',
    'int',
    'int64_t',
    'uintptr_t',
    'uintptr_t',
    'uintptr_t',
  ]);
  const fill = native.library.func('bench_fill', 'void', ['uintptr_t', 'int64_t']);
  const largest = 3072 * 1024;
  console.log(`${'shape'.padEnd(36)} threads  GFLOP/s   % of peak: median   best/best`);
  for (const workers of threads) {
    const runtime = native.open(workers);
    const a = native.arena(runtime, 3 * 4 * largest);
    const b = a + BigInt(4 * largest);
    const c = b + BigInt(4 * largest);
    fill(a, 2 * largest);
    const timed = variants.map((variant, which) => {
      const { spec } = variant;
      const flops = 2 * spec.m * spec.n * spec.k * spec.batch.reduce((product, d) => product * d.size, 1);
      const once = (repeat: number): number => nanoseconds(() => run(runtime, which, repeat, a, b, c)) / repeat;
      once(1);
      const repeat = Math.max(1, Math.ceil(3e6 / once(1)));
      return { ...variant, sample: () => flops / once(repeat), rates: [] as number[], shares: [] as number[] };
    });
    const peaks: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const shape of timed) {
        const before = peak(runtime, workers);
        const rate = shape.sample();
        const reached = Math.max(before, peak(runtime, workers));
        shape.rates.push(rate);
        shape.shares.push((100 * rate) / reached);
        peaks.push(reached);
      }
    }
    for (const { name, rates, shares } of timed) {
      const columns = [
        median(rates).toFixed(1).padStart(8),
        median(shares).toFixed(1).padStart(18),
        ((100 * Math.max(...rates)) / Math.max(...peaks)).toFixed(1).padStart(10),
      ];
      console.log(`${name.padEnd(36)} ${String(workers).padStart(7)} ${columns.join(' ')}`);
    }
    console.log(`peak: median ${median(peaks).toFixed(1)}, best ${Math.max(...peaks).toFixed(1)} GFLOP/s`);
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      threads: { type: 'string' },
      rounds: { type: 'string', default: '9' },
      only: { type: 'string', default: '' },
    },
  });
  const threads = values.threads?.split(',').map(Number) ?? [...new Set([1, Math.min(2, availableParallelism())])];
  benchGemm(threads, Number(values.rounds), values.only, { '': {} });
}
