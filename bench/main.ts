// Lists the benchmarks, runs the selected ones one after another, and prints a table of all their bars.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bar, barTable, isMet } from './bars.ts';

interface Bench {
  readonly name: string;
  readonly what: string;
  /** Whether it also measures Python programs. */
  readonly python: boolean;
  /** Whether it accepts --rounds. */
  readonly rounds: boolean;
  /** Additional arguments. */
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
  bench('gemm', 'the matrix multiply compared with that peak and with peer libraries', { python, rounds }),
  bench('elementwise', 'softmax, layer norm, GELU, dropout and losses compared with the memory bound', { rounds }),
  bench('data-loader', 'loading images and tokenizing text with 0, 1 and 2 workers, compared with PyTorch', {
    python,
    rounds,
  }),
  bench('optimizer', 'AdamW over 110 M parameters compared with the memory bound', { rounds }),
  bench('bert-base', 'a BERT-base training step in f32 compared with PyTorch and JAX', { python, rounds }),
  bench('bert-base-bf16', 'the same in bf16 with stochastic rounding, compared with PyTorch and with f32', {
    python,
    rounds,
    file: 'bert-base.ts',
    args: ['--dtype', 'bf16'],
  }),
  bench('models', 'small BERT, GPT-2 and MLP steps compared with PyTorch, tfjs and jax-js', { python, rounds }),
  bench('resnet', 'a ResNet-18 step compared with PyTorch', { python, rounds }),
  bench('inference', 'BERT-base forward passes compared with onnxruntime-node and PyTorch', { python, rounds }),
  bench('generate', 'decoding at batch 1 compared with the bandwidth of memory, and with transformers', {
    python,
    rounds,
  }),
  bench('engine-steps', 'several sequences of a language model in a step, compared with one', { rounds }),
  bench('changing-shapes', 'programs whose shapes change, such as reinforcement learning, compared with PyTorch', {
    python,
    rounds,
  }),
  bench('layouts', 'the losses of small models in many layouts, compared with one rank', {
    args: ['--steps', '20', '--ranks', '2,4', '--models', 'llama'],
  }),
  bench('pipeline-bubble', 'the bubble of each schedule of pipelines, with stages that sleep', {}),
  bench('tokenizers', 'tokens of random strings of every script, compared with the Python library', {
    python,
    args: ['--count', '2000'],
  }),
  bench('endpoint', 'requests to a deployed model over 1 to 1,000 connections, compared with an empty HTTP server', {
    rounds,
  }),
  bench(
    'console',
    'the pages of the job server in Chromium: first content, 10,000 jobs, a curve with a million points',
    {
      rounds,
    },
  ),
  bench('compile', 'time to the first step of BERT-base, with a cold and a warm cache, compared with torch.compile', {
    python,
    rounds,
  }),
  bench('threads', 'training steps with one and with several threads, with and without a busy process on one core', {
    rounds,
  }),
  bench(
    'training-quality',
    'the final loss in bf16, with and without stochastic rounding, compared with f32 (takes an hour)',
  ),
  bench('simulator', 'predictions compared with published results, row by row, and the speed of the simulator'),
  bench('simulator-layouts', 'published Trn1 rows with layouts: the analytic model and partitioned programs'),
  bench('plan-local', 'predicted and measured step times on this machine: BERT, GPT-2, an MLP, ResNet-18', { rounds }),
  bench('record', 'JavaScript time of a warm step'),
  bench('observe', 'the cost of observation: a step with top and monitor on, compared with TRENIO_OBSERVE=0', {
    rounds,
  }),
  bench('pytorch-coverage', 'share of commonly used PyTorch names that exist in Trenio'),
  bench('hlo-parse', 'time and memory to read programs of 10 MB'),
  bench('plain-loop', 'a plain PyTorch-style loop compared with optimizerStep: MLP, small BERT, CNN'),
  bench('flat-memory', 'memory over 10,000 steps'),
  bench('type-check', 'type-checking a script of 1,000 lines'),
  bench('run-costs', 'the cost of profiling and asynchronous saves while training BERT', { rounds }),
  bench(
    'checkpoint',
    'a checkpoint of the state of BERT-base: how long the step is blocked, write rate compared with the disk',
  ),
  bench('checkpoint-kills', 'a run killed at random moments (--count N): resumes to the same final weights'),
  bench('kills', 'faults injected into runs on two virtual hosts (--count N): the same final weights, or a reason'),
  bench('two-runs', 'two runs in one folder, killed at random 20 times: checks that no checkpoint is lost'),
  bench('mutations', 'small faults planted at random: which kind of test finds them (takes half an hour)'),
  bench('hlo-fuzz', 'fuzzing: random edits of programs, read and verified'),
].filter(({ file }) => existsSync(join(import.meta.dirname, file)));

const list = benches.map(({ name, what }) => `  ${name.padEnd(16)} ${what}`).join('\n');
const help = `Usage: npm run bench -- NAME … [--python python3] [--rounds 7] [--json]

${list}
  all              every one of them

  --python   the Python of the peers: with torch, transformers, jax, and onnx and onnxscript
  --rounds   overrides the number of rounds of each benchmark that accepts it; fewer for a quick look
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
  if (unknown.length > 0) console.error(`unknown benchmark: ${unknown.join(', ')}\n`);
  console.log(help);
  process.exit(unknown.length > 0 ? 2 : 0);
}

/** Runs one benchmark and returns its bars. */
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
