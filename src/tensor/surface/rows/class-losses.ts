// Losses of classes, margins, distances and alignments.
import { shapeOf } from '../../../hlo/program.ts';
import * as classes from '../../lower/loss/classes.ts';
import { ctcLoss } from '../../lower/loss/ctc.ts';
import * as margins from '../../lower/loss/margins.ts';
import { reductions, refused } from '../../lower/loss/reduction.ts';
import { mismatch } from '../../lower/shapes.ts';
import { record } from '../../record.ts';
import { byName, dim, distance, flag, int, lengths, number, oneOf, optional, spelled, tensor } from '../params.ts';
import { type Context, group, row, runRow } from '../row.ts';
import { lossFacts, reduction } from './losses.ts';

const facts = { ...lossFacts, dtype: 'same' } as const;
const ignoreIndex = byName(optional(int('targets of this class are ignored'), -100));
const classWeight = optional(tensor('a weight for each class, [C]'));
const byPlace = optional(oneOf('how the losses are reduced', reductions), 'mean');
const checked =
  'Classes may be floats with integer values. A class that is out of range raises an error when a value is read.';

const marginLike = { ...lossFacts, gradient: 'almost everywhere' } as const;
const positiveMargin = ({ b }: Pick<Context, 'b'>, call: string, margin: number): void => {
  if (!(margin > 0)) throw refused(b, { call, argument: 'margin' }, String(margin), 'a positive number');
};
const tripletFacts = {
  anchor: tensor('the vectors that distances are measured from, [N, D] or [D]'),
  positive: tensor('vectors that should be close to the anchor'),
  negative: tensor('vectors that should be farther from the anchor, by the margin'),
} as const;
const swap = flag('uses the distance between positive and negative where it is smaller (Balntas et al., 2016)');

export const classLossRows = group({
  crossEntropy: row({
    ...facts,
    gradient: 'smooth',
    modules: [
      {
        name: 'CrossEntropyLoss',
        example: `const lossFn = new nn.CrossEntropyLoss();
lossFn(tensor([[0, Math.log(3)]]), tensor([1], { dtype: 'int64' })) // 0.2876…`,
        settings: ['weight', 'ignoreIndex', 'reduction', 'labelSmoothing'],
      },
    ],
    summary: 'The negative log-probability of the target: classes, or probabilities with the shape of the logits.',
    details: `The mean is weighted, over the targets that are not ignored. ${checked}`,
    throws: ['SHAPE_MISMATCH', 'INDEX_OUT_OF_RANGE', 'BAD_DTYPE'],
    example: 'nn.functional.crossEntropy(tensor([[0, 0]]), tensor([1])) // 0.6931…',
    params: {
      input: tensor('logits [N, C], [N, C, …] or [C]'),
      target: tensor('classes [N], [N, …] or without dims, or probabilities'),
      weight: classWeight,
      ignoreIndex,
      reduction,
      labelSmoothing: byName(
        optional(
          number('the share of the target probability that is spread over all classes; negative numbers are 0'),
          0,
        ),
      ),
    },
    uncompared: ['weight'],
    lower: (c, { labelSmoothing, ...loss }) => {
      if (labelSmoothing > 1)
        throw refused(c.b, { call: 'crossEntropy', argument: 'labelSmoothing' }, String(labelSmoothing), 'at most 1'); // biome-ignore format: one line
      return classes.crossEntropy(c, { call: 'crossEntropy', ...loss }, Math.max(0, labelSmoothing));
    },
  }),
  nllLoss: row({
    ...facts,
    gradient: 'smooth',
    modules: [
      {
        name: 'NLLLoss',
        example: `const logProbabilities = tensor([[0.25, 0.75]]).log();
new nn.NLLLoss()(logProbabilities, tensor([1], { dtype: 'int64' })) // 0.2876…`,
        settings: ['weight', 'ignoreIndex', 'reduction'],
      },
    ],
    summary: 'The negative log-probabilities at the target classes.',
    details: `The mean is weighted, over the targets that are not ignored. ${checked}`,
    throws: ['SHAPE_MISMATCH', 'INDEX_OUT_OF_RANGE', 'BAD_DTYPE'],
    example: 'nn.functional.nllLoss(tensor([[-1, -2]]), tensor([1])) // 2',
    params: {
      input: tensor('log-probabilities [N, C], [N, C, …] or [C]'),
      target: tensor('classes [N], [N, …] or without dims'),
      weight: classWeight,
      ignoreIndex,
      reduction,
    },
    uncompared: ['weight'],
    lower: (c, loss) => classes.nllLoss(c, { call: 'nllLoss', ...loss }),
  }),
  cosineSimilarity: row({
    ...lossFacts,
    gradient: 'smooth',
    shape: 'the broadcast shape of the inputs, without the dim',
    torch: ['torch.nn.functional.cosine_similarity', 'torch.cosine_similarity'],
    modules: [
      {
        name: 'CosineSimilarity',
        example: 'new nn.CosineSimilarity()(tensor([[1, 0]]), tensor([[1, 1]])) // [0.7071…]',
        settings: ['dim', 'eps'],
      },
    ],
    forms: ['functional', 'function'],
    summary: 'The cosine similarity of vectors along a dim: x · y / (max(‖x‖, eps) · max(‖y‖, eps)).',
    throws: ['SHAPE_MISMATCH', 'BAD_DIM'],
    example: 'nn.functional.cosineSimilarity(tensor([[1, 0]]), tensor([[1, 1]])) // [0.7071…]',
    params: {
      x1: tensor('vectors'),
      x2: tensor('vectors'),
      dim: optional(dim('the dim of the vectors'), 1),
      eps: optional(number('the smallest norm'), 1e-8),
    },
    lower: (c, { x1, x2, dim, eps }) => margins.cosineSimilarity(c, x1, x2, dim, eps),
  }),
  pairwiseDistance: row({
    ...lossFacts,
    gradient: 'smooth',
    shape: 'the broadcast shape of the inputs, without the last dim',
    torch: ['torch.nn.functional.pairwise_distance', 'torch.pairwise_distance'],
    modules: [
      {
        name: 'PairwiseDistance',
        example: 'new nn.PairwiseDistance()(tensor([[0, 0]]), tensor([[3, 4]])) // [5]',
        settings: ['p', 'eps', 'keepDim'],
      },
    ],
    forms: ['functional', 'function'],
    summary: '‖x - y + eps‖ₚ over the last dim.',
    example: 'nn.functional.pairwiseDistance(tensor([[3, 4]]), tensor([[0, 0]])) // [5]',
    params: {
      x1: tensor('vectors'),
      x2: tensor('vectors'),
      p: optional(number('the order of the norm'), 2),
      eps: optional(number('added to the differences'), 1e-6),
      keepDim: spelled('keepdim', optional(flag('keeps the last dim, with size 1'), false)),
    },
    lower: ({ b }, { x1, x2, p, eps, keepDim }) => margins.pairwiseDistance(b, x1, x2, p, eps, keepDim),
  }),
  marginRankingLoss: row({
    ...marginLike,
    modules: [
      {
        name: 'MarginRankingLoss',
        example: 'new nn.MarginRankingLoss({ margin: 1 })(tensor([1, 2]), tensor([0, 4]), tensor([1, 1])) // 1.5',
        settings: ['margin', 'reduction'],
      },
    ],
    summary: 'max(0, -y · (x1 - x2) + margin): y is 1 where x1 should be ranked higher, -1 where x2.',
    example: 'nn.functional.marginRankingLoss(tensor([1]), tensor([3]), tensor([1])) // 2',
    params: {
      input1: tensor('scores'),
      input2: tensor('scores'),
      target: tensor('1 or -1 for each pair'),
      margin: optional(number('the margin between the scores'), 0),
      reduction,
    },
    lower: ({ b }, { input1, input2, target, margin, reduction }) =>
      margins.marginRanking(b, input1, input2, target, margin, reduction),
  }),
  cosineEmbeddingLoss: row({
    ...marginLike,
    modules: [
      {
        name: 'CosineEmbeddingLoss',
        example: 'new nn.CosineEmbeddingLoss()(tensor([[1, 0]]), tensor([[0, 1]]), tensor([1])) // 1',
        settings: ['margin', 'reduction'],
      },
    ],
    summary: '1 - cos(x1, x2) for targets 1, max(0, cos(x1, x2) - margin) for targets -1.',
    example: 'nn.functional.cosineEmbeddingLoss(tensor([[1, 0]]), tensor([[0, 1]]), tensor([1])) // 1',
    params: {
      input1: tensor('vectors [N, D] or [D]'),
      input2: tensor('vectors [N, D] or [D]'),
      target: tensor('1 or -1 for each pair: [N], or no dims'),
      margin: optional(number('for targets -1, cosines below this give no loss'), 0),
      reduction,
    },
    lower: ({ b }, { input1, input2, target, margin, reduction }) =>
      margins.cosineEmbedding(b, input1, input2, target, margin, reduction),
  }),
  tripletMarginLoss: row({
    ...marginLike,
    modules: [
      {
        name: 'TripletMarginLoss',
        example: 'new nn.TripletMarginLoss({ margin: 4 })(tensor([[0, 0]]), tensor([[0, 1]]), tensor([[0, 3]])) // 2',
        settings: ['margin', 'p', 'eps', 'swap', 'reduction'],
      },
    ],
    summary: 'max(0, d(anchor, positive) - d(anchor, negative) + margin), where d is the distance of order p.',
    throws: ['SHAPE_MISMATCH', 'WRONG_ARGUMENT'],
    example: 'nn.functional.tripletMarginLoss(tensor([[0]]), tensor([[2]]), tensor([[1]])) // 2',
    params: {
      ...tripletFacts,
      margin: optional(number('the margin: how much farther the negative should be'), 1),
      p: optional(number('the order of the norm'), 2),
      eps: optional(number('added to the differences'), 1e-6),
      swap: optional(swap, false),
      reduction,
    },
    lower: (c, { anchor, positive, negative, margin, p, eps, swap, reduction }) => {
      positiveMargin(c, 'tripletMarginLoss', margin);
      for (const other of [positive, negative])
        if (shapeOf(other).length !== shapeOf(anchor).length)
          throw mismatch(c.b, 'tripletMarginLoss', shapeOf(anchor), shapeOf(other), 'all three need as many dims');
      const d = (x: typeof anchor, y: typeof anchor) => margins.wideDistance(c.b, x, y, p, eps);
      const far = d(anchor, negative);
      const least = swap ? c.b.minimum(far, d(positive, negative)) : far;
      return margins.triplet(c.b, d(anchor, positive), least, margin, reduction);
    },
  }),
  tripletMarginWithDistanceLoss: runRow({
    ...marginLike,
    modules: [
      {
        name: 'TripletMarginWithDistanceLoss',
        example: `const distanceFunction = (x: Tensor, y: Tensor) => x.sub(y).abs().amax(-1);
const lossFn = new nn.TripletMarginWithDistanceLoss({ distanceFunction, margin: 4 });
lossFn(tensor([[0, 0]]), tensor([[0, 1]]), tensor([[0, 3]])) // 2`,
        settings: ['distanceFunction', 'margin', 'swap', 'reduction'],
      },
    ],
    summary: '`tripletMarginLoss` with any distance function.',
    throws: ['SHAPE_MISMATCH', 'WRONG_ARGUMENT'],
    example: `const a = tensor([[0, 0]]), p = tensor([[0, 1]]), n = tensor([[0, 3]]);
const distanceFunction = (x: Tensor, y: Tensor) => x.sub(y).abs().amax(-1);
nn.functional.tripletMarginWithDistanceLoss(a, p, n, { distanceFunction, margin: 4 }) // 2`,
    params: {
      ...tripletFacts,
      distanceFunction: {
        ...byName(optional(distance('the distance between two tensors [N, D], as [N]'))),
        fallbackText: '`pairwiseDistance`',
      },
      margin: byName(optional(number('the margin: how much farther the negative should be'), 1)),
      swap: byName(optional(swap, false)),
      reduction: byName(byPlace),
    },
    run: (_maker, { anchor, positive, negative, distanceFunction, margin, swap, reduction }) => {
      const call = 'tripletMarginWithDistanceLoss';
      const usual: typeof distanceFunction = (x, y) =>
        record('pairwiseDistance', [x, y], (b, [u, v]) => margins.wideDistance(b, u!, v!, 2, 1e-6));
      const d = distanceFunction ?? usual;
      const distances = [d(anchor, positive), d(anchor, negative), ...(swap ? [d(positive, negative)] : [])];
      return record(call, distances, (b, [near, far, other]) => {
        positiveMargin({ b }, call, margin);
        return margins.triplet(b, near!, other === undefined ? far! : b.minimum(far!, other), margin, reduction);
      });
    },
  }),
  multiMarginLoss: row({
    ...facts,
    gradient: 'almost everywhere',
    modules: [
      {
        name: 'MultiMarginLoss',
        example: "new nn.MultiMarginLoss()(tensor([[0, 0.5]]), tensor([1], { dtype: 'int64' })) // 0.25",
        settings: ['p', 'margin', 'weight', 'reduction'],
      },
    ],
    summary: 'Σ over other classes of max(0, margin - x[y] + x[i])ᵖ / C.',
    throws: ['SHAPE_MISMATCH', 'INDEX_OUT_OF_RANGE', 'WRONG_ARGUMENT'],
    example: 'nn.functional.multiMarginLoss(tensor([[1, 0]]), tensor([0])) // 0',
    params: {
      input: tensor('scores [N, C] or [C]'),
      target: tensor('classes [N], or without dims'),
      p: optional(number('1 or 2'), 1),
      margin: optional(number('the margin by which the target should score higher'), 1),
      weight: classWeight,
      reduction,
    },
    uncompared: ['weight'],
    lower: (c, { input, target, p, ...rest }) => {
      if (p !== 1 && p !== 2) throw refused(c.b, { call: 'multiMarginLoss', argument: 'p' }, String(p), '1 or 2');
      return margins.multiMargin(c, input, target, { p, ...rest });
    },
  }),
  multilabelMarginLoss: row({
    ...facts,
    gradient: 'almost everywhere',
    modules: [
      {
        name: 'MultiLabelMarginLoss',
        example: "new nn.MultiLabelMarginLoss()(tensor([[0, 0.5]]), tensor([[1, -1]], { dtype: 'int64' })) // 0.25",
        settings: ['reduction'],
      },
    ],
    summary: 'Multi-label hinge loss: each row of the target lists classes, up to the first -1.',
    throws: ['SHAPE_MISMATCH', 'INDEX_OUT_OF_RANGE'],
    example: 'nn.functional.multilabelMarginLoss(tensor([[1, 0, 0]]), tensor([[0, -1, -1]])) // 0',
    params: { input: tensor('scores [N, C] or [C]'), target: tensor('classes, with the same shape'), reduction },
    lower: (c, { input, target, reduction }) => margins.multilabelMargin(c, input, target, reduction),
  }),
  multilabelSoftMarginLoss: row({
    ...lossFacts,
    gradient: 'smooth',
    modules: [
      {
        name: 'MultiLabelSoftMarginLoss',
        example: 'new nn.MultiLabelSoftMarginLoss()(tensor([[0, 0]]), tensor([[0, 1]])) // 0.6931…',
        settings: ['weight', 'reduction'],
      },
    ],
    summary: 'The mean over classes of the binary cross-entropy of logits, for targets 0 and 1.',
    example: 'nn.functional.multilabelSoftMarginLoss(tensor([[0, 0]]), tensor([[1, 0]])) // 0.6931…',
    params: {
      input: tensor('logits [N, C]'),
      target: tensor('0 or 1, with the same shape'),
      weight: optional(tensor('a weight for each class; broadcasts')),
      reduction,
    },
    lower: ({ b }, { input, target, weight, reduction }) =>
      margins.multilabelSoftMargin(b, input, target, weight, reduction),
  }),
  ctcLoss: row({
    ...facts,
    gradient: 'smooth',
    modules: [
      {
        name: 'CTCLoss',
        example: `const lossFn = new nn.CTCLoss({ reduction: 'sum' });
lossFn(zeros(4, 1, 3).logSoftmax(2), tensor([[1, 2]], { dtype: 'int64' }), [4], [2]) // 1.6864`,
        settings: ['blank', 'reduction', 'zeroInfinity'],
      },
    ],
    summary: 'Connectionist temporal classification (Graves et al., 2006); the recursion over time is unrolled.',
    throws: ['WRONG_ARGUMENT', 'INDEX_OUT_OF_RANGE'],
    differs:
      'The gradient is that of the formula. PyTorch’s is with respect to logits, and so correct only after `logSoftmax`, where both are equal.',
    example: `const logProbabilities = zeros(4, 1, 3).logSoftmax(2);
nn.functional.ctcLoss(logProbabilities, tensor([[1, 2]], { dtype: 'int64' }), [4], [2], { reduction: 'sum' }) // 1.6864`,
    params: {
      logProbs: tensor('log-probabilities [T, N, C], or [T, C]'),
      targets: tensor('labels [N, S], padded, or all in one row'),
      inputLengths: lengths('the number of valid steps of each sequence'),
      targetLengths: lengths('the number of labels of each sequence'),
      blank: optional(int('the class of the blank label'), 0),
      reduction: optional(
        oneOf('how the losses are reduced; the mean first divides each by its number of labels', reductions),
        'mean',
      ),
      zeroInfinity: optional(flag('infinite losses, which occur for targets that are too long, count as zero'), false),
    },
    uncompared: ['logProbs'],
    lower: (c, loss) => ctcLoss(c, loss),
  }),
});
