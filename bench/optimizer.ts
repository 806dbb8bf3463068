// AdamW over the parameters of BERT-base, 110 million in 200 tensors, compared with the memory bound: the real optimizer,
// recorded and compiled as in a training step, interleaved with a loop that reads the gradient and reads and writes
// the parameter and both moments in place without computing anything. The bar is 85 % of its speed.
//
//   node bench/optimizer.ts                     1 thread and all
//   node bench/optimizer.ts --clip              with gradient clipping, as in a training step
//   node bench/optimizer.ts --threads 2 --rounds 15 --json
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { AdamW, BertForSequenceClassification, clipGradNorm_ } from 'trenio';
import { hostTarget } from '../src/compiler/cpu/target/target.ts';
import { type Module, mainOf } from '../src/hlo/program.ts';
import { byteSize } from '../src/hlo/types.ts';
import { setDefaultDevice } from '../src/tensor/index.ts';
import { Bench, RecordingDevice } from './compiled.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: [...new Set([1, availableParallelism()])].join() },
    rounds: { type: 'string', default: '9' },
    layers: { type: 'string', default: '12' },
    clip: { type: 'boolean', default: false },
    source: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/optimizer.ts [--threads 1,2] [--rounds 9] [--layers 12] [--clip] [--source] [--json]

  --clip     clips the gradients to a norm of 1 before the update
  --source   prints the generated C instead of measuring

  node bench/optimizer.ts --clip --threads 2`);
  process.exit(0);
}

/** Removes the losses that the gradients come from, so that only the update of donated memory is left. */
function onlyInPlace(module: Module): Module {
  const main = mainOf(module);
  const kept = main.body.results.map((_, i) => i).filter(i => main.aliases.includes(i));
  const aliases = main.aliases.map(i => (i === undefined ? undefined : kept.indexOf(i)));
  const body = { ...main.body, results: kept.map(i => main.body.results[i]!) };
  return { ...module, functions: [{ ...main, body, aliases }] };
}

/** Arrays that the bound processes together, while they are collected. */
interface Growing {
  readonly reads: number[];
  readonly writes: number[];
}
const device = new RecordingDevice();
const model = new BertForSequenceClassification({
  vocab_size: 30522,
  hidden_size: 768,
  num_hidden_layers: Number(values.layers),
  num_attention_heads: 12,
  intermediate_size: 3072,
  max_position_embeddings: 512,
});
model.to(device);
setDefaultDevice(device);
const parameters = [...model.parameters()];
const optimizer = new AdamW(parameters, { lr: 1e-5 });
/** One update as a separate program; gradients are arguments. */
function step(): void {
  for (const parameter of parameters) parameter.mul(device.argument('f32', parameter.shape)).sum().backward();
  if (values.clip) clipGradNorm_(parameters, 1);
  optimizer.step();
  optimizer.zeroGrad();
  device.markStep();
}
step();
step(); // the moments are arguments from here on
const module = onlyInPlace(device.programs.at(-1)!);
const elements = parameters.reduce((n, p) => n + byteSize(p.type) / 4, 0);

const bench = new Bench(hostTarget());
const threads = values.threads.split(',').map(Number);
const compileStart = performance.now();
const compiled = bench.step(module, bench.runtime(Math.max(...threads)), program => {
  // each parameter with its two moments, updated in place, and its gradient: donated arguments come in groups of three
  const inPlace = program.donated.flatMap((input, output) => (input === undefined ? [] : [[input, output] as const]));
  const others = program.inputTypes.flatMap((_, i) => (program.donated.includes(i) ? [] : [i]));
  const bySize = new Map<number, Growing[]>();
  const at = (i: number): Growing[] => {
    const size = byteSize(program.inputTypes[i]!);
    const list = bySize.get(size) ?? [];
    bySize.set(size, list);
    return list;
  };
  for (const [input, output] of inPlace) {
    const list = at(input);
    let walk = list.find(w => w.reads.length < 3);
    if (walk === undefined) {
      walk = { reads: [], writes: [] };
      list.push(walk);
    }
    walk.reads.push(input);
    walk.writes.push(program.inputTypes.length + output);
  }
  for (const input of others) {
    at(input)
      .find(w => w.reads.length === 3)
      ?.reads.push(input);
  }
  return [...bySize.values()].flat().filter(w => byteSize(program.inputTypes[w.reads[0]!]!) >= 1 << 14);
});
const compileMs = performance.now() - compileStart;
if (values.source) {
  for (const { source } of compiled.program.units) console.log(source);
  process.exit(0);
}
const results = threads.map(workers => {
  const runtime = bench.runtime(workers);
  for (let i = 0; i < 2; i++) [compiled.run(runtime), compiled.runBound(runtime)];
  const times: number[] = [];
  const bounds: number[] = [];
  const shares: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const before = compiled.runBound(runtime);
    const time = compiled.run(runtime);
    const bound = (before + compiled.runBound(runtime)) / 2;
    times.push(time);
    bounds.push(bound);
    shares.push(bound / time);
  }
  return {
    threads: workers,
    ms: median(times) / 1e6,
    boundMs: median(bounds) / 1e6,
    gbPerSecond: compiled.bytes / median(times),
    share: median(shares),
  };
});
const summary = {
  parameters: elements,
  tensors: parameters.length,
  clip: values.clip,
  bytes: compiled.bytes,
  kernels: compiled.program.kernels.length,
  calls: compiled.program.kernels.reduce((n, k) => n + k.calls, 0),
  compileMs,
  results,
};
if (values.json) console.log(JSON.stringify(summary, undefined, 2));
else {
  console.log(
    `AdamW${values.clip ? ' after clipping' : ''} over ${(elements / 1e6).toFixed(1)} M parameters in ${parameters.length} tensors, ${(compiled.bytes / 1e9).toFixed(2)} GB read and written; ${summary.kernels} kernels, ${summary.calls} calls, compiled in ${compileMs.toFixed(0)} ms`,
  );
  for (const r of results)
    console.log(
      `  ${r.threads} threads  ${r.ms.toFixed(1).padStart(7)} ms  ${r.gbPerSecond.toFixed(1).padStart(6)} GB/s   in-place loop ${r.boundMs.toFixed(1).padStart(7)} ms   ${(100 * r.share).toFixed(0)} % of the bound`,
    );
}
