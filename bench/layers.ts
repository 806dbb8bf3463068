// A training step (SGD) of small models with LSTM, Conv1d, GroupNorm and RMSNorm, compared with PyTorch eager and compiled, interleaved.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { compile, nn, randn, SGD, type Tensor } from 'trenio';
import { type Contender, interleave, ourselves, startPeer, timesAsFast } from './peer.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string' },
    threads: { type: 'string', default: String(availableParallelism()) },
    compile: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(
    'Usage: node bench/layers.ts [--python python3] [--rounds 7] [--only lstm] [--threads n] [--compile]\n\n  --threads  threads of PyTorch\n  --compile  also measure torch.compile',
  );
  process.exit(0);
}

interface Workload {
  readonly model: () => nn.Module;
  readonly forward: (model: never, x: Tensor) => Tensor;
  readonly shape: readonly number[];
}
const sequence =
  (...layers: nn.Unary[]): Workload['model'] =>
  () =>
    new nn.Sequential(...layers);
const plain = (model: nn.Sequential, x: Tensor): Tensor => model(x);
const workloads: Readonly<Record<string, Workload>> = {
  lstm: { model: () => new nn.LSTM(64, 128), forward: (model: nn.LSTM, x) => model(x)[0], shape: [32, 16, 64] },
  conv1d: {
    model: sequence(new nn.Conv1d(32, 64, 5, { padding: 2 }), new nn.ReLU(), new nn.Conv1d(64, 64, 5, { padding: 2 })),
    forward: plain,
    shape: [16, 32, 256],
  },
  groupnorm: {
    model: sequence(new nn.Conv2d(16, 32, 3, { padding: 1 }), new nn.GroupNorm(8, 32), new nn.SiLU()),
    forward: plain,
    shape: [8, 16, 32, 32],
  },
  rmsnorm: {
    model: sequence(new nn.Linear(256, 256), new nn.RMSNorm(256), new nn.SiLU(), new nn.Linear(256, 256)),
    forward: plain,
    shape: [512, 256],
  },
};
/** Threads of PyTorch: fewer are faster on a busy machine. */
const threads = Number(values.threads);
for (const [name, { model: build, forward, shape }] of Object.entries(workloads)) {
  if (values.only !== undefined && values.only !== name) continue;
  const model = build();
  const optimizer = new SGD(model.parameters(), { lr: 0.01 });
  const x = randn(shape);
  const run = compile((input: Tensor) => {
    optimizer.zeroGrad();
    const loss = forward(model as never, input)
      .square()
      .mean();
    loss.backward();
    optimizer.step();
    return loss;
  });
  const ours = ourselves('Trenio', () => void run(x).item());
  const peers: Contender[] = [];
  for (const compiled of values.compile ? [false, true] : [false]) {
    const command = {
      name: `PyTorch ${compiled ? 'compiled' : 'eager'}`,
      script: 'torch_layers.py',
      settings: { model: name, threads, compile: compiled },
    };
    const peer = await startPeer(command, values.python);
    if (peer !== undefined) peers.push(peer);
  }
  const [mine, ...others] = await interleave([ours, ...peers], { rounds: Number(values.rounds) });
  console.log(`${name}: Trenio ${mine!.median.toFixed(2)} ms per step`);
  for (const other of others)
    console.log(
      `  ${other.contender.name}: ${other.median.toFixed(2)} ms; Trenio is ${timesAsFast(mine!, other).toFixed(2)} times as fast`,
    );
  for (const peer of peers) peer.end();
}
