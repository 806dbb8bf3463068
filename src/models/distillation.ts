// Distillation (Hinton et al. 2015, arXiv:1503.02531): a student learns the probabilities of a teacher and, partly, the labels.
import { TrenioError } from '../base/errors.ts';
import { refuseUnknownOptions } from '../base/known-options.ts';
import { functional as F } from '../nn/index.ts';
import { type Tensor, userLocation } from '../tensor/index.ts';

/** Options of `distillationLoss`. */
export interface DistillationOptions {
  /** Logits are divided by this: values above 1 show more of what the teacher thinks of other classes. Default 2. */
  readonly temperature?: number;
  /** The weight of the teacher's probabilities; the labels have the rest. Default 0.5. */
  readonly alpha?: number;
  /** Labels [..]: -100 counts neither for the labels nor for the teacher. Required unless `alpha` is 1. */
  readonly labels?: Tensor;
}

/**
 * The mean loss of a student: `alpha · T² · KL(teacher ‖ student) + (1 - alpha) · crossEntropy(student, labels)`; logits of both
 * are [.., classes]. For the next token, shift labels as for `nextTokenLoss`. The teacher's logits are constants.
 * @throws {INVALID_OPTION}
 * @throws {NO_SUCH_OPTION}
 * @throws {SHAPE_MISMATCH}
 * @example
 * const student = tensor([[1, 0]]), teacher = tensor([[2, 0]]);
 * distillationLoss(student, teacher, { labels: tensor([0], { dtype: 'int64' }), temperature: 1 }) // 0.1901…
 */
export function distillationLoss(student: Tensor, teacher: Tensor, options: DistillationOptions = {}): Tensor {
  refuseUnknownOptions('distillationLoss', options, ['temperature', 'alpha', 'labels']);
  const { temperature = 2, alpha = 0.5, labels } = options;
  const location = userLocation();
  const invalid = (option: string, got: unknown, expected: string): TrenioError =>
    new TrenioError('INVALID_OPTION', { what: 'distillationLoss', option, got: String(got), expected }, { location });
  if (!(temperature > 0)) throw invalid('temperature', temperature, 'a number above 0');
  if (!(alpha >= 0 && alpha <= 1)) throw invalid('alpha', alpha, 'a number from 0 to 1');
  if (labels === undefined && alpha < 1)
    throw invalid('labels', undefined, 'class numbers [..], which an alpha below 1 requires');
  const shapes = [student, teacher, ...(labels === undefined ? [] : [labels])].map(({ shape }) => shape);
  const text = (shape: readonly number[]): string => `[${shape.join(', ')}]`;
  const [own, other, rows] = shapes as [readonly number[], readonly number[], (readonly number[])?];
  if (text(own) !== text(other) || (rows !== undefined && text(rows) !== text(own.slice(0, -1))))
    throw new TrenioError(
      'SHAPE_MISMATCH',
      {
        op: 'distillationLoss',
        left: text(own),
        right: text(text(own) === text(other) ? rows! : other),
        detail: 'logits of both are [.., classes], labels [..]',
      },
      { location },
    );
  const classes = own.at(-1)!;
  const [ours, theirs] = [student, teacher.detach()].map(logits => logits.float().reshape(-1, classes)) as [
    Tensor,
    Tensor,
  ];
  const target = theirs.div(temperature).logSoftmax(-1);
  const divergence = target
    .exp()
    .mul(target.sub(ours.div(temperature).logSoftmax(-1)))
    .sum(-1); // [rows]
  const flat = labels?.reshape(-1);
  const counts = flat?.ne(-100).to('f32');
  const soft = counts === undefined ? divergence.mean() : divergence.mul(counts).sum().div(counts.sum());
  const scaled = soft.mul(alpha * temperature ** 2);
  if (flat === undefined || alpha === 1) return scaled;
  return scaled.add(F.crossEntropy(ours, flat, { ignoreIndex: -100 }).mul(1 - alpha));
}
