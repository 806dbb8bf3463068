// Parameters as one vector; bags that PyTorch rejects, or that the golden values do not cover.
import { expect, test } from 'vitest';
import { compile, ones, tensor } from '../tensor/index.ts';
import { EmbeddingBag, functional, Linear, utils } from './index.ts';

test('parameters become one vector and are set from one', () => {
  const layer = new Linear(2, 1);
  utils.vectorToParameters(tensor([1, 2, 3]), layer.parameters());
  expect(layer.weight.toArray()).toEqual([[1, 2]]);
  expect(layer.bias!.toArray()).toEqual([3]);
  expect(utils.parametersToVector(layer.parameters()).toArray()).toEqual([1, 2, 3]);
  compile(() => {
    utils.vectorToParameters(utils.parametersToVector(layer.parameters()).mul(2), layer.parameters());
  })();
  expect(layer(ones([1, 2])).toArray()).toEqual([[12]]);
});
test('a vector of another length changes nothing', () => {
  const layer = new Linear(2, 1);
  const before = layer.weight.toArray();
  expect(() => utils.vectorToParameters(ones([4]), layer.parameters())).toThrow('a tensor of shape [3]');
  expect(() => utils.parametersToVector([])).toThrow('model.parameters()');
  expect(layer.weight.toArray()).toEqual(before);
});

const indices = tensor([1, 0, 1], { dtype: 'i64' });
const offsets = tensor([0, 2], { dtype: 'i64' });
test('the vectors of an empty bag are zeros, and bags may be weighted', () => {
  const weight = tensor([
    [1, 2],
    [3, 4],
  ]);
  const empty = tensor([0, 0, 3], { dtype: 'i64' });
  for (const mode of ['sum', 'mean', 'max'] as const)
    expect(functional.embeddingBag(indices, weight, empty, { mode }).toArray()).toMatchObject([[0, 0], {}, [0, 0]]);
  const perSampleWeights = tensor([1, 10, 100]);
  expect(functional.embeddingBag(indices, weight, offsets, { mode: 'sum', perSampleWeights }).toArray()).toEqual([
    [13, 24],
    [300, 400],
  ]);
});
test('invalid shapes are errors', () => {
  const bag = new EmbeddingBag(2, 3);
  expect(() => bag(indices)).toThrow('offsets');
  expect(() => bag(indices.reshape([1, 3]), offsets)).toThrow('offsets');
  expect(() => bag(indices, offsets, ones([3]))).toThrow("with mode 'mean'");
  expect(() => new EmbeddingBag(2, 3, { maxNrm: 1 } as never)).toThrow('maxNrm');
  expect(() => new EmbeddingBag(2, 3, { mode: 'middle' as never })).toThrow('mode');
  expect(() => new EmbeddingBag(2, 3, { paddingIndex: 2 })).toThrow('paddingIdx');
});
