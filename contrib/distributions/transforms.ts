// Invertible transforms of tensors, with the logarithm of their Jacobian: `torch.distributions.transforms`.
import { wrongArgument } from '../../src/tensor/check-arguments.ts';
import * as constraints from '../../src/tensor/distributions/constraints.ts';
import { softplus } from '../../src/tensor/distributions/discrete.ts';
import type { Distribution, Shape } from '../../src/tensor/distributions/distribution.ts';
import { sumRightmost } from '../../src/tensor/distributions/independent.ts';
import { cat, stack } from '../../src/tensor/generated/functions.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';

/**
 * A transform of tensors. PyTorch: `torch.distributions.transforms.Transform`.
 * @example
 * const halve: distributions.transforms.Transform = new distributions.transforms.AffineTransform(0, 0.5);
 * halve.call(tensor([2, 4])) // [1, 2]
 * halve.inverse(tensor([1, 2])) // [2, 4]
 */
export abstract class Transform {
  /** The values that it can be applied to. */
  abstract readonly domain: constraints.Constraint;
  /** The values that it returns. */
  abstract readonly codomain: constraints.Constraint;
  /** Whether it is bijective. */
  readonly bijective: boolean = true;
  /** 1 if the transform is increasing, -1 if decreasing, 0 if neither. */
  readonly sign: 1 | 0 | -1 | Tensor = 0;
  /** The transformed values. */
  abstract call(x: Tensor): Tensor;
  /** The original values. */
  abstract inverse(y: Tensor): Tensor;
  /** log |det dy/dx|, without the dims of an event. */
  abstract logAbsDetJacobian(x: Tensor, y: Tensor): Tensor;
  /** The inverse as a transform. */
  get inv(): Transform {
    return new InverseTransform(this);
  }
  /** The shape of the result. */
  forwardShape(shape: Shape): Shape {
    return shape;
  }
  /** The shape of the input. */
  inverseShape(shape: Shape): Shape {
    return shape;
  }
}
class InverseTransform extends Transform {
  readonly #of: Transform;
  constructor(of: Transform) {
    super();
    this.#of = of;
  }
  get domain(): constraints.Constraint {
    return this.#of.codomain;
  }
  get codomain(): constraints.Constraint {
    return this.#of.domain;
  }
  override get inv(): Transform {
    return this.#of;
  }
  call(x: Tensor): Tensor {
    return this.#of.inverse(x);
  }
  inverse(y: Tensor): Tensor {
    return this.#of.call(y);
  }
  logAbsDetJacobian(x: Tensor, y: Tensor): Tensor {
    return this.#of.logAbsDetJacobian(y, x).neg();
  }
  override forwardShape(shape: Shape): Shape {
    return this.#of.inverseShape(shape);
  }
  override inverseShape(shape: Shape): Shape {
    return this.#of.forwardShape(shape);
  }
}
Object.defineProperty(InverseTransform.prototype, 'sign', {
  get(this: InverseTransform) {
    return this.inv.sign;
  },
});

/**
 * exp(x). PyTorch: `ExpTransform`.
 * @example
 * new distributions.transforms.ExpTransform().call(tensor([0, 1])) // [1, 2.7182…]
 */
export class ExpTransform extends Transform {
  readonly domain = constraints.real;
  readonly codomain = constraints.positive;
  override readonly sign = 1;
  call(x: Tensor): Tensor {
    return x.exp();
  }
  inverse(y: Tensor): Tensor {
    return y.log();
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    return x;
  }
}
/**
 * x to a power, for x above 0. PyTorch: `PowerTransform`.
 * @example
 * new distributions.transforms.PowerTransform(2).call(tensor([2, 3])) // [4, 9]
 */
export class PowerTransform extends Transform {
  /** The exponent. */
  readonly exponent: Tensor | number;
  readonly domain = constraints.positive;
  readonly codomain = constraints.positive;
  override readonly sign: 1 | -1 | Tensor;
  constructor(exponent: Tensor | number) {
    super();
    this.exponent = exponent;
    this.sign = typeof exponent === 'number' ? (exponent < 0 ? -1 : 1) : exponent.sign();
  }
  call(x: Tensor): Tensor {
    return x.pow(this.exponent);
  }
  inverse(y: Tensor): Tensor {
    return y.pow(typeof this.exponent === 'number' ? 1 / this.exponent : this.exponent.reciprocal());
  }
  logAbsDetJacobian(x: Tensor, y: Tensor): Tensor {
    return y.mul(this.exponent).div(x).abs().log();
  }
}
/**
 * 1 / (1 + exp(-x)). PyTorch: `SigmoidTransform`.
 * @example
 * new distributions.transforms.SigmoidTransform().call(tensor([0, 2])) // [0.5, 0.8807…]
 */
export class SigmoidTransform extends Transform {
  readonly domain = constraints.real;
  readonly codomain = constraints.unitInterval;
  override readonly sign = 1;
  call(x: Tensor): Tensor {
    const eps = x.type.elementType === 'f64' ? 2 ** -52 : 2 ** -23;
    const tiny = x.type.elementType === 'f64' ? 2 ** -1022 : 2 ** -126;
    return x.sigmoid().clamp(tiny, 1 - eps);
  }
  inverse(y: Tensor): Tensor {
    return y.log().sub(y.neg().log1p());
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    return softplus(x.neg()).add(softplus(x)).neg();
  }
}
/**
 * log(1 + exp(x)). PyTorch: `SoftplusTransform`.
 * @example
 * new distributions.transforms.SoftplusTransform().call(tensor([0, 1])) // [0.6931…, 1.3132…]
 */
export class SoftplusTransform extends Transform {
  readonly domain = constraints.real;
  readonly codomain = constraints.positive;
  override readonly sign = 1;
  call(x: Tensor): Tensor {
    return softplus(x);
  }
  inverse(y: Tensor): Tensor {
    return y.neg().expm1().neg().log().add(y);
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    return softplus(x.neg()).neg();
  }
}
/**
 * The hyperbolic tangent. PyTorch: `TanhTransform`.
 * @example
 * new distributions.transforms.TanhTransform().call(tensor([0, 1])) // [0, 0.7615…]
 */
export class TanhTransform extends Transform {
  readonly domain = constraints.real;
  readonly codomain = constraints.interval(-1, 1);
  override readonly sign = 1;
  call(x: Tensor): Tensor {
    return x.tanh();
  }
  inverse(y: Tensor): Tensor {
    return y.atanh();
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    return x
      .neg()
      .add(Math.LN2)
      .sub(softplus(x.mul(-2)))
      .mul(2);
  }
}
/**
 * |x|; the inverse is the positive one. PyTorch: `AbsTransform`.
 * @example
 * new distributions.transforms.AbsTransform().call(tensor([-2, 3])) // [2, 3]
 */
export class AbsTransform extends Transform {
  readonly domain = constraints.real;
  readonly codomain = constraints.positive;
  override readonly bijective = false;
  call(x: Tensor): Tensor {
    return x.abs();
  }
  inverse(y: Tensor): Tensor {
    return y;
  }
  logAbsDetJacobian(): Tensor {
    throw wrongArgument(
      { call: 'AbsTransform.logAbsDetJacobian', argument: 'this' },
      'a transform that is not invertible',
      'a bijective transform',
    );
  }
}
/**
 * loc + scale · x. PyTorch: `AffineTransform`.
 * @example
 * new distributions.transforms.AffineTransform(1, 2).call(tensor([0, 3])) // [1, 7]
 */
export class AffineTransform extends Transform {
  /** The location. */
  readonly loc: Tensor | number;
  /** The scale. */
  readonly scale: Tensor | number;
  /** The number of dims of an event. */
  readonly eventDim: number;
  readonly domain: constraints.Constraint;
  readonly codomain: constraints.Constraint;
  override readonly sign: 1 | -1 | Tensor;
  constructor(loc: Tensor | number, scale: Tensor | number, eventDim = 0) {
    super();
    this.loc = loc;
    this.scale = scale;
    this.eventDim = eventDim;
    this.domain = constraints.independent(constraints.real, eventDim);
    this.codomain = this.domain;
    this.sign = typeof scale === 'number' ? (scale < 0 ? -1 : 1) : scale.sign();
  }
  call(x: Tensor): Tensor {
    return x.mul(this.scale).add(this.loc);
  }
  inverse(y: Tensor): Tensor {
    return y.sub(this.loc).div(this.scale);
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    const size =
      typeof this.scale === 'number'
        ? x.newFull(x.shape, Math.log(Math.abs(this.scale)))
        : this.scale.abs().log().add(x.detach().mul(0));
    return sumRightmost(size, this.eventDim);
  }
}
/**
 * exp(x) divided by their sum; the inverse is not unique. PyTorch: `SoftmaxTransform`.
 * @example
 * new distributions.transforms.SoftmaxTransform().call(tensor([0, 0])) // [0.5, 0.5]
 */
export class SoftmaxTransform extends Transform {
  readonly domain = constraints.realVector;
  readonly codomain = constraints.simplex;
  override readonly bijective = false;
  call(x: Tensor): Tensor {
    return x.softmax(-1);
  }
  inverse(y: Tensor): Tensor {
    return y.log();
  }
  logAbsDetJacobian(): Tensor {
    throw wrongArgument(
      { call: 'SoftmaxTransform.logAbsDetJacobian', argument: 'this' },
      'a transform that is not invertible',
      'a bijective transform, such as StickBreakingTransform',
    );
  }
}
/**
 * From n numbers to n + 1 probabilities, by breaking off parts of a stick. PyTorch: `StickBreakingTransform`.
 * @example
 * new distributions.transforms.StickBreakingTransform().call(zeros(2)) // [0.3333…, 0.3333…, 0.3333…]
 */
export class StickBreakingTransform extends Transform {
  readonly domain = constraints.realVector;
  readonly codomain = constraints.simplex;
  /** n, n - 1, … 1. */
  #left(x: Tensor): Tensor {
    const n = x.shape.at(-1)!;
    return x
      .detach()
      .newOnes([n])
      .cumsum(0)
      .neg()
      .add(n + 1);
  }
  call(x: Tensor): Tensor {
    const z = x.sub(this.#left(x).log()).sigmoid();
    const rest = z.neg().add(1).cumprod(-1);
    const one = z.detach().newOnes([...z.shape.slice(0, -1), 1]);
    return (cat([z, one], -1) as Tensor).mul(cat([one, rest], -1) as Tensor);
  }
  inverse(y: Tensor): Tensor {
    const n = y.shape.at(-1)! - 1;
    const first = y.narrow(-1, 0, n);
    const eps = y.type.elementType === 'f64' ? 2 ** -1022 : 2 ** -126;
    const left = first.cumsum(-1).neg().add(1).clampMin(eps);
    return first.log().sub(left.log()).add(this.#left(first).log());
  }
  logAbsDetJacobian(x: Tensor, y: Tensor): Tensor {
    const moved = x.sub(this.#left(x).log());
    const n = x.shape.at(-1)!;
    return moved
      .neg()
      .sub(softplus(moved.neg()))
      .add(y.narrow(-1, 0, n).log())
      .sum(-1);
  }
  override forwardShape(shape: Shape): Shape {
    return [...shape.slice(0, -1), shape.at(-1)! + 1];
  }
  override inverseShape(shape: Shape): Shape {
    return [...shape.slice(0, -1), shape.at(-1)! - 1];
  }
}
/**
 * A lower triangular matrix with the exponentials of the diagonal. PyTorch: `LowerCholeskyTransform`.
 * @example
 * new distributions.transforms.LowerCholeskyTransform().call(tensor([[0, 5], [2, 0]])) // [[1, 0], [2, 1]]
 */
export class LowerCholeskyTransform extends Transform {
  readonly domain = constraints.independent(constraints.real, 2);
  readonly codomain = constraints.lowerCholesky;
  call(x: Tensor): Tensor {
    return x.tril(-1).add(x.diagonal(0, -2, -1).exp().diagEmbed());
  }
  inverse(y: Tensor): Tensor {
    return y.tril(-1).add(y.diagonal(0, -2, -1).log().diagEmbed());
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    return x.diagonal(0, -2, -1).sum(-1);
  }
}
/**
 * L · Lᵀ for `LowerCholeskyTransform`'s L. PyTorch: `PositiveDefiniteTransform`.
 * @example
 * new distributions.transforms.PositiveDefiniteTransform().call(tensor([[0, 5], [2, 0]])) // [[1, 2], [2, 5]]
 */
export class PositiveDefiniteTransform extends Transform {
  readonly domain = constraints.independent(constraints.real, 2);
  readonly codomain = constraints.positiveDefinite;
  readonly #lower = new LowerCholeskyTransform();
  call(x: Tensor): Tensor {
    const lower = this.#lower.call(x);
    return lower.matmul(lower.transpose(-2, -1));
  }
  inverse(y: Tensor): Tensor {
    return this.#lower.inverse(y.cholesky());
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    const n = x.shape.at(-1)!;
    const weights = x
      .detach()
      .newOnes([n])
      .cumsum(0)
      .neg()
      .add(n + 2);
    return x
      .diagonal(0, -2, -1)
      .mul(weights)
      .sum(-1)
      .add(n * Math.LN2);
  }
}
/** The methods that `CumulativeDistributionTransform` needs of a distribution. */
export interface WithQuantiles extends Distribution {
  /** The probability of a value not above x. */
  cdf(x: Tensor): Tensor;
  /** The inverse of `cdf`. */
  icdf(p: Tensor): Tensor;
}
/**
 * The cumulative distribution function of a distribution, which gives uniform numbers. PyTorch:
 * `CumulativeDistributionTransform`.
 * @example
 * const uniformly = new distributions.transforms.CumulativeDistributionTransform(new distributions.Normal(0, 1));
 * uniformly.call(tensor([0, 1])) // [0.5, 0.8413…]
 */
export class CumulativeDistributionTransform extends Transform {
  /** The distribution whose cumulative distribution function is applied. */
  readonly distribution: WithQuantiles;
  readonly codomain = constraints.unitInterval;
  override readonly sign = 1;
  constructor(distribution: WithQuantiles) {
    super();
    this.distribution = distribution;
  }
  get domain(): constraints.Constraint {
    return this.distribution.support;
  }
  call(x: Tensor): Tensor {
    return this.distribution.cdf(x);
  }
  inverse(y: Tensor): Tensor {
    return this.distribution.icdf(y);
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    return this.distribution.logProb(x);
  }
}
/**
 * Treats the last dims as one event. PyTorch: `IndependentTransform`.
 * @example
 * const exp2 = new distributions.transforms.IndependentTransform(new distributions.transforms.ExpTransform(), 1);
 * exp2.logAbsDetJacobian(tensor([1, 2]), tensor([1, 2]).exp()) // 3
 */
export class IndependentTransform extends Transform {
  /** The transform that is applied. */
  readonly base: Transform;
  readonly #dims: number;
  readonly domain: constraints.Constraint;
  readonly codomain: constraints.Constraint;
  override readonly bijective: boolean;
  constructor(base: Transform, reinterpretedBatchNdims: number) {
    super();
    this.base = base;
    this.#dims = reinterpretedBatchNdims;
    this.bijective = base.bijective;
    this.domain = constraints.independent(base.domain, reinterpretedBatchNdims);
    this.codomain = constraints.independent(base.codomain, reinterpretedBatchNdims);
  }
  call(x: Tensor): Tensor {
    return this.base.call(x);
  }
  inverse(y: Tensor): Tensor {
    return this.base.inverse(y);
  }
  logAbsDetJacobian(x: Tensor, y: Tensor): Tensor {
    return sumRightmost(this.base.logAbsDetJacobian(x, y), this.#dims);
  }
  override forwardShape(shape: Shape): Shape {
    return this.base.forwardShape(shape);
  }
  override inverseShape(shape: Shape): Shape {
    return this.base.inverseShape(shape);
  }
}
/**
 * Changes the shape of events. PyTorch: `ReshapeTransform`.
 * @example
 * new distributions.transforms.ReshapeTransform([4], [2, 2]).call(arange(4)) // [[0, 1], [2, 3]]
 */
export class ReshapeTransform extends Transform {
  /** The shape of an event before the transform. */
  readonly inShape: Shape;
  /** The shape of an event after the transform. */
  readonly outShape: Shape;
  readonly domain: constraints.Constraint;
  readonly codomain: constraints.Constraint;
  constructor(inShape: Shape, outShape: Shape) {
    super();
    const count = (shape: Shape): number => shape.reduce((n, d) => n * d, 1);
    if (count(inShape) !== count(outShape))
      throw wrongArgument({ call: 'ReshapeTransform', argument: 'outShape' }, outShape, 'as many elements as inShape');
    this.inShape = inShape;
    this.outShape = outShape;
    this.domain = constraints.independent(constraints.real, inShape.length);
    this.codomain = constraints.independent(constraints.real, outShape.length);
  }
  #batch(x: Tensor, event: Shape): readonly number[] {
    return x.shape.slice(0, x.ndim - event.length);
  }
  call(x: Tensor): Tensor {
    return x.reshape([...this.#batch(x, this.inShape), ...this.outShape]);
  }
  inverse(y: Tensor): Tensor {
    return y.reshape([...this.#batch(y, this.outShape), ...this.inShape]);
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    return x.newZeros(this.#batch(x, this.inShape));
  }
  override forwardShape(shape: Shape): Shape {
    return [...shape.slice(0, shape.length - this.inShape.length), ...this.outShape];
  }
  override inverseShape(shape: Shape): Shape {
    return [...shape.slice(0, shape.length - this.outShape.length), ...this.inShape];
  }
}
/**
 * One transform after the other. PyTorch: `ComposeTransform`.
 * @example
 * const { AffineTransform, ComposeTransform, ExpTransform } = distributions.transforms;
 * const both = new ComposeTransform([new AffineTransform(0, 2), new ExpTransform()]);
 * both.call(tensor([0, 0.5])) // [1, 2.7182…]
 */
export class ComposeTransform extends Transform {
  /** The transforms. */
  readonly parts: readonly Transform[];
  override readonly bijective: boolean;
  constructor(parts: readonly Transform[]) {
    super();
    this.parts = parts;
    this.bijective = parts.every(part => part.bijective);
  }
  get domain(): constraints.Constraint {
    return widened(this.parts[0]?.domain ?? constraints.real, this.#eventDim());
  }
  get codomain(): constraints.Constraint {
    return widened(this.parts.at(-1)?.codomain ?? constraints.real, this.#eventDim());
  }
  #eventDim(): number {
    return Math.max(0, ...this.parts.flatMap(({ domain, codomain }) => [domain.eventDim, codomain.eventDim]));
  }
  call(x: Tensor): Tensor {
    return this.parts.reduce((value, part) => part.call(value), x);
  }
  inverse(y: Tensor): Tensor {
    return this.parts.reduceRight((value, part) => part.inverse(value), y);
  }
  logAbsDetJacobian(x: Tensor, _y: Tensor): Tensor {
    const dims = this.#eventDim();
    let value = x;
    let total: Tensor | undefined;
    for (const part of this.parts) {
      const next = part.call(value);
      const own = part.domain.eventDim;
      const term = sumRightmost(part.logAbsDetJacobian(value, next), dims - own);
      total = total === undefined ? term : total.add(term);
      value = next;
    }
    return total ?? x.newZeros(x.shape);
  }
  override forwardShape(shape: Shape): Shape {
    return this.parts.reduce((value, part) => part.forwardShape(value), shape);
  }
  override inverseShape(shape: Shape): Shape {
    return this.parts.reduceRight((value, part) => part.inverseShape(value), shape);
  }
}
const widened = (constraint: constraints.Constraint, eventDim: number): constraints.Constraint =>
  constraint.eventDim >= eventDim ? constraint : constraints.independent(constraint, eventDim - constraint.eventDim);

/**
 * One transform for each entry of a dim. PyTorch: `StackTransform`.
 * @example
 * const { AbsTransform, ExpTransform, StackTransform } = distributions.transforms;
 * new StackTransform([new AbsTransform(), new ExpTransform()]).call(tensor([-1, 0])) // [1, 1]
 */
export class StackTransform extends Transform {
  /** The transforms. */
  readonly parts: readonly Transform[];
  /** The dim of the parts. */
  readonly dim: number;
  constructor(parts: readonly Transform[], dim = 0) {
    super();
    this.parts = parts;
    this.dim = dim;
  }
  get domain(): constraints.Constraint {
    return this.parts[0]?.domain ?? constraints.real;
  }
  get codomain(): constraints.Constraint {
    return this.parts[0]?.codomain ?? constraints.real;
  }
  #each(x: Tensor, apply: (part: Transform, entry: Tensor, i: number) => Tensor): Tensor {
    if (x.shape.at(this.dim) !== this.parts.length)
      throw wrongArgument({ call: 'StackTransform', argument: 'x' }, x, `${this.parts.length} entries at the dim`);
    return stack(
      this.parts.map((part, i) => apply(part, x.select(this.dim, i), i)),
      this.dim,
    ) as Tensor;
  }
  call(x: Tensor): Tensor {
    return this.#each(x, (part, entry) => part.call(entry));
  }
  inverse(y: Tensor): Tensor {
    return this.#each(y, (part, entry) => part.inverse(entry));
  }
  logAbsDetJacobian(x: Tensor, y: Tensor): Tensor {
    return this.#each(x, (part, entry, i) => part.logAbsDetJacobian(entry, y.select(this.dim, i)));
  }
}
/**
 * One transform for each part of a dim, of these lengths. PyTorch: `CatTransform`.
 * @example
 * const { AbsTransform, CatTransform, ExpTransform } = distributions.transforms;
 * new CatTransform([new AbsTransform(), new ExpTransform()], 0, [2, 1]).call(tensor([-1, -2, 0])) // [1, 2, 1]
 */
export class CatTransform extends Transform {
  /** The transforms. */
  readonly parts: readonly Transform[];
  /** The dim of the parts. */
  readonly dim: number;
  /** The size of each part along `dim`. */
  readonly lengths: readonly number[];
  constructor(parts: readonly Transform[], dim = 0, lengths: readonly number[] = parts.map(() => 1)) {
    super();
    this.parts = parts;
    this.dim = dim;
    this.lengths = lengths;
  }
  get domain(): constraints.Constraint {
    return this.parts[0]?.domain ?? constraints.real;
  }
  get codomain(): constraints.Constraint {
    return this.parts[0]?.codomain ?? constraints.real;
  }
  #each(values: readonly Tensor[], apply: (part: Transform, ...entries: Tensor[]) => Tensor): Tensor {
    let end = 0;
    const pieces = this.parts.map((part, i) => {
      const length = this.lengths[i]!;
      end += length;
      return apply(part, ...values.map(x => x.narrow(this.dim, end - length, length)));
    });
    return cat(pieces, this.dim) as Tensor;
  }
  call(x: Tensor): Tensor {
    return this.#each([x], (part, entry) => part.call(entry!));
  }
  inverse(y: Tensor): Tensor {
    return this.#each([y], (part, entry) => part.inverse(entry!));
  }
  logAbsDetJacobian(x: Tensor, y: Tensor): Tensor {
    return this.#each([x, y], (part, entry, result) => part.logAbsDetJacobian(entry!, result!));
  }
}
/** The transform that changes nothing. */
export const identityTransform: Transform = new ComposeTransform([]);
