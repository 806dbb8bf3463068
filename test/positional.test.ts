// Arguments in PyTorch's order give what the same arguments by name give: each constructor and function with optional
// arguments, with values that differ from the defaults.
import { expect, test } from 'vitest';
import * as trenio from '../src/index.ts';
import { InterpreterBackend } from '../src/runtime/backends/interpreter/interpreter-backend.ts';
import { Device, manualSeed, setDefaultDevice, Tensor } from '../src/tensor/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: the calls come from tables
type Any = any;
const { nn, optim, tensor, ones, ...t } = trenio as Any;
const F = nn.functional;
const dev = new Device(new InterpreterBackend(), { seed: 3, log: () => {} });
setDefaultDevice(dev);

const parameter = () => new nn.Parameter(ones(2, 2));
const sgd = () => new optim.SGD([parameter()], { lr: 1, momentum: 0.9 });
const scale = (k: number) => (x: number) => k * x;
const half = scale(0.5);

/** The path in the namespace, the arguments before the optional ones, and these by name in PyTorch's order. */
type Row = readonly [path: string, first: readonly unknown[] | (() => readonly unknown[]), options: object];
const adam = { lr: 0.2, betas: [0.5, 0.6], eps: 0.1, weightDecay: 0.3, amsgrad: true };
const constructors: readonly Row[] = [
  ['optim.SGD', () => [[parameter()]], { lr: 0.2, momentum: 0.5, dampening: 0, weightDecay: 0.3, nesterov: true }],
  ['optim.Adam', () => [[parameter()]], adam],
  ['optim.AdamW', () => [[parameter()]], adam],
  [
    'optim.Adagrad',
    () => [[parameter()]],
    { lr: 0.2, lrDecay: 0.1, weightDecay: 0.3, initialAccumulatorValue: 0.4, eps: 0.5 },
  ],
  ['optim.Adadelta', () => [[parameter()]], { lr: 0.2, rho: 0.5, eps: 0.1, weightDecay: 0.3 }],
  ['optim.Adafactor', () => [[parameter()]], { lr: 0.2, beta2Decay: -0.5, eps: [0.1, 0.2], d: 2, weightDecay: 0.3 }],
  ['optim.Adamax', () => [[parameter()]], { lr: 0.2, betas: [0.5, 0.6], eps: 0.1, weightDecay: 0.3 }],
  ['optim.AdamW8bit', () => [[parameter()]], { lr: 0.2, betas: [0.5, 0.6], eps: 0.1, weightDecay: 0.3 }],
  ['optim.LAMB', () => [[parameter()]], { lr: 0.2, betas: [0.5, 0.6], eps: 0.1, weightDecay: 0.3 }],
  [
    'optim.LBFGS',
    () => [[parameter()]],
    {
      lr: 0.2,
      maxIter: 3,
      maxEval: 4,
      toleranceGrad: 0.1,
      toleranceChange: 0.2,
      historySize: 5,
      lineSearchFn: 'strong_wolfe',
    },
  ],
  ['optim.Lion', () => [[parameter()]], { lr: 0.2, betas: [0.5, 0.6], weightDecay: 0.3 }],
  [
    'optim.Muon',
    () => [[parameter()]],
    {
      lr: 0.2,
      weightDecay: 0.3,
      momentum: 0.5,
      nesterov: false,
      nsCoefficients: [1, 2, 3],
      eps: 0.1,
      nsSteps: 2,
      adjustLrFn: 'original',
    },
  ],
  [
    'optim.NAdam',
    () => [[parameter()]],
    { lr: 0.2, betas: [0.5, 0.6], eps: 0.1, weightDecay: 0.3, momentumDecay: 0.4, decoupledWeightDecay: true },
  ],
  [
    'optim.RAdam',
    () => [[parameter()]],
    { lr: 0.2, betas: [0.5, 0.6], eps: 0.1, weightDecay: 0.3, decoupledWeightDecay: true },
  ],
  [
    'optim.RMSprop',
    () => [[parameter()]],
    { lr: 0.2, alpha: 0.5, eps: 0.1, weightDecay: 0.3, momentum: 0.4, centered: true },
  ],
  ['optim.StepLR', () => [sgd()], { stepSize: 5, gamma: 0.5 }],
  ['optim.MultiStepLR', () => [sgd()], { milestones: [2, 5], gamma: 0.5 }],
  ['optim.ConstantLR', () => [sgd()], { factor: 0.5, totalIters: 2 }],
  ['optim.LinearLR', () => [sgd()], { startFactor: 0.5, endFactor: 0.9, totalIters: 2 }],
  ['optim.ExponentialLR', () => [sgd()], { gamma: 0.5 }],
  ['optim.PolynomialLR', () => [sgd()], { totalIters: 3, power: 2 }],
  ['optim.CosineAnnealingLR', () => [sgd()], { tMax: 4, etaMin: 0.1 }],
  ['optim.CosineAnnealingWarmRestarts', () => [sgd()], { t0: 3, tMult: 2, etaMin: 0.1 }],
  [
    'optim.CyclicLR',
    () => [sgd()],
    {
      baseLr: 0.1,
      maxLr: 0.5,
      stepSizeUp: 3,
      stepSizeDown: 4,
      mode: 'exp_range',
      gamma: 0.9,
      scaleFn: half,
      scaleMode: 'iterations',
      cycleMomentum: true,
      baseMomentum: 0.6,
      maxMomentum: 0.8,
    },
  ],
  [
    'optim.OneCycleLR',
    () => [sgd()],
    {
      maxLr: 0.5,
      totalSteps: 10,
      epochs: null,
      stepsPerEpoch: null,
      pctStart: 0.4,
      annealStrategy: 'linear',
      cycleMomentum: true,
      baseMomentum: 0.6,
      maxMomentum: 0.8,
      divFactor: 5,
      finalDivFactor: 50,
      threePhase: true,
    },
  ],
  [
    'optim.ReduceLROnPlateau',
    () => [sgd()],
    {
      mode: 'max',
      factor: 0.5,
      patience: 2,
      threshold: 0.1,
      thresholdMode: 'abs',
      cooldown: 1,
      minLr: 0.01,
      eps: 0.001,
    },
  ],
  ['optim.SWALR', () => [sgd()], { swaLr: 0.5, annealEpochs: 3, annealStrategy: 'linear' }],
  ['optim.LambdaLR', () => [sgd(), half], {}],
  ['RandomSampler', [[1, 2, 3, 4]], { replacement: true, numSamples: 2 }],
  ['WeightedRandomSampler', [[1, 2, 3], 2], { replacement: false }],
  ['DistributedSampler', [[1, 2, 3, 4, 5]], { numReplicas: 2, rank: 1, shuffle: true, seed: 4, dropLast: true }],
  ['BatchSampler', () => [new t.SequentialSampler([1, 2, 3])], { batchSize: 2, dropLast: true }],
  ['nn.Dropout', [], { p: 0.2, inplace: true }],
  ['nn.Conv2d', [2, 4, 3], { stride: 2, padding: 1, dilation: 2, groups: 2, bias: false, paddingMode: 'reflect' }],
  ['nn.ConvTranspose2d', [2, 4, 3], { stride: 2, padding: 1, outputPadding: 1, groups: 2, bias: false, dilation: 2 }],
  ['nn.Linear', [2, 3], { bias: false }],
  ['nn.Bilinear', [2, 3, 4], { bias: false }],
  ['nn.LayerNorm', [4], { eps: 0.1, elementwiseAffine: true, bias: false }],
  ['nn.RMSNorm', [4], { eps: 0.1, elementwiseAffine: false }],
  ['nn.GroupNorm', [2, 4], { eps: 0.1, affine: false }],
  ['nn.BatchNorm2d', [4], { eps: 0.1, momentum: 0.2, affine: false, trackRunningStats: false }],
  ['nn.Embedding', [5, 3], { paddingIdx: 1, maxNorm: 2, normType: 1, scaleGradByFreq: true }],
  ['nn.EmbeddingBag', [5, 3], { maxNorm: 2, normType: 1, scaleGradByFreq: true, mode: 'sum' }],
  ['nn.LSTM', [3, 4], { numLayers: 2, bias: false, batchFirst: true, dropout: 0.1, bidirectional: true, projSize: 2 }],
  ['nn.GRU', [3, 4], { numLayers: 2, bias: false, batchFirst: true, dropout: 0.1, bidirectional: true }],
  [
    'nn.RNN',
    [3, 4],
    { numLayers: 2, nonlinearity: 'relu', bias: false, batchFirst: true, dropout: 0.1, bidirectional: true },
  ],
  ['nn.LSTMCell', [3, 4], { bias: false }],
  [
    'nn.MultiheadAttention',
    [4, 2],
    { dropout: 0.1, bias: false, addBiasKv: true, addZeroAttn: true, kdim: 3, vdim: 5, batchFirst: true },
  ],
  [
    'nn.TransformerEncoderLayer',
    [4, 2],
    {
      dimFeedforward: 8,
      dropout: 0.2,
      activation: 'gelu',
      layerNormEps: 0.1,
      batchFirst: true,
      normFirst: true,
      bias: false,
    },
  ],
  ['nn.MaxPool2d', [3], { stride: 2, padding: 1, dilation: 2, returnIndices: false, ceilMode: true }],
  ['nn.AvgPool2d', [3], { stride: 2, padding: 1, ceilMode: true, countIncludePad: false }],
  ['nn.Upsample', [], { size: [4, 4] }],
  ['nn.Unfold', [2], { dilation: 2, padding: 1, stride: 2 }],
  ['nn.PReLU', [], { numParameters: 3, init: 0.1 }],
  ['nn.LeakyReLU', [], { negativeSlope: 0.2, inplace: true }],
];
const x4 = () =>
  tensor([
    [
      [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [9, 10, 11, 12],
        [13, 14, 15, 16],
      ],
    ],
  ]);
const seq = () => [tensor([1, 2, 3]), tensor([4, 5])];
const qkv = () =>
  [0, 1, 2].map(i =>
    tensor([
      [
        [1 + i, 2],
        [3, 4 - i],
      ],
    ]),
  );
const functions: readonly Row[] = [
  ['nn.functional.dropout', () => [ones(50)], { p: 0.2, training: true, inplace: false }],
  ['nn.functional.dropout', () => [ones(50)], { p: 0.2, training: false }],
  ['nn.functional.dropout2d', () => [ones(1, 8, 2, 2)], { p: 0.2, training: true }],
  ['nn.functional.alphaDropout', () => [ones(50)], { p: 0.2, training: true }],
  [
    'nn.functional.scaledDotProductAttention',
    qkv,
    {
      attnMask: tensor([
        [0, -1],
        [-2, 0],
      ]),
      dropoutP: 0,
      isCausal: false,
      scale: 0.3,
    },
  ],
  ['nn.functional.scaledDotProductAttention', qkv, { attnMask: undefined, dropoutP: 0, isCausal: true, scale: 0.3 }],
  [
    'nn.functional.embedding',
    () => [tensor([1, 0], { dtype: 'i64' }), ones(3, 2)],
    { paddingIdx: 1, maxNorm: 1, normType: 1 },
  ],
  [
    'nn.functional.embeddingBag',
    () => [tensor([[1, 0]], { dtype: 'i64' }), ones(3, 2), null],
    {
      maxNorm: 1,
      normType: 1,
      scaleGradByFreq: false,
      mode: 'sum',
      sparse: false,
      perSampleWeights: tensor([[2, 3]]),
      includeLastOffset: false,
      paddingIdx: 0,
    },
  ],
  ['nn.functional.interpolate', () => [x4()], { size: null, scaleFactor: 2, mode: 'bilinear', alignCorners: true }],
  ['nn.functional.interpolate', () => [x4()], { size: [2, 2] }],
  ['nn.functional.upsampleNearest', () => [x4()], { size: [2, 2] }],
  ['nn.functional.pad', () => [x4(), [1, 1]], { mode: 'reflect' }],
  ['nn.functional.pad', () => [x4(), [1, 1]], { mode: 'constant', value: 3 }],
  [
    'nn.functional.gridSample',
    () => [
      x4(),
      tensor([
        [
          [
            [0.9, -0.2],
            [1.5, 0.1],
          ],
        ],
      ]),
    ],
    { mode: 'nearest', paddingMode: 'border', alignCorners: true },
  ],
  [
    'nn.functional.affineGrid',
    () => [
      tensor([
        [
          [1, 0, 0],
          [0, 1, 0],
        ],
      ]),
      [1, 1, 2, 2],
    ],
    { alignCorners: true },
  ],
  ['nn.functional.localResponseNorm', () => [x4(), 1], { alpha: 0.5, beta: 0.5, k: 2 }],
  ['nn.functional.unfold', () => [x4(), 2], { dilation: 2, padding: 1, stride: 2 }],
  ['nn.functional.fold', () => [ones(1, 4, 4), [3, 3], 2], { dilation: 1, padding: 0, stride: 1 }],
  ['nn.functional.maxPool2d', () => [x4(), 2], { stride: 1, padding: 1 }],
  ['nn.functional.avgPool2d', () => [x4(), 2], { stride: 1, padding: 1, ceilMode: true, countIncludePad: false }],
  ['nn.functional.elu_', () => [tensor([-1, 2])], { alpha: 2 }],
  ['nn.functional.leakyRelu_', () => [tensor([-1, 2])], { negativeSlope: 0.3 }],
  [
    'nn.functional.linearCrossEntropy',
    () => [ones(1, 2), ones(3, 2), tensor([1], { dtype: 'i64' })],
    { linearBias: tensor([1, 2, 3]) },
  ],
  ['nn.utils.rnn.padSequence', () => [seq()], { batchFirst: true, paddingValue: 9, paddingSide: 'left' }],
  [
    'nn.utils.rnn.packPaddedSequence',
    () => [
      tensor([
        [1, 2, 0],
        [4, 5, 6],
      ]),
      [2, 3],
    ],
    { batchFirst: true, enforceSorted: false },
  ],
  [
    'nn.utils.rnn.padPackedSequence',
    () => [nn.utils.rnn.packSequence(seq())],
    { batchFirst: true, paddingValue: 9, totalLength: 5 },
  ],
  ['nn.utils.rnn.packSequence', () => [seq().reverse()], { enforceSorted: false }],
  ['nn.init.uniform_', () => [t.empty(5)], { a: 2, b: 3 }],
  ['nn.init.normal_', () => [t.empty(5)], { mean: 2, std: 3 }],
  ['nn.init.truncNormal_', () => [t.empty(5)], { mean: 2, std: 3, a: 1, b: 4 }],
  ['nn.init.kaimingUniform_', () => [t.empty(5, 2)], { a: 0.3, mode: 'fan_out', nonlinearity: 'leaky_relu' }],
  ['nn.init.xavierUniform_', () => [t.empty(5, 2)], { gain: 3 }],
  ['nn.init.orthogonal_', () => [t.empty(3, 2)], { gain: 3 }],
  ['nn.init.sparse_', () => [t.empty(3, 2), 0.3], { std: 3 }],
  ['clipGradNorm_', () => [gradients()], { maxNorm: 1, normType: 1, errorIfNonfinite: true }],
  ['optim.getTotalNorm', () => [[tensor([3, 4])]], { normType: 1, errorIfNonfinite: true }],
];
function gradients() {
  const p = parameter();
  p.mul(3).sum().backward();
  return [p];
}

const at = (path: string): Any => path.split('.').reduce((from: Any, name) => from[name], { ...trenio });
const argumentsOf = (first: Row[1]): readonly unknown[] => (typeof first === 'function' ? first() : first);

/** A result in comparable form: elements, settings, state, printed form. */
function shown(value: Any): unknown {
  if (value instanceof Tensor) return [value.dtype, value.shape, value.toArray()];
  if (Array.isArray(value)) return value.map(shown);
  if (value instanceof nn.utils.rnn.PackedSequence) return [shown(value.data), value.batchSizes, value.sortedIndices];
  if (value instanceof optim.Optimizer) return value.groupSettings();
  if (value instanceof nn.Module) return [String(value), [...value.stateDict()].map(([k, v]) => [k, v.type])];
  if (typeof value?.stateDict === 'function') return [value.stateDict(), value.getLastLr()];
  return typeof value === 'object' && Symbol.iterator in value ? [[...value], { ...value }] : value;
}
const seeded = (body: () => unknown): unknown => {
  manualSeed(1);
  return shown(body());
};

test.each(constructors)('new %s', (path, first, options) => {
  const Class = at(path);
  const byName = seeded(() => new Class(...argumentsOf(first), options));
  expect(seeded(() => new Class(...argumentsOf(first), ...Object.values(options)))).toEqual(byName);
  if (Object.keys(options).length > 0) expect(seeded(() => tryPlain(Class, first))).not.toEqual(byName);
});
/** The same without the options, where they are optional. */
function tryPlain(Class: Any, first: Row[1]): unknown {
  try {
    return new Class(...argumentsOf(first));
  } catch {
    return [];
  }
}
test.each(functions)('%s %#', (path, first, options) => {
  const call = at(path);
  const byName = seeded(() => call(...argumentsOf(first), ...(path === 'clipGradNorm_' ? clip(options) : [options])));
  expect(seeded(() => call(...argumentsOf(first), ...Object.values(options)))).toEqual(byName);
});
const clip = ({ maxNorm, ...options }: Any): readonly unknown[] => [maxNorm, options];

test('the arguments of a DataLoader', async () => {
  const { DataLoader } = t;
  const loaders = [
    new DataLoader([1, 2, 3, 4, 5], 2, true, undefined, undefined, 0, undefined, false, true),
    new DataLoader([1, 2, 3, 4, 5], { batchSize: 2, shuffle: true, dropLast: true }),
  ];
  const [a, b] = await Promise.all(loaders.map(async loader => (await Array.fromAsync(loader)).map(shown)));
  expect(a).toHaveLength(2);
  expect(a).toEqual(b);
});
test('one scheduler after another', () => {
  const parts = (optimizer: Any) => [new optim.ConstantLR(optimizer, 0.5, 2), new optim.ExponentialLR(optimizer, 0.5)];
  const [a, b] = [sgd(), sgd()];
  expect(shown(new optim.SequentialLR(a, parts(a), [2]))).toEqual(
    shown(new optim.SequentialLR(b, { schedulers: parts(b), milestones: [2] })),
  );
  const warm = () => sgd();
  expect(shown(t.getLinearScheduleWithWarmup(warm(), 2, 8))).toEqual(
    shown(t.getLinearScheduleWithWarmup(warm(), { numWarmupSteps: 2, numTrainingSteps: 8 })),
  );
});
test('randint(high, size) counts from 0', () => {
  expect(seeded(() => t.randint(5, [20]))).toEqual(seeded(() => t.randint(0, 5, [20])));
  expect(() => t.randint(5, 5, [2])).toThrow('high is the number 5, expected an integer above low, 5');
});
test("too many arguments, names that do not exist and PyTorch's choices of implementations", () => {
  expect(() => new optim.StepLR(sgd(), 5, 0.5, -1, 3)).toThrow(/StepLR: optional argument 4 is the number 3/);
  expect(() => new optim.AdamW([parameter()], 1e-3, { weightdecay: 1 })).toThrow('did you mean weightDecay?');
  expect(() => new optim.AdamW([parameter()], 1e-3, { lr: 1 })).toThrow(
    'lr is the number 1, expected to be given once',
  );
  const hints = { foreach: true, fused: true, capturable: true, differentiable: false };
  expect(shown(new optim.AdamW([parameter()], hints))).toEqual(shown(new optim.AdamW([parameter()])));
  expect(() => new optim.SGD([parameter()], { differentiable: true })).toThrow('differentiable');
  expect(shown(new optim.Adam([parameter()], { weightDecay: 0.01, decoupledWeightDecay: true }))).toEqual(
    shown(new optim.AdamW([parameter()])),
  );
  expect(new optim.StepLR(sgd(), { step_size: 3 }).stateDict().stepSize).toBe(3);
  expect(new optim.CosineAnnealingLR(sgd(), { T_max: 3 }).stateDict().tMax).toBe(3);
  expect(() => F.dropout(ones(2), { p: 2 })).toThrow('a probability in [0, 1]');
});
test('losses have sizeAverage and reduce between their arguments in PyTorch: what comes after is given by name', () => {
  expect(() => new nn.CrossEntropyLoss(null, null, 1)).toThrow(
    'ignoreIndex, reduction, labelSmoothing can be given by name',
  );
  expect(() => new nn.MSELoss('sum')).toThrow('reduction can be given by name');
  expect(String(new nn.MSELoss({ reduction: 'sum' }))).toBe('MSELoss()');
});
test('zeroGrad leaves zeros where it is asked to', () => {
  const [p] = gradients();
  const optimizer = new optim.SGD([p], 0.1);
  optimizer.zeroGrad({ setToNone: false });
  expect(p.grad.toArray()).toEqual([
    [0, 0],
    [0, 0],
  ]);
  optimizer.zeroGrad();
  expect(p.grad).toBeUndefined();
});
