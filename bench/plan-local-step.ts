// A model's training step in processes of its own, for bench/plan-local.ts: one tells its program, another takes steps on
// demand.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, device, nn, ResNet, SGD, type Tensor, tensor } from 'trenio';
import { type Module, mainOf, printModule } from '../src/hlo/index.ts';
import { bertSizes, bertStep, gpt2Size, gpt2Step, mlpStep } from './workloads.ts';

const builders = {
  'bert-small': () => bertStep(bertSizes.small),
  'bert-small-bf16': () => bertStep(bertSizes.small, 'bf16'),
  'bert-base': () => bertStep(bertSizes.base),
  'bert-base-bf16': () => bertStep(bertSizes.base, 'bf16'),
  'bert-small-128': () => bertStep({ ...bertSizes.small, batch: 128 }),
  'bert-small-128-bf16': () => bertStep({ ...bertSizes.small, batch: 128 }, 'bf16'),
  'bert-base-2': () => bertStep({ ...bertSizes.base, batch: 2 }),
  'bert-base-2-bf16': () => bertStep({ ...bertSizes.base, batch: 2 }, 'bf16'),
  gpt2: () => gpt2Step(gpt2Size),
  'gpt2-bf16': () => gpt2Step(gpt2Size, 'bf16'),
  mlp: () => mlpStep([784, 512, 512, 10], 128),
  resnet: () => resnetStep(),
};
export type LocalModel = keyof typeof builders;
export const localModels = Object.keys(builders) as readonly LocalModel[];

/** ResNet-18 on eight images, SGD with momentum. */
function resnetStep(): () => number {
  const model = new ResNet('resnet18').to(device()).train();
  const optimizer = new SGD(model.parameters(), { lr: 0.01, momentum: 0.9 });
  const pixels = Float32Array.from({ length: 8 * 3 * 224 * 224 }, (_, i) => Math.sin(i));
  const images = tensor(pixels, { shape: [8, 3, 224, 224] });
  const labels = tensor(
    Array.from({ length: 8 }, (_, i) => (i * 7) % 1000),
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

/** To the parent: the file that holds the step's program; that steps can be taken; what one of them took. */
export type StepMessage =
  | { readonly kind: 'program'; readonly file: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'step'; readonly ms: number; readonly residentBytes: number };

const [mode, model] = process.argv.slice(2);
const tell = (message: StepMessage): boolean => process.send!(message);

// Compiles the step and writes its program down: in a process of its own, as both take memory that training does not.
if (process.send !== undefined && mode === '--program') {
  const { backend } = device();
  const compileModule = backend.compile.bind(backend);
  let largest: Module | undefined;
  backend.compile = module => {
    const count = (m: Module): number => mainOf(m).body.ops.length;
    if (largest === undefined || count(module) > count(largest)) largest = module;
    return compileModule(module);
  };
  builders[model as LocalModel]()();
  const file = join(mkdtempSync(join(tmpdir(), 'trenio-plan-local-')), 'step.mlir');
  writeFileSync(file, printModule(largest!));
  tell({ kind: 'program', file });
  process.disconnect();
}
if (process.send !== undefined && mode === '--steps') {
  const step = builders[model as LocalModel]();
  for (let i = 0; i < 3; i++) step();
  process.on('message', () => {
    const from = performance.now();
    step();
    tell({ kind: 'step', ms: performance.now() - from, residentBytes: process.memoryUsage.rss() });
  });
  tell({ kind: 'ready' });
}
