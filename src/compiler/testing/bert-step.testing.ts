// For tests and measurements: a whole training step of a BERT classifier as a program: forward with dropout, gradients,
// clipping by the global norm, AdamW over donated parameters. Written with the builder alone, as the compiler's folder
// must not depend on tensors and layers.
import { gradients } from '../../autodiff/index.ts';
import { Builder } from '../../hlo/builder.ts';
import { scalar } from '../../hlo/literal.ts';
import { type Func, type Module, moduleOf, shapeOf, type Value } from '../../hlo/program.ts';
import { type TensorType, tensorType } from '../../hlo/types.ts';

export interface BertSizes {
  readonly batch: number;
  readonly sequence: number;
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly feedForward: number;
  readonly vocabulary: number;
  readonly classes: number;
  /** Probability of dropping an element; 0 for none. */
  readonly dropout: number;
  /** Several ranks all-reduce their gradients. */
  readonly allReduce?: boolean;
}

export const bertBase: BertSizes = {
  batch: 8,
  sequence: 128,
  layers: 12,
  hidden: 768,
  heads: 12,
  feedForward: 3072,
  vocabulary: 30522,
  classes: 2,
  dropout: 0.1,
};

/**
 * Arguments: ids and labels (i32), random state (2 x ui64), learning rate and step (f32), then parameters, first and
 * second moments. Results: loss, next random state, then the new parameters and moments over the donated old ones.
 */
export function bertStep(s: BertSizes): { readonly module: Module; readonly parameters: number } {
  const b = new Builder();
  const args: Value[] = [];
  const arg = (type: TensorType): Value => {
    const v = b.argument(type, args.length);
    args.push(v);
    return v;
  };
  const [B, S, H] = [s.batch, s.sequence, s.hidden];
  const ids = arg(tensorType('i32', [B, S]));
  const labels = arg(tensorType('i32', [B]));
  let state = arg(tensorType('ui64', [2]));
  const [rate, step] = [arg(tensorType('f32')), arg(tensorType('f32'))];
  const parameters: Value[] = [];
  const parameter = (...shape: number[]): Value => {
    const v = arg(tensorType('f32', shape));
    parameters.push(v);
    return v;
  };

  const fill = (like: Value, value: number): Value => b.like(like, value);
  const along = (x: Value, to: Value): Value => b.broadcastInDim(x, [shapeOf(to).length - 1], shapeOf(to));
  const rows = (x: Value, to: Value): Value =>
    b.broadcastInDim(
      x,
      shapeOf(x).map((_, i) => i),
      shapeOf(to),
    );
  const linear = (x: Value, inputs: number, outputs: number): Value => {
    const w = parameter(outputs, inputs);
    const bias = parameter(outputs);
    const y = b.dotGeneral(x, w, {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [shapeOf(x).length - 1],
      rhsContractingDimensions: [1],
    });
    return b.add(y, along(bias, y));
  };
  const dropout = (x: Value): Value => {
    if (s.dropout === 0) return x;
    const [next, bits] = b.emit('rng_bit_generator', [state], {
      rngAlgorithm: 'PHILOX',
      type: tensorType('ui32', shapeOf(x)),
    });
    state = next;
    const keep = b.compare('GE', bits, fill(bits, Math.floor(s.dropout * 2 ** 32)));
    return b.select(keep, b.multiply(x, fill(x, 1 / (1 - s.dropout))), fill(x, 0));
  };
  const layerNorm = (x: Value): Value => {
    const [gamma, beta] = [parameter(H), parameter(H)];
    const last = shapeOf(x).length - 1;
    const mean = (v: Value): Value => {
      const sum = b.sum(v, [last]);
      return b.divide(sum, fill(sum, H));
    };
    const centered = b.subtract(x, rows(mean(x), x));
    const variance = mean(b.multiply(centered, centered));
    const scale = b.unary('rsqrt', b.add(variance, fill(variance, 1e-12)));
    return b.add(b.multiply(b.multiply(centered, rows(scale, x)), along(gamma, x)), along(beta, x));
  };
  const gelu = (x: Value): Value =>
    b.multiply(
      b.multiply(x, fill(x, 0.5)),
      b.add(b.unary('chlo.erf', b.multiply(x, fill(x, Math.SQRT1_2))), fill(x, 1)),
    );
  const softmax = (x: Value): Value => {
    const last = shapeOf(x).length - 1;
    const max = b.reduce('maximum', x, b.constant(scalar('f32', -Infinity)), [last]);
    const e = b.unary('exponential', b.subtract(x, rows(max, x)));
    return b.divide(e, rows(b.sum(e, [last]), e));
  };
  const D = H / s.heads;
  const heads = (x: Value): Value => b.transpose(b.reshape(x, [B, S, s.heads, D]), [0, 2, 1, 3]);
  const batched = { lhsBatchingDimensions: [0, 1], rhsBatchingDimensions: [0, 1] };

  const rowsOf = {
    offsetDims: [2],
    collapsedSliceDims: [0],
    operandBatchingDims: [],
    startIndicesBatchingDims: [],
    startIndexMap: [0],
    indexVectorDim: 2,
  };
  const words = b.gather(parameter(s.vocabulary, H), b.reshape(ids, [B, S, 1]), rowsOf, [1, H]);
  const positions = b.broadcastInDim(parameter(S, H), [1, 2], [B, S, H]);
  let x = dropout(layerNorm(b.add(words, positions)));
  for (let layer = 0; layer < s.layers; layer++) {
    const [q, k, v] = [heads(linear(x, H, H)), heads(linear(x, H, H)), heads(linear(x, H, H))];
    const scores = b.dotGeneral(q, k, { ...batched, lhsContractingDimensions: [3], rhsContractingDimensions: [3] });
    const weights = dropout(softmax(b.multiply(scores, fill(scores, 1 / Math.sqrt(D)))));
    const context = b.dotGeneral(weights, v, {
      ...batched,
      lhsContractingDimensions: [3],
      rhsContractingDimensions: [2],
    });
    const joined = b.reshape(b.transpose(context, [0, 2, 1, 3]), [B, S, H]);
    x = layerNorm(b.add(dropout(linear(joined, H, H)), x));
    x = layerNorm(b.add(dropout(linear(gelu(linear(x, H, s.feedForward)), s.feedForward, H)), x));
  }
  const first = b.reshape(b.slice(x, [0, 0, 0], [B, 1, H]), [B, H]);
  const logits = linear(b.unary('tanh', linear(first, H, H)), H, s.classes);
  const probabilities = softmax(logits);
  const classes = b.iota(tensorType('i32', [B, s.classes]), 1);
  const isLabel = b.convert(b.compare('EQ', classes, rows(labels, classes)), 'f32');
  const logOf = b.unary('log', probabilities);
  const loss = b.negate(b.divide(b.sum(b.multiply(isLabel, logOf)), b.fill('f32', [], B)));

  let grads: Value[] = [...gradients(b, loss, parameters)];
  if (s.allReduce) grads = [...b.emit('all_reduce', grads, { replicaGroups: [] }, [b.combiner('add', 'f32')])];
  const squares = grads.map(g => b.sum(b.multiply(g, g))).reduce((p, q) => b.add(p, q));
  const norm = b.unary('sqrt', squares);
  const clip = b.minimum(b.divide(b.fill('f32', [], 1), b.add(norm, b.fill('f32', [], 1e-6))), b.fill('f32', [], 1));
  const firstMoments = parameters.map(p => arg(p.type as TensorType));
  const secondMoments = parameters.map(p => arg(p.type as TensorType));
  const correction = (beta: number): Value =>
    b.subtract(b.fill('f32', [], 1), b.binary('power', b.fill('f32', [], beta), step));
  const [c1, c2] = [correction(0.9), correction(0.999)];
  const to = (v: Value, like: Value): Value => b.broadcastInDim(v, [], shapeOf(like));
  const updated = parameters.map((p, i) => {
    const g = b.multiply(grads[i]!, to(clip, p));
    const m = b.add(b.multiply(firstMoments[i]!, fill(p, 0.9)), b.multiply(g, fill(p, 0.1)));
    const v = b.add(b.multiply(secondMoments[i]!, fill(p, 0.999)), b.multiply(b.multiply(g, g), fill(p, 0.001)));
    const size = b.divide(b.divide(m, to(c1, p)), b.add(b.unary('sqrt', b.divide(v, to(c2, p))), fill(p, 1e-8)));
    const decayed = b.subtract(p, b.multiply(b.multiply(p, fill(p, 0.01)), to(rate, p)));
    return { p: b.subtract(decayed, b.multiply(to(rate, p), size)), m, v };
  });
  const results = [loss, state, ...updated.map(u => u.p), ...updated.map(u => u.m), ...updated.map(u => u.v)];
  const aliases = args.map((_, i) => (i < 5 ? undefined : i - 3));
  const func: Func = { name: 'main', body: { args, ops: b.ops, results }, aliases };
  return { module: moduleOf(func, { name: 'bert_step' }), parameters: parameters.length };
}
