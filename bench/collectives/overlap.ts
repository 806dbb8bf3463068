// A training step of BERT on several ranks: the time of its collectives, and how long the step waits for them.
//
//   trenio run --nproc_per_node 2 bench/collectives/overlap.ts [--layers 12] [--batch 4] [--rounds 5] [--json] [--zero]
//     [--schedule ZBH1]
//
// With `trenio run --layout tp=2`, the model is divided, and the batch is that of all ranks.
// Between hosts, collectives run while the step computes; within one host, the step runs them itself when it awaits them.
import { parseArgs } from 'node:util';
import {
  AdamW,
  BertForSequenceClassification,
  device,
  initDeviceMesh,
  nn,
  optimizerStep,
  type PipelineOptions,
  parallelize,
  tensor,
  ZeroRedundancyOptimizer,
} from 'trenio';
import { literal } from '../../src/hlo/literal.ts';
import { byteSize, type TensorType } from '../../src/hlo/types.ts';
import { defaultRuntime } from '../../src/runtime/index.ts';
import { bar } from '../bars.ts';

const { values } = parseArgs({
  options: {
    layers: { type: 'string', default: '12' },
    batch: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    zero: { type: 'boolean', default: false },
    schedule: { type: 'string', default: '1F1B' },
  },
});
const [batch, length, vocabulary] = [Number(values.batch), 128, 30_522];
const dev = device();
const model = new BertForSequenceClassification({ vocab_size: vocabulary, num_hidden_layers: Number(values.layers) });
model.to(dev);
model.train();
const mesh = initDeviceMesh(); // the layout of `trenio run`
const schedule = values.schedule as NonNullable<PipelineOptions['schedule']>;
if (mesh.dividesPrograms) parallelize(model, mesh, mesh.size('pp') > 1 ? { pipeline: { schedule } } : {});
// With the optimizer's state and work divided among the ranks, or all of it on each.
const optimizer = values.zero
  ? new ZeroRedundancyOptimizer(model.parameters(), { optimizerClass: AdamW, lr: 1e-5 })
  : new AdamW(model.parameters(), { lr: 1e-5 });
const ids = tensor(
  literal(
    'i32',
    [batch, length],
    Array.from({ length: batch * length }, (_, i) => (i * 7919) % vocabulary),
  ),
);
const target = tensor(Int32Array.from({ length: batch }, (_, i) => i % 2));

const runtime = defaultRuntime();
const { engine } = runtime;
const steps: { readonly ms: number; readonly exposedMs: number; readonly ownMs: number }[] = [];
for (let round = -2; round < Number(values.rounds); round++) {
  runtime.barrier();
  const [start, exposed, own] = [performance.now(), engine.collectiveNs, engine.overlappedNs];
  const loss = nn.functional.crossEntropy(model.forward(ids), target);
  loss.backward();
  optimizerStep(optimizer);
  loss.item();
  dev.synchronize();
  if (round < 0) continue;
  steps.push({
    ms: performance.now() - start,
    exposedMs: (engine.collectiveNs - exposed) / 1e6,
    ownMs: (engine.overlappedNs - own) / 1e6,
  });
}
// The tensors that this rank keeps between steps, and their size if the state were divided exactly.
const bytesOf = (types: readonly TensorType[]): number => types.reduce((sum, type) => sum + byteSize(type), 0);
const parameterBytes = bytesOf([...model.parameters()].map(({ type }) => type));
const stateBytes = bytesOf([...optimizer.namedState()].map(([, value]) => value.type));
const keptBytes = parameterBytes + stateBytes;
const idealBytes = parameterBytes + (2 * parameterBytes) / (values.zero ? runtime.ranks.worldSize : 1);
if (runtime.ranks.rank === 0) {
  steps.sort((a, b) => a.ms - b.ms);
  const { ms, exposedMs, ownMs } = steps[steps.length >> 1]!;
  const meanMs = steps.reduce((sum, one) => sum + one.ms, 0) / steps.length;
  if (values.json) console.log(JSON.stringify({ ms, meanMs, exposedMs, ownMs, keptBytes, idealBytes }));
  else
    console.log(
      `step ${ms.toFixed(0)} ms; its collectives take ${ownMs.toFixed(0)} ms, and it waits ${exposedMs.toFixed(0)} ms for them`,
    );
  if (ownMs > 0 && !values.json)
    bar({
      what: 'exposed communication of BERT',
      unit: '% of the time of its collectives',
      measured: (100 * exposedMs) / ownMs,
      limit: 15,
      kind: 'at most',
    });
}
