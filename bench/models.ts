// Training steps of models other than BERT-base, compared with PyTorch (eager and compiled) and, if they support the model, the
// JavaScript libraries tfjs and jax-js on WebAssembly; each in its own process, steps interleaved. The floor is the time that the
// multiplies alone take at the machine's peak, which no implementation can beat.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { hostTarget } from '../src/compiler/index.ts';
import { bar } from './bars.ts';
import { compileWithRuntime, peakSampler, peakSource } from './peak.ts';
import { type Contender, interleave, type Measured, ourselves, printMeasured, startPeer, timesAsFast } from './peer.ts';
import {
  bertSizes,
  bertStep,
  clipSize,
  clipStep,
  gpt2Size,
  gpt2Step,
  llamaSize,
  llamaStep,
  mlpStep,
  vitSize,
  vitStep,
  whisperSize,
  whisperStep,
  withMultiplyFlops,
} from './workloads.ts';

const help = `Usage: node bench/models.ts [MODEL …] [--python python3] [--rounds 7] [--no-compile] [--no-javascript]

  bert-small   BERT, 4 layers of 256, 4 heads, 32 × 64 tokens
  gpt2         GPT-2, 124 M parameters, 4 × 64 tokens
  llama        a Llama-shaped decoder, 100 M parameters, 4 × 256 tokens
  vit          ViT-B/16, 8 images
  whisper      Whisper-tiny, 2 × 30 s of audio, 64 tokens each
  clip         CLIP ViT-B/32, 8 images and texts of 77 tokens
  mlp          784-512-512-10, batch 128
  mlp-small    64-64-64-10, batch 32: what a call costs shows

  --python         a Python with torch and transformers
  --no-compile     PyTorch eager only
  --no-javascript  without tfjs and jax-js (npm install --prefix bench/peers)

  node bench/models.ts mlp mlp-small --python ~/venv/bin/python`;

interface Workload {
  readonly name: string;
  readonly what: string;
  /** The arguments for bench/peers/torch_step.py. */
  readonly settings: object;
  /** The layer widths, if tfjs and jax-js run it too. */
  readonly sizes?: readonly number[];
  readonly batch: number;
  /** The bar: times as fast as PyTorch's best mode. Default: 1. */
  readonly ratio?: number;
  build(): () => number;
}
const mlp = (name: string, sizes: readonly number[], batch: number): Workload => ({
  name,
  what: `MLP ${sizes.join('-')} step, batch ${batch}`,
  settings: { workload: 'mlp', sizes },
  sizes,
  batch,
  build: () => mlpStep(sizes, batch),
});
const workloads: readonly Workload[] = [
  {
    name: 'bert-small',
    what: 'small BERT step (4 layers of 256, 32 × 64)',
    settings: { workload: 'bert', ...bertSizes.small },
    batch: bertSizes.small.batch,
    build: () => bertStep(bertSizes.small),
  },
  {
    name: 'gpt2',
    what: 'GPT-2 124 M step (4 × 64)',
    settings: { workload: 'gpt2', ...gpt2Size },
    batch: gpt2Size.batch,
    build: () => gpt2Step(gpt2Size),
  },
  {
    name: 'llama',
    what: 'Llama 100 M step (4 × 256)',
    settings: { workload: 'llama', ...llamaSize },
    batch: llamaSize.batch,
    ratio: 1.4,
    build: () => llamaStep(llamaSize),
  },
  {
    name: 'vit',
    what: 'ViT-B/16 step (8 × 224 × 224)',
    settings: { workload: 'vit', ...vitSize },
    batch: vitSize.batch,
    ratio: 1.3,
    build: () => vitStep(vitSize),
  },
  {
    name: 'whisper',
    what: 'Whisper-tiny step (2 × 30 s)',
    settings: { workload: 'whisper', ...whisperSize },
    batch: whisperSize.batch,
    ratio: 1.2,
    build: () => whisperStep(whisperSize),
  },
  {
    name: 'clip',
    what: 'CLIP ViT-B/32 step (8 pairs)',
    settings: { workload: 'clip', ...clipSize },
    batch: clipSize.batch,
    ratio: 1.2,
    build: () => clipStep(clipSize),
  },
  mlp('mlp', [784, 512, 512, 10], 128),
  mlp('mlp-small', [64, 64, 64, 10], 32),
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    python: { type: 'string', default: 'python3' },
    rounds: { type: 'string', default: '7' },
    compile: { type: 'boolean', default: true },
    javascript: { type: 'boolean', default: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const unknown = positionals.filter(name => !workloads.some(workload => workload.name === name));
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `unknown model: ${unknown.join(', ')}\n\n${help}` : help);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const threads = availableParallelism();
const target = hostTarget();
const native = compileWithRuntime(peakSource(target), target);
const peakOf = peakSampler(native, target, 'f32');
const runtime = native.open(threads, 'free');
for (const workload of workloads.filter(each => positionals.length === 0 || positionals.includes(each.name))) {
  const { what, settings, sizes, batch, ratio: limit = 1 } = workload;
  console.log(`${what}, f32, AdamW, ${threads} threads, median of ${values.rounds}`);
  const torch = (compile: boolean): Promise<Contender | undefined> =>
    startPeer(
      {
        name: `PyTorch ${compile ? 'compiled' : 'eager'}`,
        script: 'torch_step.py',
        settings: { ...settings, batch, threads, compile, train: true, dtype: 'f32' },
      },
      values.python,
    );
  const script = (name: string, file: string, needs: string): Promise<Contender | undefined> =>
    startPeer({ name, script: file, settings: { sizes, batch }, needs }, values.python);
  const python = [await torch(false), values.compile ? await torch(true) : undefined];
  const javascript =
    sizes !== undefined && values.javascript
      ? [
          await script('tfjs', 'tfjs_mlp.js', '@tensorflow/tfjs-backend-wasm'),
          await script('jax-js', 'jaxjs_mlp.js', '@jax-js/jax'),
        ]
      : [];
  const { step, flops } = withMultiplyFlops(() => workload.build());
  const contenders = [ourselves('Trenio', step), ...python, ...javascript].filter(each => each !== undefined);
  const peaks: number[] = [];
  const measured = await interleave(contenders, {
    rounds: Number(values.rounds),
    beforeRound: () => {
      // Threads of a peer still spin after its step.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      for (let burst = 0; burst < 3; burst++) peaks.push(peakOf(runtime, threads));
    },
  });
  for (const { end } of contenders) end();
  printMeasured(measured);
  const ours = measured[0]!;
  const of = (some: readonly (Contender | undefined)[]): readonly Measured[] =>
    measured.filter(each => some.includes(each.contender));
  const ratio = (peers: readonly Measured[]): number => Math.min(...peers.map(peer => timesAsFast(ours, peer)));
  const peak = Math.max(...peaks);
  const floor = flops() / (peak * 1e6);
  console.log(
    `  the floor: the multiplies, ${(flops() / 1e9).toPrecision(3)} GFLOP, at the peak of ${peak.toFixed(0)} GFLOP/s, take ${floor.toPrecision(3)} ms`,
  );
  const shares = measured.map(each => `${each.contender.name} ${((100 * floor) / each.median).toFixed(0)} %`);
  console.log(`  share of the peak: ${shares.join(', ')}`);
  if (of(python).length > 0)
    bar({ what, unit: "× PyTorch's best mode", measured: ratio(of(python)), kind: 'at least', limit });
  if (of(javascript).length > 0) {
    const asked = Math.min(...of(javascript).map(each => each.median)) / 10;
    if (asked < floor)
      console.log(`  a speedup of 10 over tfjs and jax-js would take ${asked.toPrecision(3)} ms, less than the floor`);
    bar({ what, unit: '× the best of tfjs and jax-js', measured: ratio(of(javascript)), kind: 'at least', limit: 10 });
  }
}
