// One training step of ResNet-18 on 224 × 224 images (SGD with momentum): its time, memory and share of the machine's
// multiply-add peak, compared with PyTorch eager and compiled, with [N, C, H, W] and channels_last images, steps interleaved.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { compile, device, nn, noGrad, ResNet, SGD, type Tensor, tensor } from 'trenio';
import { hostTarget } from '../src/compiler/index.ts';
import { costOfModule, type Module } from '../src/hlo/index.ts';
import { bar } from './bars.ts';
import { compileWithRuntime, median, peakSampler, peakSource } from './peak.ts';
import { type Contender, interleave, ourselves, printMeasured, startPeer, timesAsFast } from './peer.ts';

const help = `Usage: node bench/resnet.ts [--batch 8] [--size 224] [--python python3] [--rounds 7] [--compile] [--no-torch]

  --batch     images a step
  --size      their height and width
  --python    a Python with torch
  --compile   torch.compile as well: it takes a minute the first time
  --no-torch  Trenio alone

  node bench/resnet.ts --python ~/venv/bin/python
  node bench/resnet.ts --batch 16 --compile --python ~/venv/bin/python`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    batch: { type: 'string', default: '8' },
    size: { type: 'string', default: '224' },
    python: { type: 'string', default: 'python3' },
    rounds: { type: 'string', default: '7' },
    compile: { type: 'boolean', default: false },
    torch: { type: 'boolean', default: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const [batch, size] = [Number(values.batch), Number(values.size)];
const threads = availableParallelism();

const torch = (compiled: boolean, channelsLast: boolean): Promise<Contender | undefined> =>
  startPeer(
    {
      name: `PyTorch ${compiled ? 'compiled' : 'eager'}${channelsLast ? ' channels_last' : ''}`,
      script: 'torch_resnet.py',
      settings: { batch, size, threads, compile: compiled, channelsLast },
    },
    values.python,
  );
const peers: Contender[] = [];
for (const compiled of values.compile ? [false, true] : [false]) {
  for (const channelsLast of [false, true]) {
    const peer = values.torch ? await torch(compiled, channelsLast) : undefined;
    if (peer !== undefined) peers.push(peer);
  }
}

const model = new ResNet('resnet18').to(device()).train();
const optimizer = new SGD(model.parameters(), { lr: 0.01, momentum: 0.9 });
const pixels = Float32Array.from({ length: batch * 3 * size * size }, (_, i) => Math.sin(i));
const images = tensor(pixels, { shape: [batch, 3, size, size] });
const labels = tensor(
  Array.from({ length: batch }, (_, i) => (i * 7) % 1000),
  { dtype: 'i32' },
);
const run = compile((x: Tensor, y: Tensor) => {
  const loss = nn.functional.crossEntropy(model.forward(x), y);
  loss.backward();
  optimizer.step();
  optimizer.zeroGrad();
  return loss;
});
const ours = ourselves('Trenio', () => void run(images, labels).item());
const report = device().explain();

/** FLOPs of the forward pass and both gradients, which are equal; the gradient of the images is not needed. */
function convolutionFlops(): number {
  const { backend } = device();
  const compileModule = backend.compile.bind(backend);
  const programs: Module[] = [];
  backend.compile = module => {
    programs.push(module);
    return compileModule(module);
  };
  model.eval();
  noGrad(() => model.forward(images))
    .sum()
    .item();
  backend.compile = compileModule;
  const forward = Math.max(...programs.map(module => costOfModule(module).byOp.get('convolution')?.flops ?? 0));
  const ofImages = 2 * batch * 64 * Math.ceil(size / 2) ** 2 * 3 * 7 * 7;
  return 3 * forward - ofImages;
}

const target = hostTarget();
const native = compileWithRuntime(peakSource(target), target);
const peakOf = peakSampler(native, target);
const runtime = native.open(threads);
const peaks: number[] = [];
const measured = await interleave([ours, ...peers], {
  rounds: Number(values.rounds),
  beforeRound: () => peaks.push(peakOf(runtime, threads)),
});
for (const peer of peers) peer.end();

const what = `ResNet-18 step, ${batch} × 3 × ${size} × ${size}`;
console.log(`${what}, f32, SGD, ${threads} threads, median of ${values.rounds}`);
printMeasured(measured);
console.log(`  compilation: ${report}`);
const flops = convolutionFlops();
const rate = flops / (measured[0]!.median * 1e6);
console.log(
  `  convolutions: ${(flops / 1e9).toFixed(1)} GFLOP, ${rate.toFixed(0)} of ${median(peaks).toFixed(0)} GFLOP/s; the whole step reaches ${((100 * rate) / median(peaks)).toFixed(1)} % of it`,
);
if (peers.length > 0) {
  const [mine, ...others] = measured;
  const ratio = Math.min(...others.map(each => timesAsFast(mine!, each)));
  bar({ what, unit: "× PyTorch's best mode", measured: ratio, kind: 'at least', limit: 1 });
}
