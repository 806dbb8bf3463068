// Lists the benches, runs those that are asked for one after the other, and ends with one table of all bars they stated.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bar, barTable, isMet } from './bars.ts';

interface Bench {
  readonly name: string;
  readonly what: string;
  /** Whether it measures programs in Python beside ours. */
  readonly python: boolean;
  /** Whether it takes a number of rounds. */
  readonly rounds: boolean;
  /** Arguments of its own. */
  readonly args: readonly string[];
  readonly file: string;
}
const bench = (name: string, what: string, options: Partial<Bench> = {}): Bench => ({
  name,
  what,
  python: false,
  rounds: false,
  args: [],
  file: `${name}.ts`,
  ...options,
});
const [python, rounds] = [true, true];
const benches: readonly Bench[] = [
  bench('peak', 'the multiply-add peak of the machine'),
  bench('gemm', 'the matrix multiply against that peak and the libraries of the peers', { python, rounds }),
  bench('elementwise', 'softmax, layer norm, GELU, dropout and losses against what memory allows', { rounds }),
  bench('optimizer', 'AdamW over 110 M parameters against what memory allows', { rounds }),
  bench('bert-base', 'a BERT-base training step in f32 against PyTorch and JAX', { python, rounds }),
  bench('bert-base-bf16', 'the same in bf16 with stochastic rounding against PyTorch and our own f32', {
    python,
    rounds,
    file: 'bert-base.ts',
    args: ['--dtype', 'bf16'],
  }),
  bench('models', 'small BERT, GPT-2 and MLP steps against PyTorch, tfjs and jax-js', { python, rounds }),
  bench('resnet', 'a ResNet-18 step against PyTorch', { python, rounds }),
  bench('inference', 'BERT-base forward passes against onnxruntime-node and PyTorch', { python, rounds }),
  bench('endpoint', 'reviews to a deployed model at 1 to 1,000 connections, beside an empty HTTP server', { rounds }),
  bench('compile', 'from the first line to the first step of BERT-base, cold and warm, against torch.compile', {
    python,
    rounds,
  }),
  bench('threads', 'training steps with one thread and with several, alone and beside a busy process', { rounds }),
  bench('training-quality', 'the final loss in bf16, with and without stochastic rounding, against f32 (an hour)'),
  bench('simulator', 'predictions beside published results, row by row, and how long the simulator takes'),
  bench('plan-local', 'steps on this machine, predicted and measured: BERT, GPT-2, an MLP, ResNet-18', { rounds }),
  bench('record', 'how long the JavaScript of a warm step takes'),
  bench('pytorch-coverage', 'how much of PyTorch’s real use has a name here'),
  bench('hlo-parse', 'how fast programs are read'),
  bench('plain-loop', 'the loop as it is written for PyTorch beside optimizerStep: MLP, small BERT, CNN'),
  bench('flat-memory', 'memory over 10,000 steps'),
  bench('two-runs', 'two runs in one folder, killed at random 20 times: does either lose a checkpoint?'),
  bench('hlo-fuzz', 'random edits of programs, read and verified'),
].filter(({ file }) => existsSync(join(import.meta.dirname, file)));

const list = benches.map(({ name, what }) => `  ${name.padEnd(16)} ${what}`).join('\n');
const help = `Usage: npm run bench -- NAME … [--python python3] [--rounds 7] [--json]

${list}
  all              every one of them

  --python   the Python of the peers: with torch, transformers, jax, and onnx and onnxscript
  --rounds   instead of each bench's own number of rounds, where it takes one: fewer for a quick look
  --json     the bars as JSON on the standard output, everything else on the standard error stream

  npm run bench -- gemm bert-base --python ~/venv/bin/python
  npm run bench -- all --json > bars.json

Peers in JavaScript are installed by npm install --prefix bench/peers. Close other programs first.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const unknown = positionals.filter(name => name !== 'all' && !benches.some(each => each.name === name));
if (values.help || positionals.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`there is no bench ${unknown.join(', ')}\n`);
  console.log(help);
  process.exit(unknown.length > 0 ? 2 : 0);
}

/** Runs one bench and returns the bars it stated. */
function run(each: Bench): Promise<{ readonly bars: readonly Bar[]; readonly ok: boolean }> {
  const passed = (['python', 'rounds'] as const).flatMap(name => {
    const value = values[name];
    return each[name] && value !== undefined ? [`--${name}`, value] : [];
  });
  const args = [...each.args, ...passed];
  const child = fork(join(import.meta.dirname, each.file), args, {
    stdio: ['ignore', values.json ? process.stderr : 'inherit', 'inherit', 'ipc'],
  });
  const bars: Bar[] = [];
  child.on('message', message => bars.push(message as Bar));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ bars, ok: code === 0 }));
  });
}

const bars: Bar[] = [];
const failed: string[] = [];
for (const each of benches.filter(({ name }) => positionals.includes('all') || positionals.includes(name))) {
  (values.json ? console.error : console.log)(`\n── ${each.name}: ${each.what}`);
  const result = await run(each);
  bars.push(...result.bars);
  if (!result.ok) failed.push(each.name);
}
if (values.json)
  console.log(
    JSON.stringify(
      bars.map(each => ({ ...each, met: isMet(each) })),
      null,
      2,
    ),
  );
else if (bars.length > 0) console.log(`\n${barTable(bars)}`);
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
if (failed.length > 0 || !bars.every(isMet)) process.exitCode = 1;
