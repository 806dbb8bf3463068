// A model's training step in separate processes, for bench/plan-local.ts: one reports the program, another takes steps on
// demand.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, device, nn, ResNet, SGD, type Tensor, tensor } from 'trenio';
import { peakResidentBytes } from '../src/base/peak-memory.ts';
import { type Module, mainOf, printModule } from '../src/hlo/index.ts';
import { bertSizes, bertStep, gpt2Size, gpt2Step, mlpStep } from './workloads.ts';

type Dtype = 'f32' | 'bf16';
const twoLayers = { ...bertSizes.base, config: { ...bertSizes.base.config, num_hidden_layers: 2 } };
const sizes = {
  'bert-small': dtype => bertStep(bertSizes.small, dtype),
  'bert-small-128': dtype => bertStep({ ...bertSizes.small, batch: 128 }, dtype),
  'bert-2-layers': dtype => bertStep(twoLayers, dtype),
  'bert-2-layers-2': dtype => bertStep({ ...twoLayers, batch: 2 }, dtype),
  'bert-base': dtype => bertStep(bertSizes.base, dtype),
  'bert-base-2': dtype => bertStep({ ...bertSizes.base, batch: 2 }, dtype),
  gpt2: dtype => gpt2Step(gpt2Size, dtype),
  'gpt2-1': dtype => gpt2Step({ ...gpt2Size, batch: 1 }, dtype),
  mlp: dtype => mlpStep([784, 512, 512, 10], 128, dtype),
  'mlp-4096': dtype => mlpStep([784, 512, 512, 10], 4096, dtype),
  resnet: dtype => resnetStep(8, dtype),
  'resnet-16': dtype => resnetStep(16, dtype),
} as const satisfies Readonly<Record<string, (dtype: Dtype) => () => number>>;
export type LocalModel = `${keyof typeof sizes}${'' | '-bf16'}`;
export const localModels = Object.keys(sizes).flatMap(name => [name, `${name}-bf16`]) as readonly LocalModel[];
export const build = (model: LocalModel): (() => number) =>
  model.endsWith('-bf16')
    ? sizes[model.slice(0, -'-bf16'.length) as keyof typeof sizes]('bf16')
    : sizes[model as keyof typeof sizes]('f32');

/** ResNet-18, SGD with momentum. */
function resnetStep(batch: number, dtype: Dtype): () => number {
  const model = new ResNet('resnet18').to(device()).to(dtype).train();
  if (dtype === 'bf16') device().setRounding({ mode: 'stochastic' });
  const optimizer = new SGD(model.parameters(), { lr: 0.01, momentum: 0.9 });
  const pixels = Float32Array.from({ length: batch * 3 * 224 * 224 }, (_, i) => Math.sin(i));
  const images = tensor(pixels, { shape: [batch, 3, 224, 224] }).to(dtype);
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
  return () => run(images, labels).item();
}

/** Messages to the parent: the file with the step's program; ready for steps; the time of a step. */
export type StepMessage =
  | { readonly kind: 'program'; readonly file: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'step'; readonly ms: number; readonly peakBytes: number };

const [mode, model] = process.argv.slice(2);
const tell = (message: StepMessage): boolean => process.send!(message);

// Compiles the step and stores its program, in a separate process, because both take memory that training does not.
if (process.send !== undefined && mode === '--program') {
  const { backend } = device();
  const compileModule = backend.compile.bind(backend);
  let largest: Module | undefined;
  backend.compile = module => {
    const count = (m: Module): number => mainOf(m).body.ops.length;
    if (largest === undefined || count(module) > count(largest)) largest = module;
    return compileModule(module);
  };
  build(model as LocalModel)();
  const file = join(mkdtempSync(join(tmpdir(), 'trenio-plan-local-')), 'step.mlir');
  writeFileSync(file, printModule(largest!));
  tell({ kind: 'program', file });
  process.disconnect();
}
if (process.send !== undefined && mode === '--steps') {
  const step = build(model as LocalModel);
  for (let i = 0; i < 3; i++) step();
  process.on('message', () => {
    const from = performance.now();
    step();
    const ms = performance.now() - from;
    tell({ kind: 'step', ms, peakBytes: peakResidentBytes() });
  });
  tell({ kind: 'ready' });
}
