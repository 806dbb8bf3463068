// The JavaScript time of a warm training step: recording the forward and backward pass and the
// optimizer's update of BERT-base (110 M parameters), collecting the program and finding it in the table of
// compiled programs. The device runs nothing. The bar is 60 ms once warm.
//
//   node bench/record.ts [--rounds 15] [--layers 12]
import './help.ts';
import { parseArgs } from 'node:util';
import { AdamW, BertForSequenceClassification, nn, optimizerStep, tensor } from 'trenio';
import type { Module } from '../src/hlo/index.ts';
import { literal } from '../src/hlo/literal.ts';
import { mainOf, tensorTypeOf } from '../src/hlo/program.ts';
import type { Backend } from '../src/runtime/backends/backend.ts';
import type { Executable } from '../src/runtime/execution/executable.ts';
import { doneEvent } from '../src/runtime/execution/executable.ts';
import { Device } from '../src/tensor/device.ts';
import { idleBuffer } from './idle-buffer.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, layers: { type: 'string', default: '12' } },
});
const [batch, sequence] = [8, 128];
const config = {
  vocab_size: 30522,
  hidden_size: 768,
  num_hidden_layers: Number(values.layers),
  num_attention_heads: 12,
  intermediate_size: 3072,
  max_position_embeddings: 512,
};

let programs = 0;
let ops = 0;
/** Accepts every program and runs none. */
const idle: Backend = {
  name: 'idle',
  compile(module: Module) {
    const { body, aliases } = mainOf(module);
    programs++;
    ops = body.ops.length;
    const outputTypes = body.results.map(tensorTypeOf);
    const executable: Executable = {
      inputTypes: body.args.map(tensorTypeOf),
      outputTypes,
      donated: outputTypes.map((_, i) => (aliases.includes(i) ? aliases.indexOf(i) : undefined)),
      // never ready, so index checks do not read it
      run: () => outputTypes.map(type => idleBuffer(type, { isReady: false })),
    };
    return { executable, report: { fromCache: false, compileMs: 0, arenaBytes: 0, kernels: 0 } };
  },
  upload: type => idleBuffer(type),
  record: () => doneEvent,
  synchronize: () => {},
};

const device = new Device(idle, { seed: 0, log: () => {} });
const model = new BertForSequenceClassification(config);
model.to(device);
model.train();
const optimizer = new AdamW(model.parameters(), { lr: 1e-5 });
const zeros = (shape: readonly number[]) =>
  tensor(literal('i32', shape, new Array<number>(shape.reduce((a, b) => a * b, 1)).fill(1)), { device });

function step(): number {
  const inputs = { inputIds: zeros([batch, sequence]), attentionMask: zeros([batch, sequence]) };
  const labels = zeros([batch]);
  const start = performance.now();
  const loss = nn.functional.crossEntropy(model.forward(inputs), labels);
  loss.backward();
  optimizerStep(optimizer);
  return performance.now() - start;
}

const first = step();
for (let i = 0; i < 10; i++) step();
const known = programs;
const times = Array.from({ length: Number(values.rounds) }, step);
console.log(`Recording a BERT-base training step, ${ops} ops, ${programs - known} new programs while measured`);
console.log(`  first            ${first.toFixed(0)} ms`);
console.log(
  `  warm             ${median(times).toFixed(1)} ms, median of ${times.length} (${Math.min(...times).toFixed(1)} … ${Math.max(...times).toFixed(1)}); the bar is 60 ms`,
);
