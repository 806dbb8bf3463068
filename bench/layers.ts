// A training step of small models of LSTM, GRU, RNN, Conv1d, GroupNorm and RMSNorm, and of ResNet-18, compared with PyTorch
// eager and compiled, in turn and with the same number of threads; and the share of the time that the multiplies alone would
// take at the machine's peak. Each model and number of threads runs in a separate process.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { compile, device, nn, ResNet, randn, SGD, type Tensor } from 'trenio';
import { readVariable } from '../src/base/environment.ts';
import { hostTarget } from '../src/compiler/index.ts';
import { costOfModule, type Module } from '../src/hlo/index.ts';
import { type Bar, bar, barTable } from './bars.ts';
import { compileWithRuntime, median, peakSampler, peakSource } from './peak.ts';
import {
  type Contender,
  interleave,
  ourselves,
  type PeerCommand,
  printMeasured,
  startPeer,
  timesAsFast,
} from './peer.ts';

const help = `Usage: node bench/layers.ts [--python python3] [--rounds 7] [--only lstm,gru] [--threads 1,2] [--no-compile]

  --only        some of the models: lstm gru rnn conv1d groupnorm rmsnorm resnet18
  --threads     of both sides, one run after the other for several numbers
  --no-compile  without torch.compile, which takes up to a minute for each model

  node bench/layers.ts --python ~/venv/bin/python`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    python: { type: 'string', default: 'python3' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string' },
    threads: { type: 'string' },
    compile: { type: 'boolean', default: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}

interface Workload {
  readonly model: () => nn.Module;
  readonly forward: (model: never, x: Tensor) => Tensor;
  readonly shape: readonly number[];
  readonly momentum?: number;
  /** The same in PyTorch, in each mode that may be fastest. */
  readonly peers: (compiled: boolean) => readonly Omit<PeerCommand, 'name'>[];
  /** The speed relative to PyTorch's best mode. */
  readonly limit: number;
}
const sequence =
  (...layers: (() => nn.Unary)[]): Workload['model'] =>
  () =>
    new nn.Sequential(...layers.map(layer => layer()));
const plain = (model: nn.Sequential, x: Tensor): Tensor => model(x);
const outputs = (model: nn.LSTM, x: Tensor): Tensor => model(x)[0];
const layer = (model: string): Pick<Workload, 'peers' | 'limit'> => ({
  peers: compiled => [{ script: 'torch_layers.py', settings: { model, threads, compile: compiled } }],
  limit: 1,
});
const warmUpMs = 1500;
const imageNet = { batch: 8, size: 224 };
const workloads: Readonly<Record<string, Workload>> = {
  lstm: { model: () => new nn.LSTM(64, 128), forward: outputs, shape: [32, 16, 64], ...layer('lstm') },
  gru: { model: () => new nn.GRU(64, 128), forward: outputs, shape: [32, 16, 64], ...layer('gru') },
  rnn: { model: () => new nn.RNN(64, 128), forward: outputs, shape: [32, 16, 64], ...layer('rnn') },
  conv1d: {
    model: sequence(
      () => new nn.Conv1d(32, 64, 5, { padding: 2 }),
      () => new nn.ReLU(),
      () => new nn.Conv1d(64, 64, 5, { padding: 2 }),
    ),
    forward: plain,
    shape: [16, 32, 256],
    ...layer('conv1d'),
  },
  groupnorm: {
    model: sequence(
      () => new nn.Conv2d(16, 32, 3, { padding: 1 }),
      () => new nn.GroupNorm(8, 32),
      () => new nn.SiLU(),
    ),
    forward: plain,
    shape: [8, 16, 32, 32],
    ...layer('groupnorm'),
  },
  rmsnorm: {
    model: sequence(
      () => new nn.Linear(256, 256),
      () => new nn.RMSNorm(256),
      () => new nn.SiLU(),
      () => new nn.Linear(256, 256),
    ),
    forward: plain,
    shape: [512, 256],
    ...layer('rmsnorm'),
  },
  resnet18: {
    model: () => new ResNet('resnet18').train(),
    forward: (model: ResNet, x) =>
      nn.functional.crossEntropy(model.forward(x), randn([imageNet.batch, 1000]).argmax(1)),
    shape: [imageNet.batch, 3, imageNet.size, imageNet.size],
    momentum: 0.9,
    peers: compiled =>
      [false, true].map(channelsLast => ({
        script: 'torch_resnet.py',
        settings: { ...imageNet, threads, compile: compiled, channelsLast },
      })),
    limit: 1.3,
  },
};
const names = values.only?.split(',') ?? Object.keys(workloads);
const counts = values.threads?.split(',').map(Number) ?? [...new Set([1, availableParallelism()])];
const [threads] = counts;
const ownThreads = readVariable('TRENIO_NUM_THREADS') ?? availableParallelism();
await (names.length * counts.length > 1 || ownThreads !== threads
  ? runEach()
  : measure(names[0]!, workloads[names[0]!]!));

async function runEach(): Promise<void> {
  const bars: Bar[] = [];
  for (const count of counts) {
    for (const name of names) {
      const args = ['--python', values.python, '--rounds', values.rounds, '--only', name, '--threads', String(count)];
      const child = fork(import.meta.filename, [...args, ...(values.compile ? [] : ['--no-compile'])], {
        env: { ...process.env, TRENIO_NUM_THREADS: String(count) },
      });
      child.on('message', stated => void bars.push(stated as Bar));
      const code = await new Promise(resolve => child.on('exit', resolve));
      if (code !== 0) throw new Error(`${name} with ${count} threads ended with ${code}`);
    }
  }
  console.log(`\n${barTable(bars)}`);
  for (const each of bars) process.send?.(each);
}

/** Needs TRENIO_NUM_THREADS: only `runEach` calls it with fewer threads than all. */
async function measure(
  name: string,
  { model: build, forward, shape, momentum, peers, limit }: Workload,
): Promise<void> {
  const others: Contender[] = [];
  for (const compiled of values.compile ? [false, true] : [false]) {
    for (const command of peers(compiled)) {
      const mode = compiled ? 'compiled' : 'eager';
      const peer = await startPeer({ name: `${name} in PyTorch ${mode}`, ...command }, values.python);
      if (peer !== undefined) others.push(peer);
    }
  }
  const model = build().to(device());
  const optimizer = new SGD(model.parameters(), { lr: 0.01, ...(momentum === undefined ? {} : { momentum }) });
  const x = randn(shape);
  x.toArray();
  const programs: Module[] = [];
  const { backend } = device();
  const compileModule = backend.compile.bind(backend);
  backend.compile = module => {
    programs.push(module);
    return compileModule(module);
  };
  const run = compile((input: Tensor) => {
    optimizer.zeroGrad();
    const y = forward(model as never, input);
    const loss = y.ndim === 0 ? y : y.square().mean();
    loss.backward();
    optimizer.step();
    return loss;
  });
  const ours = ourselves('Trenio', () => void run(x).item());
  backend.compile = compileModule;
  const flops = Math.max(...programs.map(multiplyFlops));

  const target = hostTarget();
  const native = compileWithRuntime(peakSource(target), target);
  const peakOf = peakSampler(native, target);
  const runtime = native.open(threads!, 'free');
  const peaks: number[] = [];
  // The first few hundred steps take longer: JavaScript is interpreted before it is compiled.
  for (const contender of [ours, ...others]) {
    const { ms } = await contender.steps(3);
    await contender.steps(Math.ceil(warmUpMs / ms));
  }
  const measured = await interleave([ours, ...others], {
    rounds: Number(values.rounds),
    beforeRound: () => peaks.push(peakOf(runtime, threads!)),
  });
  for (const peer of others) peer.end();
  const what = `${name}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  console.log(`${what}: a training step, median of ${values.rounds}`);
  printMeasured(measured);
  console.log(
    `  CPU time of a step: ${measured.map(each => `${each.contender.name} ${each.cpuMs.toFixed(3)} ms`).join(', ')}`,
  );
  const [mine, ...theirs] = measured;
  const floorMs = flops / (Math.max(...peaks) * 1e6);
  console.log(
    `  its multiplies, ${(flops / 1e6).toFixed(0)} MFLOP, at ${Math.max(...peaks).toFixed(0)} GFLOP/s (median ${median(peaks).toFixed(0)}): ${floorMs.toFixed(3)} ms, ${((100 * floorMs) / mine!.median).toFixed(0)} % of the step`,
  );
  if (theirs.length === 0) return;
  const ratio = Math.min(...theirs.map(each => timesAsFast(mine!, each)));
  bar({ what, unit: "× PyTorch's best mode", measured: ratio, kind: 'at least', limit });
}

/** The FLOPs of multiplies and convolutions in the recorded program. */
function multiplyFlops(module: Module): number {
  const { byOp } = costOfModule(module);
  return ['dot_general', 'convolution'].reduce((sum, op) => sum + (byOp.get(op as never)?.flops ?? 0), 0);
}
