// Arguments that JavaScript may pass and TypeScript would reject: each raises an error that names the call and the expected
// argument.
import { beforeAll, expect, test } from 'vitest';
import * as trenio from '../index.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, setDefaultDevice } from '../tensor/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: these calls must be untyped
const { nn, tensor, zeros, full, stack, where, AdamW, SGD, ...t } = trenio as any;
const dev = new Device(new InterpreterBackend(), { seed: 3, log: () => {} });
beforeAll(() => setDefaultDevice(dev));
const model = () => new nn.Linear(3, 2);
const x = () => tensor([[1, 2, 3]]);

test.each<[string, () => unknown]>([
  ['Linear.to: the target is the number 0, expected a device or a data type', () => model().to(0)],
  ['Linear.to: the target is undefined', () => model().to()],
  [
    'Linear.to: the target is the text "gpu", expected a device or a data type\n  fix: give device(): it runs on the cores',
    () => model().to('gpu'),
  ],
  ['fix: give device(): it runs on the cores of this machine', () => x().to('cuda:0')],
  ["unknown data type 'float99'", () => x().to('float99')],
  ['tensor.to: the target is an object', () => x().to({})],
  [
    'linear: input is an array, expected a tensor\n  fix: make a tensor of it with tensor(data)',
    () => model().forward([[1, 2, 3]]),
  ],
  ['add: other is the text "1", expected a tensor or a number', () => x().add('1')],
  ['add: other is null', () => x().add_(null)],
  ['matmul: other is the number 2, expected a tensor', () => x().matmul(2)],
  ['where: condition is the boolean true, expected a tensor', () => x().where(true, 0)],
  ['where: condition is the number 1', () => where(1, 2, 3)],
  ['stack: tensors is undefined, expected an array of tensors', () => stack()],
  ['sum: dim is the text "0", expected a dim or an array of dims', () => x().sum('0')],
  ['fill: value is the text "a", expected a tensor or a number', () => x().fill_('a')],
  ['the new value is not a tensor', () => x().assign_([1])],
  ['full: size is the number 3, expected an array of sizes, such as [2, 3]', () => full(3, 0)],
  ["zeros: unknown argument 'dtypes'\n  fix: did you mean dtype?", () => zeros(3, { dtypes: 'f32' })],
  ['full: fillValue is undefined, expected a number', () => full([2])],
  ['tensor: the device is the number 0, expected a device', () => tensor([1], { device: 0 })],
  ['arange: start is undefined, expected a number', () => t.arange()],
  ["device: the name is the number 0, expected 'cpu' or 'interpreter'", () => t.device(0)],
  ['fix: give a device, such as device()', () => t.setDefaultDevice(3)],
  ['noGrad: its argument is 3, expected a function', () => t.noGrad(3)],
  ['compile: its argument is the number 3, expected a function', () => t.compile(3)],
  ['manualSeed: the seed is the text "a"', () => t.manualSeed('a')],
  ['Linear: inFeatures is undefined, expected an integer of at least 1', () => new nn.Linear()],
  ['Sequential: an entry is an array, expected a module', () => new nn.Sequential([model()])],
  ['crossEntropy: target is an array, expected a tensor', () => nn.functional.crossEntropy(x(), [0])],
  [
    "mseLoss: reduction is the text \"avg\", expected 'mean' or 'sum' or 'none'",
    () => nn.functional.mseLoss(x(), x(), { reduction: 'avg' }),
  ],
  [
    'AdamW: the list of parameters is a Linear, expected parameters\n  fix: give model.parameters()',
    () => new AdamW(model()),
  ],
  ['AdamW: a parameter is the number 1, expected a tensor', () => new AdamW([1])],
  ['AdamW: the list of parameters is undefined', () => new AdamW([{ params: undefined }])],
  [
    "AdamW: unknown argument 'learningRate'\n  fix: use one of lr, betas, eps, weightDecay,",
    () => new AdamW(model().parameters(), { learningRate: 1 }),
  ],
  ['SGD: the list of parameters is a Tensor, expected parameters', () => new SGD(x(), 0.1)],
  ['AdamW: lr is the text "1", expected a number', () => new AdamW(model().parameters(), { lr: '1' })],
  ['AdamW: betas is the number 0.9, expected two numbers', () => new AdamW(model().parameters(), { betas: 0.9 })],
  ['optimizerStep: the optimizer is a Linear, expected an optimizer', () => t.optimizerStep(model())],
  ['clipGradNorm_: the list of parameters is a Linear', () => t.clipGradNorm_(model(), 1)],
  ['GradScaler.scale: the loss is the number 1, expected a tensor', () => new t.GradScaler().scale(1)],
  ['StepLR: the optimizer is null', () => new t.optim.StepLR(null, { stepSize: 3 })],
  ['DeviceLoader: the device is undefined, expected a device', () => new t.DeviceLoader([[1]])],
  ['DeviceLoader: the source is the number 5, expected an iterable of batches', () => new t.DeviceLoader(5, dev)],
])('%s', (text, call) => {
  let told = 'nothing';
  try {
    call();
  } catch (error) {
    told = `${error}`.replace(/\n {2}at .*/, '');
  }
  expect(told).toContain(text);
});
