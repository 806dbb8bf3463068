// Normal distributions of vectors, with a full covariance or one of low rank; and the Wishart distribution of covariances.
import { wrongArgument } from '../../src/tensor/check-arguments.ts';
import * as constraints from '../../src/tensor/distributions/constraints.ts';
import {
  checkParameter,
  Distribution,
  noise,
  type Shape,
  type ValidateArgs,
} from '../../src/tensor/distributions/distribution.ts';
import { solveTriangular } from '../../src/tensor/generated/linalg.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { standardGamma } from './gamma.ts';

const logTwoPi = Math.log(2 * Math.PI);
/** One of three ways to specify the covariance. */
export interface Spread {
  /** The covariance matrix. */
  readonly covarianceMatrix?: Tensor | undefined;
  /** The inverse of the covariance matrix. */
  readonly precisionMatrix?: Tensor | undefined;
  /** The lower triangle L of covariances L · Lᵀ. */
  readonly scaleTril?: Tensor | undefined;
}
const spreadOf = (spread: Spread | Tensor): Spread =>
  spread instanceof Tensor ? { covarianceMatrix: spread } : spread;
/** The lower triangle, computed from the given matrix. @throws {WRONG_ARGUMENT} */
function lowerFactor(call: string, spread: Spread): Tensor {
  const given = Object.entries(spread).filter(([, value]) => value !== undefined) as [keyof Spread, Tensor][];
  const [first] = given;
  if (given.length !== 1 || first === undefined)
    throw wrongArgument(
      { call, argument: 'covarianceMatrix' },
      given.length === 0 ? undefined : given.map(([name]) => name),
      'exactly one of covarianceMatrix, precisionMatrix and scaleTril',
    );
  const [name, matrix] = first;
  const shape = matrix.shape;
  if (shape.length < 2 || shape.at(-1) !== shape.at(-2))
    throw wrongArgument({ call, argument: name }, matrix, 'square matrices');
  if (name === 'scaleTril') {
    checkParameter(call, name, matrix, constraints.lowerCholesky);
    return matrix;
  }
  checkParameter(call, name, matrix, constraints.positiveDefinite);
  return name === 'covarianceMatrix' ? matrix.cholesky() : factorOfInverse(matrix);
}
const identity = (like: Tensor): Tensor =>
  like
    .newOnes([like.shape.at(-1)!])
    .diagEmbed()
    .expand(like.shape);
/** The lower triangle L of P⁻¹ = L · Lᵀ: from the factor of P with both dims reversed. */
function factorOfInverse(precision: Tensor): Tensor {
  const turned = precision.flip([-2, -1]).cholesky();
  const upper = turned.flip([-2, -1]).transpose(-2, -1);
  return solveTriangular(upper, identity(precision), false) as Tensor;
}
/** xᵀ · (L · Lᵀ)⁻¹ · x along the last dim. */
export function mahalanobis(factor: Tensor, x: Tensor): Tensor {
  const column = x.unsqueeze(-1);
  const batch = broadcastBatch(factor.shape.slice(0, -2), column.shape.slice(0, -2));
  const wide = column.expand([...batch, ...column.shape.slice(-2)]);
  const solved = solveTriangular(factor.expand([...batch, ...factor.shape.slice(-2)]), wide, false) as Tensor;
  return solved.squeeze(-1).square().sum(-1);
}
function broadcastBatch(x: Shape, y: Shape): number[] {
  const rank = Math.max(x.length, y.length);
  return Array.from({ length: rank }, (_, i) => {
    const [p, q] = [x[x.length - rank + i] ?? 1, y[y.length - rank + i] ?? 1];
    return p === 1 ? q : p;
  });
}
export const logDiagonal = (factor: Tensor): Tensor => factor.diagonal(0, -2, -1).log().sum(-1);
const timesVector = (matrix: Tensor, x: Tensor): Tensor => matrix.matmul(x.unsqueeze(-1)).squeeze(-1);

/**
 * The normal distribution of vectors. PyTorch: `torch.distributions.MultivariateNormal`.
 * @example
 * const normal = new distributions.MultivariateNormal(zeros(2), { covarianceMatrix: tensor([[2, 0], [0, 3]]) });
 * normal.variance // [2, 3]
 */
export class MultivariateNormal extends Distribution {
  /** The location. */
  readonly loc: Tensor;
  /** The lower triangle L of the covariances L · Lᵀ. */
  readonly scaleTril: Tensor;
  override readonly hasRsample = true;
  /** @throws {WRONG_ARGUMENT} unless one of covarianceMatrix, precisionMatrix and scaleTril is given */
  constructor(loc: Tensor, spread: Spread | Tensor, validate?: ValidateArgs) {
    checkParameter('MultivariateNormal', 'loc', loc, constraints.realVector, validate);
    if (loc.ndim < 1) throw wrongArgument({ call: 'MultivariateNormal', argument: 'loc' }, loc, 'a vector');
    const factor = lowerFactor('MultivariateNormal', spreadOf(spread));
    const size = loc.shape.at(-1)!;
    if (factor.shape.at(-1) !== size)
      throw wrongArgument({ call: 'MultivariateNormal', argument: 'loc' }, loc, `vectors of ${factor.shape.at(-1)}`);
    const batch = broadcastBatch(factor.shape.slice(0, -2), loc.shape.slice(0, -1));
    super(batch, [size], validate);
    this.loc = loc.expand([...batch, size]);
    this.scaleTril = factor.expand([...batch, size, size]);
  }
  /** The covariances, [...batchShape, n, n]. */
  get covarianceMatrix(): Tensor {
    return this.scaleTril.matmul(this.scaleTril.transpose(-2, -1));
  }
  /** The inverse of the covariance matrix. */
  get precisionMatrix(): Tensor {
    const inverse = solveTriangular(this.scaleTril, identity(this.scaleTril), false) as Tensor;
    return inverse.transpose(-2, -1).matmul(inverse);
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.realVector;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.loc;
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.loc;
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.scaleTril.square().sum(-1);
  }
  override rsample(shape: Shape = []): Tensor {
    const x = noise(this.loc, this.extended(shape), 'standardNormal');
    return this.loc.add(timesVector(this.scaleTril, x));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const distance = mahalanobis(this.scaleTril, value.sub(this.loc));
    return distance
      .add(this.eventShape[0]! * logTwoPi)
      .mul(-0.5)
      .sub(logDiagonal(this.scaleTril));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return logDiagonal(this.scaleTril).add(0.5 * this.eventShape[0]! * (1 + logTwoPi));
  }
  expand(shape: Shape): MultivariateNormal {
    const n = this.eventShape[0]!;
    return new MultivariateNormal(this.loc.expand([...shape, n]), {
      scaleTril: this.scaleTril.expand([...shape, n, n]),
    });
  }
}

/**
 * Covariance W · Wᵀ + diagonal with few columns in W. PyTorch: `torch.distributions.LowRankMultivariateNormal`.
 * @example
 * const normal = new distributions.LowRankMultivariateNormal(zeros(3), ones(3, 1), ones(3));
 * normal.variance // [2, 2, 2]
 */
export class LowRankMultivariateNormal extends Distribution {
  /** The location. */
  readonly loc: Tensor;
  /** W, [..., n, rank]. */
  readonly covFactor: Tensor;
  /** The diagonal to add, [..., n]. */
  readonly covDiag: Tensor;
  override readonly hasRsample = true;
  constructor(loc: Tensor, covFactor: Tensor, covDiag: Tensor, validate?: ValidateArgs) {
    const call = 'LowRankMultivariateNormal';
    checkParameter(call, 'loc', loc, constraints.realVector, validate);
    checkParameter(call, 'covDiag', covDiag, constraints.independent(constraints.positive, 1), validate);
    const n = loc.shape.at(-1)!;
    if (loc.ndim < 1) throw wrongArgument({ call, argument: 'loc' }, loc, 'a vector');
    if (covFactor.ndim < 2 || covFactor.shape.at(-2) !== n)
      throw wrongArgument({ call, argument: 'covFactor' }, covFactor, `[${n}, rank], or a batch of them`);
    if (covDiag.shape.at(-1) !== n)
      throw wrongArgument({ call, argument: 'covDiag' }, covDiag, `[${n}], or a batch of them`);
    const batch = [covFactor.shape.slice(0, -2), covDiag.shape.slice(0, -1), loc.shape.slice(0, -1)].reduce<Shape>(
      broadcastBatch,
      [],
    );
    super(batch, [n], validate);
    this.loc = loc.expand([...batch, n]);
    this.covFactor = covFactor.expand([...batch, ...covFactor.shape.slice(-2)]);
    this.covDiag = covDiag.expand([...batch, n]);
  }
  /** I + Wᵀ · D⁻¹ · W, as the Cholesky factor. */
  get capacitanceTril(): Tensor {
    const turned = this.covFactor.transpose(-2, -1).div(this.covDiag.unsqueeze(-2));
    const inner = turned.matmul(this.covFactor);
    return inner.add(identity(inner)).cholesky();
  }
  /** The covariances, [...batchShape, n, n]. */
  get covarianceMatrix(): Tensor {
    return this.covFactor.matmul(this.covFactor.transpose(-2, -1)).add(this.covDiag.diagEmbed());
  }
  /** The inverse of the covariances, by the Woodbury identity. */
  get precisionMatrix(): Tensor {
    const turned = this.covFactor.transpose(-2, -1).div(this.covDiag.unsqueeze(-2));
    const solved = solveTriangular(this.capacitanceTril, turned, false) as Tensor;
    return this.covDiag.reciprocal().diagEmbed().sub(solved.transpose(-2, -1).matmul(solved));
  }
  /** The lower triangle L of the covariances L · Lᵀ. */
  get scaleTril(): Tensor {
    return this.covarianceMatrix.cholesky();
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.realVector;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.loc;
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.loc;
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.covFactor.square().sum(-1).add(this.covDiag);
  }
  override rsample(shape: Shape = []): Tensor {
    const size = this.extended(shape);
    const narrow = noise(this.loc, [...size.slice(0, -1), this.covFactor.shape.at(-1)!], 'standardNormal');
    const wide = noise(this.loc, size, 'standardNormal');
    return this.loc.add(timesVector(this.covFactor, narrow)).add(this.covDiag.sqrt().mul(wide));
  }
  #logDeterminant(): Tensor {
    return logDiagonal(this.capacitanceTril).mul(2).add(this.covDiag.log().sum(-1));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const x = value.sub(this.loc);
    const turned = this.covFactor.transpose(-2, -1).div(this.covDiag.unsqueeze(-2));
    const inside = mahalanobis(this.capacitanceTril, timesVector(turned, x));
    const distance = x.square().div(this.covDiag).sum(-1).sub(inside);
    return distance
      .add(this.#logDeterminant())
      .add(this.eventShape[0]! * logTwoPi)
      .mul(-0.5);
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.#logDeterminant()
      .add(this.eventShape[0]! * (1 + logTwoPi))
      .mul(0.5);
  }
  expand(shape: Shape): LowRankMultivariateNormal {
    return new LowRankMultivariateNormal(
      this.loc.expand([...shape, ...this.eventShape]),
      this.covFactor.expand([...shape, ...this.covFactor.shape.slice(-2)]),
      this.covDiag.expand([...shape, ...this.eventShape]),
    );
  }
}

/**
 * The distribution of sums of squares of normal vectors. PyTorch: `torch.distributions.Wishart`.
 * @example
 * new distributions.Wishart(4, { covarianceMatrix: eye(2) }).mean // [[4, 0], [0, 4]]
 */
export class Wishart extends Distribution {
  /** The degrees of freedom. */
  readonly df: Tensor;
  /** The lower triangular Cholesky factor of the scale or covariance matrix. */
  readonly scaleTril: Tensor;
  override readonly hasRsample = true;
  /** @throws {WRONG_ARGUMENT} unless one of covarianceMatrix, precisionMatrix and scaleTril is given */
  constructor(df: Tensor | number, spread: Spread | Tensor, validate?: ValidateArgs) {
    const factor = lowerFactor('Wishart', spreadOf(spread));
    const n = factor.shape.at(-1)!;
    checkParameter('Wishart', 'df', df, constraints.greaterThan(n - 1), validate);
    const given = typeof df === 'number' ? factor.newFull([], df) : df;
    const batch = broadcastBatch(factor.shape.slice(0, -2), given.shape);
    super(batch, [n, n], validate);
    this.df = given.expand(batch);
    this.scaleTril = factor.expand([...batch, n, n]);
  }
  /** The covariances of the normal vectors. */
  get covarianceMatrix(): Tensor {
    return this.scaleTril.matmul(this.scaleTril.transpose(-2, -1));
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.positiveDefinite;
  }
  #wide(x: Tensor): Tensor {
    return x.unsqueeze(-1).unsqueeze(-1);
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.#wide(this.df).mul(this.covarianceMatrix);
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.#wide(this.df.sub(this.eventShape[0]! + 1))
      .mul(this.covarianceMatrix)
      .where(this.#wide(this.df.gt(this.eventShape[0]! + 1)), Number.NaN);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    const v = this.covarianceMatrix;
    const diagonal = v.diagonal(0, -2, -1);
    const outer = diagonal.unsqueeze(-1).mul(diagonal.unsqueeze(-2));
    return this.#wide(this.df).mul(v.square().add(outer));
  }
  /** By the Bartlett decomposition. */
  override rsample(shape: Shape = []): Tensor {
    const size = this.extended(shape);
    const n = this.eventShape[0]!;
    const below = noise(this.scaleTril, size, 'standardNormal').tril(-1);
    const steps = this.df.newOnes([n]).cumsum(0).sub(1);
    const chances = this.df.unsqueeze(-1).sub(steps).mul(0.5);
    const diagonal = standardGamma(chances, size.slice(0, -1)).mul(2).sqrt();
    const factor = this.scaleTril.matmul(below.add(diagonal.diagEmbed()));
    return factor.matmul(factor.transpose(-2, -1));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const n = this.eventShape[0]!;
    const half = this.df.mul(0.5);
    const solved = value.choleskySolve(this.scaleTril).diagonal(0, -2, -1).sum(-1);
    const det = logDiagonal(value.cholesky()).mul(2);
    return this.df
      .mul(-0.5 * n * Math.LN2)
      .sub(this.df.mul(logDiagonal(this.scaleTril)))
      .sub(half.multigammaln(n))
      .add(
        this.df
          .sub(n + 1)
          .mul(0.5)
          .mul(det),
      )
      .sub(solved.mul(0.5));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    const n = this.eventShape[0]!;
    const half = this.df.mul(0.5);
    const digammas = Array.from({ length: n }, (_, i) => half.sub(i / 2).digamma()).reduce((x, y) => x.add(y));
    return logDiagonal(this.scaleTril)
      .mul(n + 1)
      .add(0.5 * n * (n + 1) * Math.LN2)
      .add(half.multigammaln(n))
      .sub(
        this.df
          .sub(n + 1)
          .mul(0.5)
          .mul(digammas),
      )
      .add(this.df.mul(0.5 * n));
  }
  expand(shape: Shape): Wishart {
    return new Wishart(this.df.expand(shape), { scaleTril: this.scaleTril.expand([...shape, ...this.eventShape]) });
  }
}
