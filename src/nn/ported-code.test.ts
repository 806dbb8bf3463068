// Lines of PyTorch programs, ported word for word: required arguments by name, None, devices as words, lists of modules.
import { beforeEach, expect, test } from 'vitest';
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
} from '../tensor/index.ts';
import { ModuleList, Sequential } from './containers.ts';
import { Conv2d, ConvTranspose1d } from './convolution-layers.ts';
import * as F from './functional.ts';
import { NLLLoss, ReLU } from './generated/modules.ts';
import { Linear } from './layers.ts';
import { Module } from './module.ts';
import { Parameter } from './parameter.ts';

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
  expect(x.to('cpu').device.name).toBe('cpu');
  expect(x.to('interpreter')).toBe(x);
  expect(new Linear(2, 2).to('cpu').weight.device.name).toBe('cpu');
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
