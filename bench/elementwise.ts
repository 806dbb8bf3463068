// Softmax, layer normalization, GELU, dropout and losses compared with the memory bound: each is the program that a user's
// script would run, compiled for this machine, interleaved with a plain loop that reads and writes the same arrays
// (in place if the program is). Measured with arrays larger than the caches and with those of a BERT-base
// step. The bar is 85 % of the bound for memory-bound sizes; inside the caches, arithmetic can be the limit.
//
//   node bench/elementwise.ts                       all cases, 1 and 2 threads
//   node bench/elementwise.ts --only softmax --threads 1 --rounds 15
//   node bench/elementwise.ts --only 'gelu' --source    prints the generated C
//   node bench/elementwise.ts --json
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { nn, type Tensor } from 'trenio';
import { hostTarget } from '../src/compiler/cpu/target/target.ts';
import { Bench, moduleOfFunction, type RecordingDevice } from './compiled.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: `1,${availableParallelism()}` },
    rounds: { type: 'string', default: '9' },
    only: { type: 'string', default: '' },
    size: { type: 'string', default: 'memory,cache' },
    source: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/elementwise.ts [--only TEXT] [--size memory|cache] [--threads 1,2] [--rounds 9]
                                 [--source] [--json]

  --only TEXT    the cases whose name has TEXT in it
  --size SIZE    memory: arrays beyond the caches; cache: those of a BERT-base step; both by default
  --source       prints the generated C instead of measuring

  node bench/elementwise.ts --only softmax
  node bench/elementwise.ts --only 'layer norm' --source`);
  process.exit(0);
}

interface Case {
  readonly name: string;
  readonly inputs: (device: RecordingDevice) => Tensor[];
  readonly fn: (...inputs: Tensor[]) => Tensor | readonly Tensor[];
}

const { functional } = nn;
/** The gradients of leaves, given the gradient of y. */
function gradientsOf(y: Tensor, dy: Tensor, leaves: readonly Tensor[]): Tensor[] {
  y.backward(dy);
  return leaves.map(leaf => leaf.grad!);
}

/** Rows of `width`; their number gives an array of about `elements`. */
function casesOf(elements: number): Case[] {
  const rows = (width: number): [number, number] => [Math.round(elements / width), width];
  const [n, width] = rows(768);
  const wide = (d: RecordingDevice, requiresGrad = false): Tensor => d.argument('f32', [n, width], requiresGrad);
  const row = (d: RecordingDevice, requiresGrad = false): Tensor => d.argument('f32', [width], requiresGrad);
  return [
    ...[128, 1024].flatMap((length): Case[] => [
      {
        name: `softmax ${length}`,
        inputs: d => [d.argument('f32', rows(length))],
        fn: x => x.softmax(-1),
      },
      {
        name: `softmax ${length} backward`,
        // as in a training step: from the probabilities stored by the forward pass
        inputs: d => [d.argument('f32', rows(length)), d.argument('f32', rows(length))],
        fn: (y, dy) => y.mul(dy.sub(dy.mul(y).sum(-1, true))),
      },
    ]),
    {
      name: 'layer norm 768',
      inputs: d => [wide(d), row(d), row(d)],
      fn: (x, w, c) => functional.layerNorm(x, [width], w, c),
    },
    {
      name: 'layer norm 768 backward',
      inputs: d => [wide(d, true), row(d, true), row(d, true), wide(d)],
      fn: (x, w, c, dy) => gradientsOf(functional.layerNorm(x, [width], w, c), dy, [x, w, c]),
    },
    ...(['none', 'tanh'] as const).flatMap((kind): Case[] => {
      const name = kind === 'none' ? 'gelu erf' : 'gelu tanh';
      return [
        { name, inputs: d => [wide(d)], fn: x => x.gelu(kind) },
        {
          name: `${name} backward`,
          inputs: d => [wide(d, true), wide(d)],
          fn: (x, dy) => gradientsOf(x.gelu(kind), dy, [x]),
        },
      ];
    }),
    { name: 'dropout', inputs: d => [wide(d)], fn: x => functional.dropout(x, 0.1) },
    {
      name: 'bias + dropout + residual + layer norm',
      inputs: d => [wide(d), row(d), wide(d), row(d), row(d)],
      fn: (x, bias, residual, w, c) =>
        functional.layerNorm(functional.dropout(x.add(bias), 0.1).add(residual), [width], w, c),
    },
    { name: 'cast f32 to bf16', inputs: d => [wide(d)], fn: x => x.to('bfloat16') },
    { name: 'bias gradient', inputs: d => [wide(d)], fn: x => x.sum(0) },
    ...crossEntropyCases(elements),
  ];
}

/** GPT-2's vocabulary: the loss, and the gradient of the logits with it. */
function crossEntropyCases(elements: number): Case[] {
  const classes = 50257;
  const rows = Math.min(256, Math.max(16, Math.round(elements / classes)));
  const targets = (d: RecordingDevice): Tensor => d.argument('i32', [rows]);
  return [
    {
      name: `cross-entropy ${rows} x ${classes}`,
      inputs: d => [d.argument('f32', [rows, classes]), targets(d)],
      fn: (x, t) => functional.crossEntropy(x, t),
    },
    {
      name: `cross-entropy ${rows} x ${classes} with gradient`,
      inputs: d => [d.argument('f32', [rows, classes], true), targets(d)],
      fn: (x, t) => {
        const loss = functional.crossEntropy(x, t);
        loss.backward();
        return [loss, x.grad!];
      },
    },
  ];
}

const bench = new Bench(hostTarget());
const threads = values.threads.split(',').map(Number);
const rounds = Number(values.rounds);
/** Elements per array: 100 MB, and 3 MB (8 sequences of 128 tokens of BERT-base). */
const sizes = { memory: 25_165_824, cache: 786_432 };
const rowsOut: object[] = [];
if (!values.json && !values.source)
  console.log(`${'arrays'.padEnd(8)}${'case'.padEnd(50)}threads  kernels       ms   GB/s  bound   % of bound`);
for (const size of values.size.split(',') as (keyof typeof sizes)[]) {
  for (const { name, inputs, fn } of casesOf(sizes[size])) {
    if (!name.includes(values.only)) continue;
    const step = bench.step(moduleOfFunction(fn, inputs), bench.runtime(Math.max(...threads)));
    if (values.source) {
      for (const { source } of step.program.units) console.log(source.slice(source.indexOf('// ', 100)));
      continue;
    }
    for (const workers of threads) {
      const runtime = bench.runtime(workers);
      const repeat = size === 'memory' ? 1 : 8;
      const of = (run: (runtime: bigint) => number): number => {
        let total = 0;
        for (let i = 0; i < repeat; i++) total += run(runtime);
        return total / repeat;
      };
      for (let i = 0; i < 2; i++) [of(step.run), of(step.runBound)];
      const times: number[] = [];
      const shares: number[] = [];
      const bounds: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const before = of(step.runBound);
        const time = of(step.run);
        const bound = (before + of(step.runBound)) / 2;
        times.push(time);
        bounds.push(bound);
        shares.push(bound / time);
      }
      const result = {
        arrays: size,
        case: name,
        threads: workers,
        kernels: step.program.kernels.length,
        ms: median(times) / 1e6,
        gbPerSecond: step.bytes / median(times),
        boundGbPerSecond: step.bytes / median(bounds),
        share: median(shares),
      };
      rowsOut.push(result);
      if (!values.json)
        console.log(
          `${size.padEnd(8)}${name.padEnd(50)}${String(workers).padStart(7)}  ${String(result.kernels).padStart(7)} ${result.ms.toFixed(3).padStart(8)} ${result.gbPerSecond.toFixed(1).padStart(6)} ${result.boundGbPerSecond.toFixed(1).padStart(6)} ${(100 * result.share).toFixed(0).padStart(9)} %`,
        );
    }
  }
}
if (values.json) console.log(JSON.stringify(rowsOut, undefined, 2));
