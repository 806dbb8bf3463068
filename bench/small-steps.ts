// The host's cost of small steps, whose arithmetic takes no time: recording, finding the program, starting it, reading a number.
// Each case runs in turn with the same in PyTorch eager.
//
//   node bench/small-steps.ts [--only act,train] [--rounds 9] [--python ~/venv/bin/python]
import { parseArgs } from 'node:util';
import { Adam, compile, distributions, manualSeed, nn, noGrad, type Tensor, tensor } from 'trenio';
import { bar } from './bars.ts';
import { interleave, ourselves, startPeer, timesAsFast } from './peer.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    python: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/small-steps.ts [--only NAME,…] [--rounds 9] [--python PYTHON]

  --only     some of item, call, step, act, train
  --python   a Python with torch, to compare with

  node bench/small-steps.ts --only act --python ~/venv/bin/python`);
  process.exit(0);
}

manualSeed(1);
const state = [0.1, 0.2, 0.3, 0.4];
const policy = new nn.Sequential(new nn.Linear(4, 128), new nn.ReLU(), new nn.Linear(128, 2));
const optimizer = new Adam(policy.parameters(), { lr: 1e-2 });
const scalar = tensor(3);
const double = compile((x: Tensor) => x.mul(2));

/** `limit`: the most microseconds. */
const cases: Readonly<Record<string, { readonly step: () => unknown; readonly limit?: number }>> = {
  item: { step: () => scalar.item(), limit: 15 },
  call: { step: () => double(scalar) },
  step: { step: () => double(scalar).item(), limit: 30 },
  act: {
    step: () =>
      noGrad(() =>
        new distributions.Categorical({ probs: policy.forward(tensor([state])).softmax(1) }).sample().item(),
      ),
  },
  train: {
    step: () => {
      optimizer.zeroGrad();
      const loss = policy
        .forward(tensor([state]))
        .square()
        .sum();
      loss.backward();
      optimizer.step();
      return loss.item();
    },
  },
};

for (const [name, { step, limit }] of Object.entries(cases)) {
  if (values.only !== undefined && !values.only.split(',').includes(name)) continue;
  // The first steps compile programs, and the next ones V8's code.
  for (let i = 0; i < 2000; i++) step();
  const peer =
    values.python === undefined
      ? undefined
      : await startPeer({ name, script: 'torch_small_steps.py', settings: { name } }, values.python);
  const [ours, theirs] = await interleave([ourselves(name, step), ...(peer ? [peer] : [])], {
    rounds: Number(values.rounds),
    sampleMs: 100,
  });
  const micro = (ms: number): string => (ms * 1000).toFixed(1).padStart(7);
  const cpu = `${micro(ours!.cpuMs)} of CPU time`;
  const beside = theirs
    ? `, ${theirs.contender.name} ${micro(theirs.median)}: ${timesAsFast(ours!, theirs).toFixed(2)} × as fast`
    : '';
  console.log(`${name.padEnd(6)} ${micro(ours!.median)} µs, best ${micro(Math.min(...ours!.ms))}, ${cpu}${beside}`);
  if (limit !== undefined)
    bar({ what: `small step: ${name}`, unit: 'µs', kind: 'at most', measured: ours!.median * 1000, limit });
  peer?.end();
}
