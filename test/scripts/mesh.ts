// A rank of a mesh that trains on its share of each batch (given by its coordinate on `data`), and prints its coordinates,
// its data and its final state as one line of JSON.
//   --mesh data=2,tensor=2; default: all ranks on the axis data   --steps N   --save DIR: a checkpoint after two steps
//   --resume DIR: resumes from one   --refused: tries meshes and groups that do not exist
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  AdamW,
  allReduceSum,
  averageGradients,
  BertForSequenceClassification,
  barrier,
  Checkpointer,
  DataLoader,
  DeviceLoader,
  device,
  initDeviceMesh,
  type MeshSizes,
  manualSeed,
  nn,
  rank,
  tensor,
} from 'trenio';

const { values } = parseArgs({
  options: {
    mesh: { type: 'string' },
    steps: { type: 'string', default: '4' },
    save: { type: 'string' },
    resume: { type: 'string' },
    refused: { type: 'boolean', default: false },
  },
});
manualSeed(11);
const dev = device();
if (values.mesh !== undefined) {
  const sizes = values.mesh.split(',').map(axis => axis.split('='));
  initDeviceMesh(Object.fromEntries(sizes.map(([name, size]) => [name, Number(size)])) as MeshSizes);
}
const { mesh } = dev;
dev.gradientAccumulationSteps = 4 / mesh.size('data');
dev.setRounding({ mode: 'stochastic', seed: 5 });

/** The average of a gradient that is `rank + 1` on each rank. */
function averagedRanks(): number {
  const weight = tensor([1], { requiresGrad: true });
  for (let i = 0; i < dev.gradientAccumulationSteps; i++)
    weight
      .mul(rank() + 1)
      .sum()
      .backward();
  averageGradients([weight]);
  return weight.grad!.item();
}

const length = 8;
const model = new BertForSequenceClassification({
  vocab_size: 40,
  hidden_size: 32,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 64,
  max_position_embeddings: length,
}).to('bf16');
const optimizer = new AdamW(model.parameters(), { lr: 3e-3 });
let saved = 0;

const given: number[] = [];
const loader = new DataLoader(
  { length: 100, get: i => i },
  {
    batchSize: 3,
    collateFn: items => {
      given.push(...items);
      const ids = items.map(i => Array.from({ length }, (_, k) => 1 + ((i * 7 + k * k * 3) % 25) + 14 * (i % 2)));
      return { ids, target: Int32Array.from(items, i => i % 2) };
    },
    shuffle: true,
    seed: 5,
    dropLast: true,
    mesh,
    gradientAccumulationSteps: dev.gradientAccumulationSteps,
  },
);
let step = 0;
if (values.resume !== undefined) {
  await using checkpointer = new Checkpointer({ directory: values.resume }, { model, optimizer });
  step = await checkpointer.resume();
  loader.skipTo(step * dev.gradientAccumulationSteps);
}
const losses: number[] = [];
let micro = 0;
for await (const { ids, target } of new DeviceLoader(loader, dev)) {
  const loss = nn.functional.crossEntropy(model.forward({ inputIds: ids.to('i32') }).float(), target);
  loss.backward();
  losses.push(loss.item());
  if (++micro % dev.gradientAccumulationSteps !== 0) continue;
  averageGradients(model.parameters());
  optimizer.step();
  optimizer.zeroGrad();
  dev.markStep();
  if (++step === 2 && values.save !== undefined) {
    const checkpointer = new Checkpointer({ directory: values.save }, { model, optimizer });
    await checkpointer.save(step);
    saved = checkpointer.lastSaved!.bytes;
    await checkpointer.close();
  }
  if (step === Number(values.steps)) break;
}

const hash = (tensors: Iterable<Uint8Array>): string => {
  const sum = createHash('sha256');
  for (const data of tensors) sum.update(data);
  return sum.digest('hex').slice(0, 16);
};
const refusal = (call: () => void): string => {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was rejected';
};
const refusals = values.refused
  ? [
      () => initDeviceMesh({ data: 3 }),
      () => initDeviceMesh({ data: -1 }),
      () => allReduceSum([1], { group: [(rank() + 1) % mesh.size()] }),
    ].map(refusal)
  : undefined;
barrier();
console.log(
  JSON.stringify({
    rank: rank(),
    mesh: String(mesh),
    coordinates: [mesh.coordinate('data'), mesh.coordinate('tensor')],
    groups: [mesh.group('data'), mesh.group('tensor'), mesh.group('pipeline')],
    sums: [mesh.group('data'), mesh.group('tensor'), undefined].map(group => allReduceSum([rank(), 1], { group })),
    given: given.slice(0, micro * 3),
    losses,
    averaged: averagedRanks(),
    ends: hash([
      ...model.parameters().map(p => p.data as unknown as Uint8Array),
      ...[...optimizer.stateDict().tensors].map(([, { data }]) => data as unknown as Uint8Array),
    ]),
    saved,
    refusals,
  }),
);
