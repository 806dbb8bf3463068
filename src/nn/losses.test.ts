// Wrong arguments of losses.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { device, ones, setDefaultDevice, tensor, zeros } from '../tensor/index.ts';
import { CrossEntropyLoss, functional as F, MSELoss } from './index.ts';

const printed: string[] = [];
beforeEach(() => {
  setDefaultDevice(device('interpreter'));
  vi.spyOn(process.stderr, 'write').mockImplementation(text => printed.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  printed.length = 0;
});

test('shapes that broadcast cause a warning, once', () => {
  const criterion = new MSELoss();
  for (let i = 0; i < 2; i++) expect(criterion(ones([5, 1]), zeros([5])).item()).toBe(1);
  expect(printed).toHaveLength(1);
  expect(printed[0]).toContain('mseLoss: the input is [5, 1] and the target [5]; they broadcast');
  expect(printed[0]).toContain('target.view(5, 1)');
  F.l1Loss(ones([5]), zeros([5]));
  expect(printed).toHaveLength(1);
  expect(() => F.binaryCrossEntropyWithLogits(ones([5, 1]), zeros([5]))).toThrow(
    'expected the shape of the input, [5, 1]',
  );
});
test('classes may be floats, but only with integer values', () => {
  const logits = tensor([
    [1, 2],
    [3, 1],
  ]);
  expect(F.crossEntropy(logits, tensor([0, 1])).item()).toBe(F.crossEntropy(logits, tensor([0, 1]).long()).item());
  expect(() => F.crossEntropy(logits, tensor([0, 0.5])).item()).toThrow('a number that is not whole');
  expect(() => F.crossEntropy(logits, tensor([0, 2])).item()).toThrow('index 2 is out of range');
});
test('the error for an unknown option suggests the nearest name', () => {
  expect(() => new CrossEntropyLoss({ labelSmooth: 0.1 } as object)).toThrow('did you mean labelSmoothing?');
  expect(() => F.mseLoss(ones([1]), ones([1]), { reductoin: 'sum' } as object)).toThrow('did you mean reduction?');
  expect(() => new CrossEntropyLoss({ weight: ones([3]) })(zeros([2, 2]), tensor([0, 1]))).toThrow(
    'a weight for each of the 2 classes',
  );
});
