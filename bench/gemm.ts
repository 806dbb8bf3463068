// The matrix multiply with the shapes of BERT-base and BERT-large (8 sequences of 128), compared with the machine's peak,
// measured between the samples because other load slows both, and with the installed libraries.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { gemmUnit } from '../src/compiler/cpu/c/gemm/gemm-unit.testing.ts';
import type { Tuning } from '../src/compiler/cpu/gemm/gemm-plan.ts';
import { batchCount } from '../src/compiler/cpu/gemm/problem.ts';
import { hostTarget } from '../src/compiler/cpu/target/target.ts';
import { bar } from './bars.ts';
import { type GemmPeer, libraryPeer, torchPeer } from './gemm-peers.ts';
import { bertShapes } from './gemm-shapes.ts';
import { compileWithRuntime, median, nanoseconds, peakSampler, peakSource, threadNanoseconds } from './peak.ts';

const help = `Usage: node bench/gemm.ts [OPTIONS]

  --type f32,bf16    what to multiply (all that have instructions of their own)
  --threads 1,2
  --rounds 9         samples of each shape and library, taken in turn
  --only TEXT        shapes whose name contains TEXT (required for the multiplies with the vocabulary)
  --peers false      ours alone
  --python PYTHON    PyTorch next to the others
  --json             the table as JSON

  node bench/gemm.ts --only ffn --threads 1
  node bench/gemm.ts --type bf16 --python ~/venv/bin/python`;

type Type = 'f32' | 'bf16';

export interface Options {
  readonly type: Type;
  readonly threads: readonly number[];
  readonly rounds: number;
  readonly only: string;
  readonly peers: readonly GemmPeer[];
  /** Variants of ours by label. */
  readonly tunings: Readonly<Record<string, Tuning>>;
}

export interface Row {
  readonly shape: string;
  readonly type: Type;
  readonly threads: number;
  readonly gflops: number;
  /** Percent of the peak measured around each sample. */
  readonly ofPeak: number;
  /** How many times as fast as each peer: medians. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly large: boolean;
}

/** Measures the shapes, interleaved with the peers, and prints a line for each. */
export async function benchGemm({ type, threads, rounds, only, peers, tunings }: Options): Promise<Row[]> {
  const target = hostTarget();
  const chosen = bertShapes(type).filter(shape => shape.name.includes(only) && (!shape.slow || only !== ''));
  const variants = chosen.flatMap(shape =>
    Object.entries(tunings).map(([label, tuning]) => ({ ...shape, label: `${shape.name}${label}`, tuning })),
  );
  const unit = gemmUnit(
    variants.map(({ spec, tuning }, i) => ({ name: `gemm${i}`, spec, tuning })),
    target,
  );
  const calls = variants.map((_, i) => `case ${i}: gemm${i}(rt, a, b, c); break;`).join(' ');
  const source = `${peakSource(target)}\n${unit}
void bench_fill(void *x, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    const float value = (float)(i * 2654435761u >> 8 & 0xffff) / 65536 - 0.5f;
    ${type === 'f32' ? '((float *)x)[i] = value;' : '((uint16_t *)x)[i] = gemm_bits_of(value) >> 16;'}
  }
}
void bench_gemm(const trenio_rt *rt, int which, int64_t repeat, const void *a, const void *b, void *c) {
  while (repeat-- > 0) switch (which) { ${calls} }
}`;
  const native = compileWithRuntime(source, target);
  const run = native.library.func('bench_gemm', 'void', [
    'uintptr_t',
    'int',
    'int64_t',
    'uintptr_t',
    'uintptr_t',
    'uintptr_t',
  ]);
  const fill = native.library.func('bench_fill', 'void', ['uintptr_t', 'int64_t']);
  const elements = Math.max(
    ...chosen.flatMap(({ spec: s }) => [s.m * s.k, s.k * s.n, s.m * s.n].map(x => x * batchCount(s))),
  );
  const bytes = Math.ceil((elements * (type === 'f32' ? 4 : 2)) / 4096) * 4096;
  const rows: Row[] = [];
  console.log(
    `${`${type} multiply`.padEnd(32)} threads  GFLOP/s  % of peak${peers.map(p => `  × ${p.name}`).join('')}`,
  );
  for (const workers of threads) {
    const runtime = native.open(workers);
    const a = native.arena(runtime, 3 * bytes);
    const buffers = { a, b: a + BigInt(bytes), c: a + BigInt(2 * bytes) };
    fill(a, (2 * bytes) / (type === 'f32' ? 4 : 2));
    // For one thread, CPU time is meaningful on a busy machine; for several, only wall-clock time is.
    const clock = workers === 1 ? threadNanoseconds : nanoseconds;
    const peak = peakSampler(native, target, type, clock);
    const peaks: number[] = [];
    for (const [which, variant] of variants.entries()) {
      const { spec, label } = variant;
      const flops = 2 * spec.m * spec.n * spec.k * batchCount(spec);
      const once = (repeat: number): number =>
        clock(() => run(runtime, which, repeat, buffers.a, buffers.b, buffers.c)) / repeat;
      once(1);
      const repeat = Math.max(1, Math.ceil(4e6 / once(1)));
      const ours: number[] = [];
      const shares: number[] = [];
      const theirs = peers.map((): number[] => []);
      for (const peer of peers) await peer.time(variant, workers, 1, buffers);
      for (let round = 0; round < rounds; round++) {
        const before = peak(runtime, workers);
        const ns = once(repeat);
        const reached = Math.max(before, peak(runtime, workers));
        ours.push(ns);
        shares.push((100 * flops) / ns / reached);
        peaks.push(reached);
        for (const [i, peer] of peers.entries()) {
          const other = await peer.time(variant, workers, repeat, buffers);
          if (other !== undefined) theirs[i]!.push(other);
        }
      }
      const ratios = Object.fromEntries(
        peers.flatMap((peer, i) => (theirs[i]!.length > 0 ? [[peer.name, median(theirs[i]!) / median(ours)]] : [])),
      );
      const row: Row = {
        shape: label,
        type,
        threads: workers,
        gflops: flops / median(ours),
        ofPeak: median(shares),
        ratios,
        large: variant.large,
      };
      rows.push(row);
      const columns = peers.map(p => (ratios[p.name]?.toFixed(2) ?? '-').padStart(p.name.length + 4)).join('');
      console.log(
        `${label.padEnd(32)} ${String(workers).padStart(7)} ${row.gflops.toFixed(1).padStart(8)} ${row.ofPeak.toFixed(1).padStart(10)}${columns}`,
      );
    }
    console.log(`peak: median ${median(peaks).toFixed(1)}, best ${Math.max(...peaks).toFixed(1)} GFLOP/s`);
  }
  return rows;
}

/** The bars for a data type: shares of the peak, and the worst ratio to the best peer over all shapes. */
function stateBars(rows: readonly Row[], type: Type): void {
  const least = (of: readonly number[]): number => Math.min(...of);
  const measured = rows.filter(row => !row.shape.startsWith('classifier'));
  const large = measured.filter(row => row.large);
  const unit = '% of peak';
  const [onLarge, onAll] = type === 'f32' ? [90, 75] : [80, 0];
  if (large.length > 0)
    bar({
      what: `${type} multiply, large shapes`,
      unit,
      measured: least(large.map(r => r.ofPeak)),
      limit: onLarge,
      kind: 'at least',
    });
  if (onAll > 0 && measured.length > 0)
    bar({
      what: `${type} multiply, all shapes`,
      unit,
      measured: least(measured.map(r => r.ofPeak)),
      limit: onAll,
      kind: 'at least',
    });
  const ratios = rows.flatMap(row => (Object.keys(row.ratios).length > 0 ? [least(Object.values(row.ratios))] : []));
  if (ratios.length > 0)
    bar({
      what: `${type} multiply, worst shape`,
      unit: '× best peer',
      measured: least(ratios),
      limit: 1,
      kind: 'at least',
    });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      type: { type: 'string' },
      threads: { type: 'string' },
      rounds: { type: 'string', default: '9' },
      only: { type: 'string', default: '' },
      peers: { type: 'string', default: 'true' },
      python: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    process.exit(0);
  }
  // An environment variable that selects kernels for another CPU would slow OpenBLAS down.
  delete process.env.OPENBLAS_CORETYPE;
  delete process.env.OPENBLAS_L2_SIZE;
  const threads = values.threads?.split(',').map(Number) ?? [...new Set([1, Math.min(2, availableParallelism())])];
  const types = (values.type?.split(',') ?? (hostTarget().bf16 === 'none' ? ['f32'] : ['f32', 'bf16'])) as Type[];
  const libraries =
    values.peers === 'false' ? [] : (['OpenBLAS', 'oneDNN'] as const).flatMap(name => libraryPeer(name) ?? []);
  const torch = values.python === undefined ? undefined : await torchPeer(values.python);
  const all: Row[] = [];
  if (values.json) console.log = console.error;
  for (const type of types) {
    const peers = [...libraries.filter(p => type === 'f32' || p.name !== 'OpenBLAS'), ...(torch ? [torch] : [])];
    const options = { type, threads, rounds: Number(values.rounds), only: values.only, peers, tunings: { '': {} } };
    const rows = await benchGemm(options);
    stateBars(rows, type);
    all.push(...rows);
  }
  torch?.end();
  if (values.json) process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
}
