// The work of one transformer block on one device, for one micro-batch: B samples of S tokens, tensor parallel over t.
// Megatron's split (Shoeybi et al. 2019): the first multiply of each pair by columns, the second by rows; heads are spread.
import type { MultiplyType } from '../../hardware/machine.ts';
import type { Multiply, Sweep, Work } from '../work.ts';
import type { AttentionKernel, TransformerConfig } from '../workload.ts';

export interface BlockShape {
  readonly batch: number;
  readonly sequence: number;
  readonly tensor: number;
  readonly sequenceParallel: boolean;
  /** Format of the multiplies, and bytes of an activation in memory. */
  readonly type: MultiplyType;
  readonly bytes: number;
  /** Blocked: scores stay near the engine; of causal scores, only the unmasked half is computed. */
  readonly attention: AttentionKernel;
}
export interface BlockWork {
  readonly forward: readonly Work[];
  readonly backward: readonly Work[];
  /** The part of the forward pass that selective recomputation repeats: scores, softmax, context. */
  readonly attentionCore: readonly Work[];
  /**
   * The work that PyTorch's policies per operation repeat: everything but attention and the last multiply, and of the other
   * multiplies every second. Those are a list apart, of which half is repeated.
   */
  readonly unsaved: { readonly whole: readonly Work[]; readonly half: readonly Work[] };
  /** Bytes of each collective of the block. */
  readonly collectiveBytes: number;
}

export function multiply(
  name: string,
  batch: number,
  m: number,
  n: number,
  k: number,
  type: MultiplyType,
  bytes: number,
): Multiply {
  return { kind: 'multiply', name, batch, m, n, k, type, bytes: bytes * batch * (m * k + k * n + m * n) };
}
/** The format of multiplies that are not of linear layers. */
export const unquantized = (type: MultiplyType): MultiplyType => (type === 'f8' ? 'bf16' : type);

export function sweep(
  name: string,
  elements: number,
  simple: number,
  transcendental: number,
  bytesRead: number,
  bytesWritten: number,
): Sweep {
  return { kind: 'sweep', name, elements, simple, transcendental, bytesRead, bytesWritten };
}
/** Both multiplies of a linear layer's backward pass: [m, n] × [n, k] for the input, [k, m] × [m, n] for the weight. */
export function backwardOf(work: Multiply, bytes: number): readonly Multiply[] {
  const { name, batch, m, n, k, type } = work;
  return [
    multiply(`${name}, gradient of the input`, batch, m, k, n, type, bytes),
    multiply(`${name}, gradient of the weight`, batch, k, n, m, type, bytes),
  ];
}

// Simple operations per element, as written for an elementwise engine.
const normForward = { 'layer-norm': 6, 'rms-norm': 4 } as const; // mean, variance, subtract, scale, shift
const normBackward = { 'layer-norm': 11, 'rms-norm': 8 } as const;
// Scale, mask, maximum, subtract, sum, divide. Fused, the sum comes with the exponential and the scale with the multiply.
const softmaxForward = { unfused: 6, 'fused-softmax': 2, blocked: 3 } as const;
const softmaxBackward = { unfused: 5, 'fused-softmax': 2, blocked: 3 } as const;
const dropoutForward = 3; // sample, compare, scale
const dropoutBackward = 1;

export function blockWork(config: TransformerConfig, shape: BlockShape): BlockWork {
  const { batch, sequence, tensor: t, type, bytes } = shape;
  const { hidden, headSize, normalization } = config;
  const tokens = batch * sequence;
  const heads = config.heads / t;
  const keyValueHeads = Math.max(1, config.keyValueHeads / t);
  const aside = shape.sequenceParallel ? tokens / t : tokens; // rows of norms, dropout and residuals
  const rows = aside * hidden;
  const dropout = config.dropout ? 1 : 0;
  const bias = config.biases ? 1 : 0;

  const norm = sweep('normalization', rows, normForward[normalization], 1 / hidden, rows * bytes, rows * bytes);
  const normBack = sweep(
    'normalization, backward',
    rows,
    normBackward[normalization],
    0,
    3 * rows * bytes,
    rows * bytes,
  );
  const residual = sweep(
    'bias, dropout, residual',
    rows,
    1 + bias + dropoutForward * dropout,
    0,
    2 * rows * bytes,
    rows * bytes * (1 + dropout / bytes),
  );
  const residualBack = sweep(
    'dropout and residual, backward',
    rows,
    1 + bias + dropoutBackward * dropout,
    0,
    rows * (bytes + dropout),
    rows * bytes,
  );

  const width = (heads + 2 * keyValueHeads) * headSize;
  const qkv = multiply('query, key, value', 1, tokens, width, hidden, type, bytes);
  const qkvExtra = sweep(
    'bias or rotation',
    tokens * width,
    config.positions === 0 ? 3 : bias,
    0,
    tokens * width * bytes,
    tokens * width * bytes,
  );

  // A blocked kernel skips the masked half of causal scores.
  const blocked = shape.attention === 'blocked';
  const kept = blocked && config.causal ? 0.5 : 1;
  const columns = sequence * kept;
  const scores = batch * heads * sequence * columns;
  const inMemory = blocked ? 0 : 1;
  const scoreType = unquantized(type);
  const scoreBytes = inMemory * scores * bytes;
  const operandBytes = batch * heads * sequence * headSize * bytes;
  // With a fused softmax, scores become probabilities before they are written to memory, and so do their gradients.
  const apart = shape.attention === 'unfused' ? 1 : 0;
  const part = (name: string, m: number, n: number, k: number, turned = 0, written = 1): Multiply => ({
    kind: 'multiply',
    name,
    turned,
    blocked,
    batch: batch * heads,
    m,
    n,
    k,
    type: scoreType,
    bytes: 2 * operandBytes + scoreBytes * written,
  });
  const qk = part('scores', sequence, columns, headSize, 0, apart);
  const softmax = sweep(
    'softmax',
    scores,
    softmaxForward[shape.attention] + dropoutForward * dropout,
    1,
    scoreBytes * apart,
    scoreBytes * (1 + dropout) + inMemory * dropout * scores,
  );
  const pv = part('context', sequence, headSize, columns, scores);
  const softmaxBack = sweep(
    'softmax, backward',
    scores,
    softmaxBackward[shape.attention] + dropoutBackward * dropout,
    0,
    (1 + apart) * scoreBytes + inMemory * dropout * scores,
    scoreBytes,
  );
  const attentionBack = [
    part('gradient of the values', columns, headSize, sequence),
    part('gradient of the probabilities', sequence, columns, headSize, 0, apart),
    part('gradient of the queries', sequence, headSize, columns, scores),
    part('gradient of the keys', columns, headSize, sequence),
  ];
  const projection = multiply('projection', 1, tokens, hidden, heads * headSize, type, bytes);

  // Experts: each token goes through `perToken` of them; together they do as much work as `perToken` dense layers.
  const share = config.experts?.perToken ?? 1;
  const feed = (config.feedForward / t) * share;
  const inner = tokens * feed;
  const ups = config.gated ? 2 : 1;
  const up = multiply('feed-forward, up', 1, tokens, ups * feed, hidden, type, bytes);
  const activate = sweep(
    'activation',
    inner,
    (config.activation === 'gelu' ? 4 : 2) + (config.gated ? 1 : 0) + bias,
    1,
    ups * inner * bytes,
    inner * bytes,
  );
  const activateBack = sweep(
    'activation, backward',
    inner,
    (config.activation === 'gelu' ? 8 : 5) + (config.gated ? 3 : 0) + bias,
    1,
    (1 + ups) * inner * bytes,
    ups * inner * bytes,
  );
  const down = multiply('feed-forward, down', 1, tokens, hidden, feed, type, bytes);
  const router =
    config.experts === undefined
      ? []
      : [sweep('routing', aside * config.experts.count, 6, 1, rows * bytes, rows * bytes * share)];

  // The kernels that compute operands of multiplies in 8-bit floats also cast them, and find the largest magnitude. Weights are
  // cast once per step.
  const cast = (name: string, elements: number): readonly Work[] =>
    type === 'f8' ? [sweep(`${name}, cast`, elements, 3, 0, 0, elements)] : [];
  const casts = cast('inputs', 2 * tokens * hidden + tokens * heads * headSize + inner);
  const castsBack = cast('gradients', tokens * (2 * hidden + width) + ups * inner);

  const core = [qk, softmax, pv];
  return {
    forward: [
      norm,
      qkv,
      qkvExtra,
      ...core,
      projection,
      residual,
      norm,
      ...router,
      up,
      activate,
      down,
      residual,
      ...casts,
    ],
    backward: [
      residualBack,
      ...backwardOf(down, bytes),
      activateBack,
      ...backwardOf(up, bytes),
      ...router,
      normBack,
      residualBack,
      ...backwardOf(projection, bytes),
      ...attentionBack.slice(0, 2),
      softmaxBack,
      ...attentionBack.slice(2),
      // A blocked kernel computes the scores again.
      ...(blocked ? [qk, softmax] : []),
      qkvExtra,
      ...backwardOf(qkv, bytes),
      normBack,
      ...castsBack,
    ],
    attentionCore: core,
    unsaved: {
      whole: [norm, qkvExtra, ...(blocked ? [] : core), residual, norm, ...router, activate, residual, ...casts],
      half: [qkv, projection, up],
    },
    collectiveBytes: tokens * hidden * bytes,
  };
}
