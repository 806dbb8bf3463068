// One training step of BERT (classification, dropout on, AdamW): its time, memory and share of the machine's multiply
// peak, compared with PyTorch (eager and compiled) and JAX on the same machine, each in its own process, steps interleaved.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { device } from 'trenio';
import { hostTarget } from '../src/compiler/index.ts';
import { bar } from './bars.ts';
import { compileWithRuntime, peakSampler, peakSource } from './peak.ts';
import { type Contender, interleave, ourselves, printMeasured, startPeer, timesAsFast } from './peer.ts';
import { bertSizes, bertStep, withMultiplyFlops } from './workloads.ts';

const help = `Usage: node bench/bert-base.ts [--size base|small] [--dtype f32|bf16] [--python python3] [--rounds 7]
                               [--no-compile] [--no-jax] [--no-torch]

  --size base    110 M parameters, 8 × 128 tokens; small: 4 layers of 256, 32 × 64 tokens
  --dtype bf16   parameters in bf16 with stochastic rounding, against PyTorch's bf16 autocast and our own f32
  --python       a Python with torch, transformers and jax
  --no-compile   PyTorch eager only: torch.compile takes most of a minute the first time
  --layers       number of layers

  node bench/bert-base.ts --python ~/venv/bin/python
  node bench/bert-base.ts --dtype bf16 --no-jax --python ~/venv/bin/python`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    size: { type: 'string', default: 'base' },
    dtype: { type: 'string', default: 'f32' },
    layers: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    rounds: { type: 'string', default: '7' },
    compile: { type: 'boolean', default: true },
    torch: { type: 'boolean', default: true },
    jax: { type: 'boolean', default: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const { size, dtype } = values;
const wrong = (size !== 'base' && size !== 'small') || (dtype !== 'f32' && dtype !== 'bf16');
if (values.help || wrong) {
  console.log(help);
  process.exit(wrong ? 2 : 0);
}

const threads = availableParallelism();
const given = bertSizes[size];
const sized = { ...given, config: { ...given.config, ...(values.layers && { num_hidden_layers: +values.layers }) } };
const { batch, sequence, config } = sized;
const what = `BERT-${size}${values.layers ? ` of ${values.layers} layers` : ''} step, ${batch} × ${sequence}, ${dtype}`;

const torch = (compile: boolean): Promise<Contender | undefined> =>
  startPeer(
    {
      name: `PyTorch ${compile ? 'compiled' : 'eager'}`,
      script: 'torch_step.py',
      settings: { workload: 'bert', config, batch, sequence, threads, compile, dtype, train: true },
    },
    values.python,
  );
const eager = values.torch ? await torch(false) : undefined;
const compiled = values.torch && values.compile ? await torch(true) : undefined;
const jax =
  values.jax && dtype === 'f32'
    ? await startPeer({ name: 'JAX', script: 'jax_bert.py', settings: { config, batch, sequence } }, values.python)
    : undefined;

// bf16 sets the rounding mode of the device; f32 does not need it.
const workload = withMultiplyFlops(() => bertStep(sized, dtype));
const ourself = ourselves(`Trenio ${dtype}`, workload.step);
const report = device().explain();
const f32 = dtype === 'f32' ? undefined : ourselves('Trenio f32', bertStep(sized));
const peers = [eager, compiled, jax].filter(peer => peer !== undefined);

const target = hostTarget();
const native = compileWithRuntime(peakSource(target), target);
const peakOf = peakSampler(native, target, dtype);
const runtime = native.open(threads);
const peaks: number[] = [];
const measured = await interleave([ourself, ...(f32 ? [f32] : []), ...peers], {
  rounds: Number(values.rounds),
  beforeRound: () => peaks.push(peakOf(runtime, threads)),
});
for (const peer of peers) peer.end();

console.log(`${what}, ${threads} threads, median of ${values.rounds}`);
printMeasured(measured);
const [ours] = measured as [(typeof measured)[0]];
const rate = workload.flops() / (ours.median * 1e6);
// The best burst, because threads of other processes that still spin after their steps would lower the measured limit.
const peak = Math.max(...peaks);
const share = (100 * rate) / peak;
console.log(`  compilation: ${report}`);
console.log(
  `  multiplies: ${(workload.flops() / 1e9).toFixed(0)} GFLOP, ${rate.toFixed(0)} of ${peak.toFixed(0)} GFLOP/s`,
);

const floor = workload.flops() / (peak * 1e6);
const best = Math.min(...measured.slice(f32 ? 2 : 1).map(each => each.median));
const most = Number.isFinite(best) ? `, ${(best / floor).toFixed(2)} × as fast as the fastest peer` : '';
console.log(`  the floor: multiplies alone, at peak, take ${floor.toFixed(0)} ms${most}`);
console.log('  first steps include compilation, unless it was cached');

const against = (some: readonly (Contender | undefined)[]): number =>
  Math.min(...measured.filter(each => some.includes(each.contender)).map(each => timesAsFast(ours, each)));
if (eager ?? compiled)
  bar({
    what,
    unit: "× PyTorch's best mode",
    measured: against([eager, compiled]),
    kind: 'at least',
    limit: size === 'small' ? 1 : dtype === 'f32' ? 2.2 : 1.4,
  });
if (jax) bar({ what, unit: '× JAX', measured: against([jax]), kind: 'at least', limit: size === 'base' ? 2.8 : 1 });
if (f32 && size === 'base')
  bar({ what, unit: '× our own f32', measured: against([f32]), kind: 'at least', limit: 1.6 });
if (size === 'base') {
  const limit = dtype === 'f32' ? 75 : 62;
  bar({ what, unit: '% of peak in multiplies (MFU)', measured: share, kind: 'at least', limit });
}
