// The models of the benchmarks as programs: those that bench/workloads.ts builds, at their real sizes for a full recording and
// with one or two layers for the fast set, and steps that need several ranks or a device setting.
import { compile, device, nn, optimizerStep, ResNet, SGD, type Tensor, tensor } from 'trenio';
import { bertInference, bertSizes, bertStep, gpt2Size, gpt2Step, mlpStep } from '../workloads.ts';
import { type DeviceSettings, recordPrograms } from './recording-device.ts';
import type { ReplayProgram } from './replay-program.ts';

const model = (
  name: string,
  sets: ReplayProgram['sets'],
  build: () => () => unknown,
  settings?: DeviceSettings,
): ReplayProgram => ({ name, sets, modules: () => recordPrograms(() => void build()(), settings) });

/** A training step of ResNet-18 (SGD with momentum). */
function resnetStep(batch: number, size: number): () => number {
  const network = new ResNet('resnet18').to(device()).train();
  const optimizer = new SGD(network.parameters(), { lr: 0.01, momentum: 0.9 });
  const images = tensor(new Float32Array(batch * 3 * size * size), { shape: [batch, 3, size, size] });
  const labels = tensor(new Array<number>(batch).fill(0), { dtype: 'i32' });
  const run = compile((x: Tensor, y: Tensor) => {
    const loss = nn.functional.crossEntropy(network.forward(x), y);
    loss.backward();
    optimizer.step();
    optimizer.zeroGrad();
    return loss;
  });
  return () => run(images, labels).item();
}

/** A step that averages gradients over ranks, clips them and marks the step, as in a training loop. */
function exchangingStep(): () => void {
  const network = new nn.Sequential(new nn.Linear(64, 48), new nn.ReLU(), new nn.Linear(48, 10)).to(device());
  const optimizer = new SGD(network.parameters(), { lr: 0.01, momentum: 0.9 });
  const input = tensor(new Float32Array(32 * 64), { shape: [32, 64] });
  const labels = tensor(new Array<number>(32).fill(0), { dtype: 'i32' });
  return () => {
    nn.functional.crossEntropy(network.forward(input), labels).backward();
    optimizerStep(optimizer, { maxGradNorm: 1 });
  };
}

const { base, small } = bertSizes;
const short = { ...small, batch: 4, config: { ...small.config, num_hidden_layers: 1 } };
const shortGpt2 = { ...gpt2Size, config: { vocab_size: 1000, n_layer: 1, n_embd: 96, n_head: 4 } };
const batchOf = (batch: number) => ({ batch, sequence: 128, config: base.config });
const mlp = [784, 512, 512, 10];
const autoCast = { autoCast: true };

export const modelPrograms: readonly ReplayProgram[] = [
  model('bert-base', ['all'], () => bertStep(base)),
  model('bert-base-bf16', ['all'], () => bertStep(base, 'bf16')),
  model('bert-base-auto-cast', ['all'], () => bertStep(base), autoCast),
  model('bert-base-inference-1', ['all'], () => bertInference(batchOf(1))),
  model('bert-base-inference-8', ['all'], () => bertInference(batchOf(8))),
  model('bert-small', ['all'], () => bertStep(small)),
  model('bert-small-bf16', ['all'], () => bertStep(small, 'bf16')),
  model('bert-small-inference', ['all'], () => bertInference(small)),
  model('bert-1-layer', ['all', 'fast'], () => bertStep(short)),
  model('bert-1-layer-bf16', ['all', 'fast'], () => bertStep(short, 'bf16')),
  model('bert-1-layer-inference', ['all', 'fast'], () => bertInference(short)),
  model('gpt2', ['all'], () => gpt2Step(gpt2Size)),
  model('gpt2-auto-cast', ['all'], () => gpt2Step(gpt2Size), autoCast),
  model('gpt2-1-layer', ['all', 'fast'], () => gpt2Step(shortGpt2)),
  model('mlp', ['all', 'fast'], () => mlpStep(mlp, 128)),
  model('mlp-auto-cast', ['all', 'fast'], () => mlpStep(mlp, 128), autoCast),
  model('mlp-small', ['all', 'fast'], () => mlpStep([64, 64, 64, 10], 32)),
  model('resnet18', ['all'], () => resnetStep(8, 224)),
  model('resnet18-auto-cast', ['all'], () => resnetStep(8, 224), autoCast),
  model('resnet18-tiny', ['all', 'fast'], () => resnetStep(2, 32)),
  model('ranks-2', ['all', 'fast'], exchangingStep, { worldSize: 2 }),
  model('ranks-4-auto-cast', ['all', 'fast'], exchangingStep, { worldSize: 4, autoCast: true }),
];
