// Gradients of the building blocks of networks, and of small networks, compared with finite differences.
import { describe, expect, test } from 'vitest';
import type { Builder } from '../hlo/builder.ts';
import { imageDimensionNumbers } from '../hlo/image-dimension-numbers.ts';
import { literal } from '../hlo/literal.ts';
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';
import { type Case, disagreements } from './finite-differences.testing.ts';
import { Random } from './random.testing.ts';
import { gradientCase } from './second-order.testing.ts';

/** Applies `f` with a reduction over the last dim, broadcast back to the shape of x. */
function overLast(b: Builder, x: Value, reduced: Value): Value {
  const shape = shapeOf(x);
  return b.broadcastInDim(
    reduced,
    shape.slice(0, -1).map((_, d) => d),
    shape,
  );
}
const lastDim = (x: Value): number => shapeOf(x).length - 1;
function maxOverLast(b: Builder, x: Value): Value {
  const lowest = b.fill(tensorTypeOf(x).elementType, [], Number.NEGATIVE_INFINITY);
  return overLast(b, x, b.reduce('maximum', x, lowest, [lastDim(x)]));
}
const sumOverLast = (b: Builder, x: Value): Value => overLast(b, x, b.sum(x, [lastDim(x)]));

function softmax(b: Builder, x: Value): Value {
  const e = b.unary('exponential', b.subtract(x, maxOverLast(b, x)));
  return b.divide(e, sumOverLast(b, e));
}
function logSoftmax(b: Builder, x: Value): Value {
  const shifted = b.subtract(x, maxOverLast(b, x));
  return b.subtract(shifted, b.unary('log', sumOverLast(b, b.unary('exponential', shifted))));
}
function layerNorm(b: Builder, x: Value, scale: Value, shift: Value): Value {
  const size = b.like(x, shapeOf(x).at(-1)!);
  const centered = b.subtract(x, b.divide(sumOverLast(b, x), size));
  const variance = b.divide(sumOverLast(b, b.multiply(centered, centered)), size);
  const normal = b.multiply(centered, b.unary('rsqrt', b.add(variance, b.like(x, 1e-5))));
  const spread = (v: Value): Value => b.broadcastInDim(v, [lastDim(x)], shapeOf(x));
  return b.add(b.multiply(normal, spread(scale)), spread(shift));
}
/** x/2 · (1 + erf(x/√2)) */
function gelu(b: Builder, x: Value): Value {
  const cumulative = b.add(b.unary('chlo.erf', b.multiply(x, b.like(x, Math.SQRT1_2))), b.like(x, 1));
  return b.multiply(b.multiply(x, b.like(x, 0.5)), cumulative);
}
/** x[…, K] · w[N, K]ᵀ */
function linear(b: Builder, x: Value, w: Value): Value {
  const none: number[] = [];
  return b.dotGeneral(x, w, {
    lhsBatchingDimensions: none,
    rhsBatchingDimensions: none,
    lhsContractingDimensions: [lastDim(x)],
    rhsContractingDimensions: [1],
  });
}
/** Mean of -log softmax(x)[row, label[row]]. */
function crossEntropy(b: Builder, logits: Value, labels: Value): Value {
  const [rows] = shapeOf(logits);
  const row = b.iota(tensorType('i32', [rows!, 1]), 0);
  const at = b.concatenate([row, b.reshape(labels, [rows!, 1])], 1); // [rows, 2]
  const picked = b.gather(
    logSoftmax(b, logits),
    at,
    {
      offsetDims: [],
      collapsedSliceDims: [0, 1],
      operandBatchingDims: [],
      startIndicesBatchingDims: [],
      startIndexMap: [0, 1],
      indexVectorDim: 1,
    },
    [1, 1],
  );
  return b.divide(b.negate(b.sum(picked)), b.fill('f64', [], rows!));
}
/** Self-attention of x[B, S, H·D] with one weight for queries, keys and values, an additive mask [B, S], and an output weight. */
function attention(b: Builder, x: Value, qkv: Value, out: Value, mask: Value, heads: number): Value {
  const [batch, length, width] = shapeOf(x) as [number, number, number];
  const size = width / heads;
  const all = linear(b, x, qkv); //                                                            [B, S, 3·H·D]
  const head = (i: number): Value => {
    const one = b.slice(all, [0, 0, i * width], [batch, length, (i + 1) * width]);
    return b.transpose(b.reshape(one, [batch, length, heads, size]), [0, 2, 1, 3]); //         [B, H, S, D]
  };
  const [q, k, v] = [head(0), head(1), head(2)];
  const dims = { lhsBatchingDimensions: [0, 1], rhsBatchingDimensions: [0, 1] };
  const scores = b.dotGeneral(q, k, { ...dims, lhsContractingDimensions: [3], rhsContractingDimensions: [3] }); // [B, H, S, S]
  const scaled = b.multiply(scores, b.like(scores, 1 / Math.sqrt(size)));
  const weights = softmax(b, b.add(scaled, b.broadcastInDim(mask, [0, 3], shapeOf(scores))));
  const mixed = b.dotGeneral(weights, v, { ...dims, lhsContractingDimensions: [3], rhsContractingDimensions: [2] }); // [B, H, S, D]
  return linear(b, b.reshape(b.transpose(mixed, [0, 2, 1, 3]), [batch, length, width]), out); // [B, S, H·D]
}
/** Convolution 3×3 (NCHW), ReLU, max pooling 2×2, a linear layer, cross entropy. */
function smallCnn(b: Builder, image: Value, kernel: Value, weight: Value, labels: Value): Value {
  const convolved = b.emit1('convolution', [image, kernel], {
    windowStrides: [1, 1],
    padding: [
      [1, 1],
      [1, 1],
    ],
    lhsDilation: [1, 1],
    rhsDilation: [1, 1],
    windowReversal: [false, false],
    dimensionNumbers: imageDimensionNumbers,
    featureGroupCount: 1,
    batchGroupCount: 1,
    precision: ['DEFAULT', 'DEFAULT'],
  });
  const active = b.maximum(convolved, b.like(convolved, 0));
  const lowest = b.fill('f64', [], Number.NEGATIVE_INFINITY);
  const ones = [1, 1, 1, 1];
  const pooled = b.emit1(
    'reduce_window',
    [active, lowest],
    {
      windowDimensions: [1, 1, 2, 2],
      windowStrides: [1, 1, 2, 2],
      padding: [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      baseDilations: ones,
      windowDilations: ones,
    },
    [b.combiner('maximum', 'f64')],
  );
  const [rows, ...features] = shapeOf(pooled);
  const flat = b.reshape(pooled, [rows!, features.reduce((p, d) => p * d, 1)]);
  return crossEntropy(b, linear(b, flat, weight), labels);
}

const r = new Random(5);
const compositions: Record<string, Case> = {
  softmax: { args: [r.tensor([2, 3, 4])], build: (b, [x]) => [softmax(b, x!)] },
  'layer norm': {
    args: [r.tensor([2, 3, 5]), r.tensor([5]), r.tensor([5])],
    build: (b, [x, scale, shift]) => [layerNorm(b, x!, scale!, shift!)],
  },
  gelu: { args: [r.tensor([3, 4])], build: (b, [x]) => [gelu(b, x!)] },
  'cross entropy': {
    args: [r.tensor([4, 3]), literal('i32', [4], [2, 0, 1, 2])],
    build: (b, [x, labels]) => [crossEntropy(b, x!, labels!)],
  },
  attention: {
    args: [r.tensor([2, 3, 4]), r.tensor([12, 4]), r.tensor([4, 4]), r.tensor([2, 3])],
    build: (b, [x, qkv, out, mask]) => [attention(b, x!, qkv!, out!, mask!, 2)],
  },
  'a transformer block': {
    args: [
      r.tensor([1, 3, 4]),
      r.tensor([12, 4]),
      r.tensor([4, 4]),
      r.tensor([1, 3]),
      r.tensor([4]),
      r.tensor([4]),
      r.tensor([8, 4]),
      r.tensor([4, 8]),
    ],
    build: (b, [x, qkv, out, mask, scale, shift, up, down]) => {
      const attended = layerNorm(b, b.add(x!, attention(b, x!, qkv!, out!, mask!, 2)), scale!, shift!);
      return [layerNorm(b, b.add(attended, linear(b, gelu(b, linear(b, attended, up!)), down!)), scale!, shift!)];
    },
  },
  'a small convolutional network': {
    args: [r.tensor([2, 1, 4, 4]), r.tensor([2, 1, 3, 3]), r.tensor([3, 8]), literal('i32', [2], [2, 1])],
    build: (b, [image, kernel, weight, labels]) => [smallCnn(b, image!, kernel!, weight!, labels!)],
  },
};

describe('gradients', () => {
  test.each(Object.keys(compositions))('%s', name => {
    expect(disagreements(name, compositions[name]!)).toEqual([]);
  });
});
describe('gradients of gradients', () => {
  test.each(Object.keys(compositions))('%s', name => {
    expect(disagreements(name, { ...gradientCase(compositions[name]!), tolerance: 1e-5 })).toEqual([]);
  });
});
test('third-order gradients', () => {
  const smooth: Case = {
    args: [r.tensor([2, 2])],
    build: (b, [x]) => [b.unary('tanh', b.multiply(x!, b.unary('sine', x!)))],
  };
  expect(disagreements('smooth', { ...gradientCase(gradientCase(smooth)), tolerance: 1e-5 })).toEqual([]);
});
