// Lines of PyTorch programs, ported word for word: required arguments by name, None, devices as words, lists of modules.
import { beforeEach, expect, test } from 'vitest';
import * as amp from '../amp-namespace.ts';
import {
  autocast,
  autograd,
  checkpoint,
  device,
  float16,
  manualSeed,
  ones,
  randn,
  setDefaultDevice,
  type Tensor,
  tensor,
  zerosLike,
} from '../tensor/index.ts';
import * as utils from '../utils-namespace.ts';
import * as F from './functional/functional.ts';
import { NLLLoss, ReLU } from './generated/modules.ts';
import * as nn from './index.ts';
import { ModuleList, Sequential } from './layers/containers.ts';
import { Conv2d, ConvTranspose1d } from './layers/convolution-layers.ts';
import { Linear } from './layers/layers.ts';
import { Module } from './module/module.ts';
import { Parameter } from './module/parameter.ts';

beforeEach(() => {
  setDefaultDevice(undefined);
  setDefaultDevice(device('interpreter'));
  manualSeed(0);
});

test('the sizes of convolutions by name', () => {
  const text = 'Conv2d(3, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), bias=False)';
  for (const layer of [
    new Conv2d(3, 8, 3, { padding: 1, bias: false }),
    new Conv2d(3, 8, { kernelSize: 3, padding: 1, bias: false }),
    new Conv2d({ inChannels: 3, outChannels: 8, kernelSize: 3, padding: 1, bias: false }),
    new Conv2d({ in_channels: 3, out_channels: 8, kernel_size: 3, padding: 1, bias: false } as never),
  ])
    expect(String(layer)).toBe(text);
  expect(new ConvTranspose1d(2, 4, { kernelSize: 2, stride: 2 })(ones(1, 2, 5)).shape).toEqual([1, 4, 10]);
  expect(() => new Conv2d({ inChannels: 3, outChannels: 8 } as never)).toThrow('kernelSize is undefined');
  expect(() => new Conv2d(3, 8, { kernelSize: 3, paddding: 1 } as never)).toThrow('did you mean padding?');
});

test('the sizes of all layers by name', () => {
  const layer = new nn.TransformerEncoderLayer(4, 2, { batchFirst: true });
  const pairs: readonly (readonly [Module, Module])[] = [
    [new nn.Fold({ outputSize: [4, 5], kernelSize: 2, stride: 1 }), new nn.Fold([4, 5], 2, 1, 0, 1)],
    [new nn.Fold([4, 5], { kernelSize: 2 }), new nn.Fold([4, 5], 2)],
    [new nn.Unfold({ kernelSize: 2, stride: 2 }), new nn.Unfold(2, 1, 0, 2)],
    [new nn.ZeroPad2d({ padding: 1 }), new nn.ZeroPad2d(1)],
    [new nn.ConstantPad1d({ padding: [1, 2], value: 3 }), new nn.ConstantPad1d([1, 2], 3)],
    [new nn.ReflectionPad3d({ padding: 1 }), new nn.ReflectionPad3d(1)],
    [new nn.PixelShuffle({ upscaleFactor: 2 }), new nn.PixelShuffle(2)],
    [new nn.PixelUnshuffle({ downscaleFactor: 2 }), new nn.PixelUnshuffle(2)],
    [new nn.ChannelShuffle({ groups: 2 }), new nn.ChannelShuffle(2)],
    [new nn.Unflatten({ dim: 1, unflattenedSize: [2, 2] }), new nn.Unflatten(1, [2, 2])],
    [new nn.LocalResponseNorm({ size: 2, alpha: 1 }), new nn.LocalResponseNorm(2, 1)],
    [new nn.LazyConv2d({ outChannels: 4, kernelSize: 3, stride: 2 }), new nn.LazyConv2d(4, 3, 2)],
    [new nn.LazyConvTranspose1d(4, { kernelSize: 3 }), new nn.LazyConvTranspose1d(4, 3)],
    [new nn.AdaptiveMaxPool2d({ outputSize: 2, returnIndices: true }), new nn.AdaptiveMaxPool2d(2, true)],
    [new nn.LinearCrossEntropyLoss({ inFeatures: 2, numClasses: 3 }), new nn.LinearCrossEntropyLoss(2, 3)],
    [
      new nn.TransformerEncoder({ encoderLayer: layer, numLayers: 2 }),
      new nn.TransformerEncoder(layer, 2, null, false),
    ],
    [
      new nn.Transformer(4, 2, 1, 1, 8),
      new nn.Transformer({ dModel: 4, nhead: 2, numEncoderLayers: 1, numDecoderLayers: 1, dimFeedforward: 8 }),
    ],
  ];
  for (const [byName, byPosition] of pairs) expect(String(byName)).toBe(String(byPosition));
});

test('masks of transformers by position', () => {
  const layer = new nn.TransformerEncoderLayer(4, 2, 8, 0, { batchFirst: true });
  const decoder = new nn.TransformerDecoderLayer(4, 2, 8, 0, { batchFirst: true });
  const model = new nn.Transformer(4, 2, 1, 1, 8, 0, { batchFirst: true });
  const [x, y] = [randn(1, 3, 4), randn(1, 2, 4)];
  const causal = ones(3, 3).triu(1).bool();
  const memoryMask = tensor([
    [false, true, true],
    [false, false, true],
  ]);
  const padding = tensor([[false, false, true]]);
  const stack = new nn.TransformerEncoder(layer, 2);
  const decoders = new nn.TransformerDecoder(decoder, 2);
  const same = (a: Tensor, b: Tensor): void => expect(a.toArray()).toEqual(b.toArray());
  same(layer(x, causal), layer(x, { srcMask: causal }));
  same(layer(x, null as never, padding), layer(x, { srcKeyPaddingMask: padding }));
  same(stack(x, causal, padding), stack(x, { mask: causal, srcKeyPaddingMask: padding }));
  same(decoder(y, x, null as never, memoryMask), decoder(y, x, { memoryMask }));
  same(
    decoders(y, x, undefined, memoryMask, undefined, padding),
    decoders(y, x, { memoryMask, memoryKeyPaddingMask: padding }),
  );
  same(
    model(x, y, causal, undefined, memoryMask, padding),
    model(x, y, { srcMask: causal, memoryMask, srcKeyPaddingMask: padding }),
  );
  expect(() => model(x, y, { srcMaskk: causal } as never)).toThrow('did you mean srcMask?');
});

test('an adaptive max pool returns indices', () => {
  const pool = new nn.AdaptiveMaxPool1d(2, { returnIndices: true });
  const [values, indices] = pool(tensor([[1, 5, 2, 4]])) as unknown as [Tensor, Tensor];
  expect([values.toArray(), indices.toArray()]).toEqual([[[5, 4]], [[1, 3]]]);
  expect(new nn.AdaptiveMaxPool1d(2)(tensor([[1, 5, 2, 4]])).toArray()).toEqual([[5, 4]]);
});

test('a list of modules of any kind makes a Sequential', () => {
  const layers: Module[] = [];
  for (let i = 0; i < 2; i++) layers.push(new Linear(4, 4), new ReLU());
  expect(new Sequential(...layers)(ones(2, 4)).shape).toEqual([2, 4]);
});

test('None is null', () => {
  class WithoutBias extends Module {
    declare bias: Parameter | null;
    weight = new Parameter(ones(2));
    constructor() {
      super();
      this.registerParameter('bias', null);
      this.registerBuffer('mask', null);
    }
    override forward(x: Tensor): Tensor {
      return x.mul(this.weight);
    }
  }
  const module = new WithoutBias();
  expect([module.bias, [...module.stateDict().keys()]]).toEqual([null, ['weight']]);
  const x = randn(1, 1, 3, 2);
  const plain = F.scaledDotProductAttention(x, x, x);
  expect(F.scaledDotProductAttention(x, x, x, { attnMask: null }).equal(plain)).toBe(true);
  expect(F.scaledDotProductAttention(x, x, x, null).equal(plain)).toBe(true);
  expect(F.layerNorm(x, [2], null, null, 1e-5).equal(F.layerNorm(x, [2]))).toBe(true);
  expect(new NLLLoss({ weight: null })(ones(1, 2), tensor([0])).item()).toBe(-1);
});

test("'cpu' is a device; a device that is not there is refused", () => {
  const x = ones(2);
  // in a process with another default device than cpu, that one
  expect(x.to('cpu')).toBe(x);
  expect(x.to('interpreter')).toBe(x);
  expect(new Linear(2, 2).to('cpu').weight.device).toBe(device());
  expect(() => x.to('cuda')).toThrow('device()');
});

test('forward hooks know the type of the output', () => {
  const shapes: (readonly number[])[] = [];
  const layer = new Linear(3, 2);
  layer.registerForwardHook((_module, _args, output) => void shapes.push(output.shape));
  layer(ones(4, 3));
  expect(shapes).toEqual([[4, 2]]);
});

test('autocast with its options first; checkpoint with options that have no effect', () => {
  const layer = new Linear(2, 2);
  const y = autocast({ deviceType: 'cpu', dtype: float16, cacheEnabled: true }, () => layer(ones(1, 2)));
  expect(y.dtype).toBe('float16');
  expect(() => autocast({ dtype: float16 }, 1 as never)).toThrow('expected a function');
  expect(checkpoint(layer, ones(1, 2), { useReentrant: false }).shape).toEqual([1, 2]);
});

test('autograd.grad with every argument by name', () => {
  const x = tensor([1, 2], { requiresGrad: true });
  const given = { outputs: x.pow(2), inputs: x, gradOutputs: ones(2), createGraph: true, onlyInputs: true };
  expect(autograd.grad(given)[0]!.tolist()).toEqual([2, 4]);
});

test('the Jacobian of a tensor is a tensor', () => {
  const x = tensor([1, 2]);
  const rows: Tensor = autograd.functional.jacobian((v: Tensor) => v.pow(2), x);
  const curvature: Tensor = autograd.functional.hessian((v: Tensor) => v.pow(3).sum(), x);
  expect([rows.tolist(), curvature.tolist()]).toEqual([
    [
      [2, 0],
      [0, 4],
    ],
    [
      [6, 0],
      [0, 12],
    ],
  ]);
});

test('lists of modules are lists of their type', () => {
  const blocks = new ModuleList(Array.from({ length: 2 }, () => new Linear(2, 2)));
  let x = ones(1, 2);
  for (const block of blocks) x = block(x);
  expect(x.shape).toEqual([1, 2]);
});

test('the sizes of other layers by name', () => {
  for (const [byName, byPosition] of [
    [new nn.Linear({ inFeatures: 3, outFeatures: 2, bias: false }), new nn.Linear(3, 2, false)],
    [new nn.Linear(3, { out_features: 2 } as never), new nn.Linear(3, 2)],
    [new nn.Bilinear({ in1Features: 2, in2Features: 3, outFeatures: 4 }), new nn.Bilinear(2, 3, 4)],
    [new nn.Embedding({ numEmbeddings: 5, embeddingDim: 2, paddingIdx: 0 }), new nn.Embedding(5, 2, 0)],
    [
      new nn.EmbeddingBag({ numEmbeddings: 5, embeddingDim: 2, mode: 'sum' }),
      new nn.EmbeddingBag(5, 2, { mode: 'sum' }),
    ],
    [new nn.RNN({ inputSize: 2, hiddenSize: 3 }), new nn.RNN(2, 3)],
    [
      new nn.LSTM({ inputSize: 2, hiddenSize: 3, numLayers: 2, batchFirst: true }),
      new nn.LSTM(2, 3, 2, { batchFirst: true }),
    ],
    [new nn.GRU({ input_size: 2, hidden_size: 3 } as never), new nn.GRU(2, 3)],
    [new nn.LSTMCell({ inputSize: 2, hiddenSize: 3, bias: false }), new nn.LSTMCell(2, 3, false)],
    [new nn.MaxPool2d({ kernelSize: 3, stride: 2 }), new nn.MaxPool2d(3, 2)],
    [new nn.AvgPool1d({ kernelSize: 3, ceilMode: true }), new nn.AvgPool1d(3, { ceilMode: true })],
    [new nn.LPPool2d({ normType: 2, kernelSize: 3 }), new nn.LPPool2d(2, 3)],
    [new nn.MaxUnpool2d({ kernelSize: 2 }), new nn.MaxUnpool2d(2)],
    [new nn.LayerNorm({ normalizedShape: [2, 3], eps: 0.1 }), new nn.LayerNorm([2, 3], 0.1)],
    [new nn.RMSNorm({ normalizedShape: 3 }), new nn.RMSNorm(3)],
    [new nn.GroupNorm({ numGroups: 2, numChannels: 4 }), new nn.GroupNorm(2, 4)],
    [new nn.BatchNorm2d({ numFeatures: 4, momentum: null }), new nn.BatchNorm2d(4, 1e-5, null)],
    [new nn.InstanceNorm1d({ numFeatures: 4, affine: true }), new nn.InstanceNorm1d(4, { affine: true })],
    [new nn.MultiheadAttention({ embedDim: 4, numHeads: 2 }), new nn.MultiheadAttention(4, 2)],
    [new nn.TransformerEncoderLayer({ dModel: 4, nhead: 2 }), new nn.TransformerEncoderLayer(4, 2)],
    [new nn.AdaptiveAvgPool2d({ outputSize: 2 }), new nn.AdaptiveAvgPool2d(2)],
  ] as const)
    expect(String(byName)).toBe(String(byPosition));
  expect(new nn.BatchNorm1d(2, { momentum: null }).momentum).toBe(null);
  expect(() => new nn.Linear({ inFeatures: 3 } as never)).toThrow('outFeatures is undefined');
});

test('what a layer does not have is null', () => {
  const norm = new nn.BatchNorm1d(2, { affine: false, trackRunningStats: false });
  expect([
    new nn.Linear(2, 2, { bias: false }).bias,
    new nn.Conv2d(1, 1, 1, { bias: false }).bias,
    new nn.LayerNorm(2, { elementwiseAffine: false }).weight,
    new nn.LSTMCell(2, 2, { bias: false }).bias_ih,
    new nn.MultiheadAttention(2, 1, { bias: false }).in_proj_bias,
    norm.weight,
    norm.running_mean,
  ]).toEqual(Array.from({ length: 7 }, () => null));
  expect(norm(ones(2, 2)).tolist()).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(new nn.Bilinear(2, 2, 1, { bias: false })(ones(1, 2), ones(1, 2)).shape).toEqual([1, 1]);
  const attention = new nn.MultiheadAttention(2, 1, { bias: false, kdim: 3 });
  expect(attention(ones(2, 1, 2), ones(2, 1, 3), ones(2, 1, 2))[0].shape).toEqual([2, 1, 2]);
});

test("device: 'cpu' where something is created", () => {
  for (const made of [
    ones(2, { device: 'cpu' }),
    randn(2, { device: 'cpu' }),
    tensor([1], { device: 'cpu' }),
    zerosLike(ones(2), { device: 'cpu' }),
  ])
    expect(made.device).toBe(device());
  expect(new Linear(2, 2).toEmpty({ device: 'cpu' }).weight.device).toBe(device());
  expect(() => randn(2, { device: 'cuda' })).toThrow('device()');
});

test('len() of a tensor; lists of a known type', () => {
  expect([ones(3, 2).length, tensor(1).length]).toEqual([3, undefined]);
  expect(
    tensor([1, 2])
      .tolist<number[]>()
      .map(i => i + 1),
  ).toEqual([2, 3]);
});

test('mixed precision under the names of torch.amp', () => {
  const layer = new Linear(2, 2);
  const run = (): Tensor => layer(ones(1, 2));
  expect(amp.autocast('cpu', run).dtype).toBe('bfloat16');
  expect(amp.autocast('cpu', float16, run).dtype).toBe('float16');
  expect(amp.autocast('cpu', float16, false, run).dtype).toBe('float32');
  expect(amp.autocast('cuda', { dtype: float16 }, run).dtype).toBe('float16');
  expect(() => autocast('float16' as never, run)).toThrow('deviceType');
  expect(() => autocast('cpu', 'int64', run)).toThrow('bfloat16 or float16');
  expect(new amp.GradScaler('cpu', { initScale: 1024 }).getScale()).toBe(1024);
});

test('the names of torch.utils; what a function keeps for its gradient', () => {
  const x = ones(1, 2, { requiresGrad: true });
  utils.checkpoint.checkpoint(new Linear(2, 2), x, { useReentrant: false }).sum().backward();
  expect(x.grad!.shape).toEqual([1, 2]);
  expect(utils.data.DataLoader).toBeTypeOf('function');
  class Scale extends autograd.Function {
    static override forward(ctx: autograd.FunctionCtx, y: Tensor, factor: number): Tensor {
      ctx.factor = factor;
      return y.mul(factor);
    }
    static override backward(ctx: autograd.FunctionCtx, g: Tensor): [Tensor, null] {
      return [g.mul(ctx.factor as number), null];
    }
  }
  const y = ones(2, { requiresGrad: true });
  Scale.apply(y, 3).sum().backward();
  expect(y.grad!.tolist()).toEqual([3, 3]);
});

test('the layers of a Sequential keep their types', () => {
  const net = new Sequential(new Linear(2, 3), new ReLU());
  expect([net[0].weight.shape, net.at(-1)]).toEqual([[3, 2], net[1]]);
  class Net extends Sequential {}
  expect([new Net(new Linear(2, 3))(ones(1, 2)).shape, new Net() instanceof Sequential]).toEqual([[1, 3], true]);
});

test('the condition of where is bool', () => {
  const x = ones(2);
  expect(() => x.where(x, 0)).toThrow('bool');
  expect(() => x.maskedFill(x, 0)).toThrow('bool');
});
