// The Trainer compared with transformers' (test/golden/trainer.json, written by make-trainer-golden.py); callbacks, adapters,
// checkpoints that resume with the same bits, and invalid options.
import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { TensorDataset } from '../../data/index.ts';
import {
  AutoModelForSequenceClassification,
  accuracy,
  addAdapter,
  BertForSequenceClassification,
  LoraConfig,
  readSafetensors,
} from '../../models/index.ts';
import { Dropout, functional as F, Linear, Sequential } from '../../nn/index.ts';
import { device, manualSeed, noGrad, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { earlyStopping, type TrainerCallback } from './callbacks.ts';
import { Trainer, type TrainerSetup } from './trainer.ts';
import { TrainingArguments } from './training-options.ts';

interface Golden {
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly weight: readonly (readonly number[])[];
  readonly cases: readonly {
    readonly options: Readonly<Record<string, number>>;
    readonly history: readonly Readonly<Record<string, number>>[];
    readonly training_loss: number;
    readonly weight: readonly (readonly number[])[];
  }[];
}
const golden = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../test/golden/trainer.json', import.meta.url)), 'utf8'),
) as Golden;

beforeEach(() => setDefaultDevice(device('interpreter')));
const data = (count = golden.x.length) =>
  new TensorDataset(tensor(golden.x.slice(0, count)), tensor(golden.y.slice(0, count), { dtype: 'int64' }));
type Batch = [Tensor, Tensor];

const loss = (model: { forward(x: Tensor): Tensor }, [x, y]: Batch): Tensor => F.crossEntropy(model.forward(x), y);
function linear(): Linear {
  const model = new Linear(3, 2);
  noGrad(() => {
    model.weight.copy_(tensor(golden.weight));
    model.bias!.zero_();
  });
  return model;
}
const trainerOf = (args: TrainingArguments, more: object = {}) =>
  new Trainer({
    model: linear(),
    trainDataset: data(),
    computeLoss: loss as never,
    args,
    print: () => {},
    ...more,
  } as unknown as TrainerSetup<Linear, unknown, Batch>);

test.each(golden.cases)('logs and weights of transformers: $options', async one => {
  const args = Object.fromEntries(
    Object.entries(one.options).map(([name, value]) => [
      name.replace(/_(.)/g, (_, c: string) => c.toUpperCase()),
      value,
    ]),
  );
  const trainer = trainerOf(
    { ...args, shuffle: false, perDeviceEvalBatchSize: 5 },
    {
      evalDataset: data(7),
      predict: (model: Linear, [x, labels]: Batch) => ({ predictions: model.forward(x).argmax(-1), labels }),
      computeMetrics: ({ predictions, labels }: Record<string, number[]>) => ({
        accuracy: accuracy(predictions!, labels!),
      }),
    },
  );
  const { trainingLoss } = await trainer.train();
  expect(Math.abs(trainingLoss - one.training_loss)).toBeLessThan(1e-6);
  const { logHistory } = trainer.state;
  expect(logHistory.map(entry => Object.keys(entry).sort())).toEqual(
    one.history.map(entry => Object.keys(entry).sort()),
  );
  for (const [i, entry] of one.history.entries())
    for (const [name, value] of Object.entries(entry)) expect(logHistory[i]![name], name).toBeCloseTo(value, 5);
  const got = trainer as unknown as { readonly optimizer: { parameters(): Tensor[] } };
  const weight = got.optimizer.parameters()[0]!.toArray() as number[][];
  for (const [i, row] of one.weight.entries())
    for (const [j, value] of row.entries()) expect(weight[i]![j]).toBeCloseTo(value, 5);
});

const withDropout = () => {
  manualSeed(5);
  return new Sequential(new Linear(3, 8), new Dropout(0.3), new Linear(8, 2));
};
const bits = (model: Sequential): unknown => [...model.parameters()].map(one => [...(one.data as Float32Array)]);

test.each([4, 5, 6])('a training that ends after step %i and resumes has the same bits', async stopAt => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-trainer-'));
  const args = {
    numTrainEpochs: 3,
    perDeviceTrainBatchSize: 3,
    learningRate: 0.01,
    loggingSteps: 2,
    evalSteps: 'epoch',
  };
  const run = async (more: object, options = {}) => {
    const model = withDropout();
    const trainer = trainerOf({ ...args, ...more } as TrainingArguments, { model, evalDataset: data(7), ...options });
    await trainer.train({ resumeFromCheckpoint: true });
    return { bits: bits(model), evaluations: trainer.state.logHistory.filter(entry => 'eval_loss' in entry) };
  };
  const whole = await run({});
  const stop: TrainerCallback = { onStepEnd: ({ globalStep }) => ({ shouldTrainingStop: globalStep === stopAt }) };
  await run({ outputDir: folder.path }, { callbacks: [stop] });
  const resumed = await run({ outputDir: folder.path });
  expect(resumed).toEqual(whole);
  expect(whole.evaluations.map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
});

test('callbacks, in the order of the loop', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-trainer-'));
  const called: string[] = [];
  const names = [
    'onTrainBegin',
    'onEpochBegin',
    'onStepBegin',
    'onStepEnd',
    'onLog',
    'onEvaluate',
    'onSave',
    'onEpochEnd',
    'onTrainEnd',
  ];
  const callback = Object.fromEntries(names.map(name => [name, () => void called.push(name)]));
  const args = { maxSteps: 2, perDeviceTrainBatchSize: 9, loggingSteps: 1, evalSteps: 2, saveSteps: 2 };
  await trainerOf({ ...args, outputDir: folder.path }, { evalDataset: data(), callbacks: [callback] }).train();
  const step = ['onStepBegin', 'onStepEnd', 'onLog'];
  const last = ['onEvaluate', 'onSave', 'onEpochEnd', 'onTrainEnd'];
  expect(called).toEqual(['onTrainBegin', 'onEpochBegin', ...step, ...step, ...last]);
});

test('early stopping; requests of callbacks', async () => {
  const evaluations: number[] = [];
  const ask: TrainerCallback = {
    onStepEnd: ({ globalStep }) => ({ shouldEvaluate: globalStep % 2 === 1 }),
    onEvaluate: ({ globalStep }) => void evaluations.push(globalStep),
  };
  const stop = earlyStopping({ patience: 2, greaterIsBetter: true }); // the loss falls: that is no improvement here
  const trainer = trainerOf({ numTrainEpochs: 9, learningRate: 0.01 }, { evalDataset: data(), callbacks: [ask, stop] });
  expect((await trainer.train()).globalStep).toBe(5);
  expect(evaluations).toEqual([1, 3, 5]);
});

test('of a model with an adapter, only that is trained', async () => {
  const model = withDropout();
  const before = bits(model);
  addAdapter(model, { target_modules: ['0'], r: 2 });
  await trainerOf({ maxSteps: 3, learningRate: 0.1 }, { model }).train();
  const frozen = [...model.namedParameters()].filter(([name]) => !name.includes('lora'));
  expect(frozen.map(([, one]) => [...(one.data as Float32Array)])).toEqual(before);
  const trained = [...model.namedParameters()].find(([name]) => name.includes('lora_B'))![1];
  expect(Math.max(...(trained.data as Float32Array))).toBeGreaterThan(0);
});

const rows = Array.from({ length: 12 }, (_, i) => ({ inputIds: [2 + (i % 4), 3, 4], label: i % 2 }));
const classifier = () => {
  const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
  manualSeed(3);
  return new BertForSequenceClassification(sizes);
};

test('arrays of examples, the loss of the model, shares of warm-up; the model is saved', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-trainer-'));
  const args = { maxSteps: 4, warmupRatio: 0.5, loggingSteps: 1, outputDir: folder.path, perDeviceTrainBatchSize: 4 };
  const model = classifier();
  const setup = { trainDataset: rows, evalDataset: rows, args, print: () => {} };
  const trainer = new Trainer({ model, ...setup });
  await trainer.train();
  const rates = trainer.state.logHistory.map(({ learning_rate: rate }) => Number(((rate ?? 0) * 1e5).toFixed(3)));
  expect(rates).toEqual([0, 2.5, 5, 2.5]);
  const { eval_loss: loss } = await trainer.evaluate();
  await trainer.saveModel();
  const reread = await BertForSequenceClassification.fromPretrained(folder.path);
  expect(await new Trainer({ model: reread, ...setup }).evaluate()).toEqual({ eval_loss: loss });
});

test('saveModel writes an adapter, or the state of a module', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-trainer-'));
  const [adapted, plain] = [join(folder.path, 'a'), join(folder.path, 'b')];
  const model = classifier();
  addAdapter(model, { targetModules: ['query'], loraAlpha: 16, r: 2 });
  await new Trainer({ model, trainDataset: rows, args: { maxSteps: 1 } }).saveModel(adapted);
  expect(JSON.parse(readFileSync(join(adapted, 'adapter_config.json'), 'utf8'))).toMatchObject({
    lora_alpha: 16,
    r: 2,
  });
  await trainerOf({ maxSteps: 1 }).saveModel(plain);
  expect([...(await readSafetensors(join(plain, 'model.safetensors'))).keys()]).toEqual(['bias', 'weight']);
  await expect(trainerOf({ maxSteps: 1 }).saveModel()).rejects.toThrow('outputDir is undefined, expected a directory');
});

test('without computeLoss, a model that returns no loss is refused', async () => {
  const training = trainerOf({ maxSteps: 1 }, { computeLoss: undefined }).train();
  await expect(training).rejects.toThrow('computeLoss is undefined, expected a function');
});

test.each<[TrainingArguments, string]>([
  [{ warmupRatio: 2 }, 'warmupRatio is 2, expected a share from 0 to 1'],
  [{ warmupRatio: 0.5, warmupSteps: 3 }, 'warmupRatio is 0.5, expected 0, because warmupSteps is 3'],
  [{ maxStep: 3 } as never, 'maxStep'],
  [{ maxSteps: 0 }, 'maxSteps is 0, expected an integer, 1 or more'],
  [{ learningRate: -1 }, 'learningRate is -1, expected a number above 0'],
  [{ evalSteps: 2 }, 'evalSteps is 2, expected not set, or an evalDataset'],
  [{ lrSchedulerType: 'steps' as never }, 'lrSchedulerType is steps, expected one of linear, cosine'],
  [{ perDeviceTrainBatchSize: 20 }, '18'],
])('invalid options: %j', (args, message) => {
  expect(() => trainerOf(args)).toThrow(message);
});

test('lines of transformers and PEFT: TrainingArguments with strategies, LoraConfig, numLabels', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-trainer-'));
  await classifier().savePretrained(folder.path);
  const model = await AutoModelForSequenceClassification.fromPretrained(folder.path, { numLabels: 2 });
  addAdapter(model, new LoraConfig({ r: 2, loraAlpha: 4, targetModules: ['query'], taskType: 'SEQ_CLS' }));
  const args = new TrainingArguments({
    ...{ outputDir: folder.path, numTrainEpochs: 2, perDeviceTrainBatchSize: 6, loggingSteps: 1 },
    ...{ evalStrategy: 'epoch', saveStrategy: 'no', reportTo: 'none' },
  });
  const trainer = new Trainer({ model, args, trainDataset: rows, evalDataset: rows, print: () => {} });
  await trainer.train();
  const evaluated = trainer.state.logHistory.filter(entry => 'eval_loss' in entry);
  expect(evaluated.map(({ step }) => step)).toEqual([2, 4]);
  expect(existsSync(join(folder.path, 'checkpoints'))).toBe(false);
  expect(() => new TrainingArguments({ saveStrategy: 'best' as never })).toThrow('no, steps, epoch');
  expect(() => new TrainingArguments({ reportTo: 'wandb' as never })).toThrow('callback');
});
