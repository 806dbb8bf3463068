// Matrices that stay orthogonal in training (Lezcano-Casado, 2019): torch.nn.utils.parametrizations.orthogonal.
//
//   matrixExp    Q = exp(A), A = X − Xᵀ, X lower triangular
//   cayley       Q = (I + A/2)(I − A/2)⁻¹
//   householder  Q = H₁ H₂ … H_k, reflections along the columns of X below the diagonal; its diagonal holds signs
//
// With trivialization, the result is base · Q, and training starts at Q = I.

import { ownState } from '../../src/nn/module/computed-members.ts';
import { Module } from '../../src/nn/module/module.ts';
import { StateBuffer } from '../../src/nn/module/parameter.ts';
import { registerParametrization } from '../../src/nn/utils/parametrize.ts';
import {
  cat,
  checkOptionNames,
  eye,
  linalg,
  noGrad,
  randn,
  Tensor,
  tensor,
  wrongArgument,
} from '../../src/tensor/index.ts';
import { checkWord } from '../../src/tensor/settings.ts';

/** How an orthogonal matrix is computed from an unconstrained one. */
export type OrthogonalMap = 'matrixExp' | 'cayley' | 'householder';
const orthogonalMaps: readonly OrthogonalMap[] = ['matrixExp', 'cayley', 'householder'];
/** Options of `orthogonal`. */
export interface OrthogonalOptions {
  /** 'matrixExp' for square matrices, 'householder' for others by default. */
  readonly orthogonalMap?: OrthogonalMap;
  /** Keeps the initial matrix as `base`, and trains its factor; true by default. */
  readonly useTrivialization?: boolean;
}

const options = (x: Tensor) => ({ dtype: x.dtype, device: x.device });
const identity = (size: number, like: Tensor): Tensor => eye(size, size, options(like));

/** H₁ … H_k, its first k columns: I − V T Vᵀ, where T⁻¹ is the upper triangle of VᵀV with its diagonal halved. */
function reflections(x: Tensor): Tensor {
  const [n, k] = x.shape.slice(-2) as [number, number];
  const unit = eye(n, k, options(x));
  const v = x.tril(-1).add(unit);
  const products = v.mT.matmul(v);
  const inverse = products.triu(1).add(products.mul(identity(k, x)).mul(0.5));
  const first = v.narrow(-2, 0, k).mT;
  return unit.sub(v.matmul(linalg.solveTriangular(inverse, first, true)));
}

/** The reflections and signs of an orthogonal matrix [n, k], n ≥ k, as in LAPACK's geqrf: on the host, one matrix of a batch. */
function reflectionsOf(q: Float64Array, n: number, k: number): Float64Array {
  const a = Float64Array.from(q);
  for (let j = 0; j < k; j++) {
    let below = 0;
    for (let i = j + 1; i < n; i++) below += a[i * k + j]! ** 2;
    const alpha = a[j * k + j]!;
    // Nothing below the diagonal: no reflection, and the sign is flipped to undo the reflection in the forward pass.
    const isPlain = below === 0;
    const beta = isPlain ? alpha : -Math.sign(alpha || 1) * Math.sqrt(alpha ** 2 + below);
    const v = Array.from({ length: n }, (_, i) =>
      i < j ? 0 : i === j ? 1 : isPlain ? 0 : a[i * k + j]! / (alpha - beta),
    );
    const tau = isPlain ? 0 : (beta - alpha) / beta;
    for (let c = j; c < k; c++) {
      let dot = 0;
      for (let i = j; i < n; i++) dot += v[i]! * a[i * k + c]!;
      for (let i = j; i < n; i++) a[i * k + c]! -= tau * dot * v[i]!;
    }
    a[j * k + j] = isPlain ? -Math.sign(alpha) : Math.sign(beta);
    for (let i = j + 1; i < n; i++) a[i * k + j] = v[i]!;
  }
  return a;
}

/** The orthogonal factor of QR: orthonormal columns, R with a positive diagonal. */
function orthonormal(x: Tensor): Tensor {
  const { Q, R } = linalg.qr(x);
  return Q.mul(R.diagonal(0, -2, -1).sign().unsqueeze(-2));
}

class _Orthogonal extends Module {
  declare base: StateBuffer | undefined;
  readonly #map: OrthogonalMap;
  readonly #isTrivialized: boolean;
  constructor(map: OrthogonalMap, useTrivialization: boolean) {
    super();
    this.#map = map;
    this.#isTrivialized = useTrivialization;
  }
  override forward(given: Tensor): Tensor {
    const isWide = given.shape.at(-2)! < given.shape.at(-1)!;
    let x = isWide ? given.mT : given;
    const [n, k] = x.shape.slice(-2) as [number, number];
    let q: Tensor;
    if (this.#map === 'householder') {
      const signs = x
        .detach()
        .mul(eye(n, k, options(x)))
        .sum(-2, true)
        .trunc();
      q = reflections(x).mul(signs);
    } else {
      x = x.tril();
      if (n !== k) x = cat([x, x.newZeros([...x.shape.slice(0, -1), n - k])], -1);
      const a = x.sub(x.mT);
      if (this.#map === 'matrixExp') q = linalg.matrixExp(a);
      else {
        const id = identity(n, a);
        q = linalg.solve(id.sub(a.mul(0.5)), id.add(a.mul(0.5)));
      }
      q = q.narrow(-1, 0, k);
    }
    if (this.base !== undefined) q = this.base.matmul(q);
    return isWide ? q.mT : q;
  }
  rightInverse(value: Tensor): Tensor {
    return noGrad(() => {
      const isWide = value.shape.at(-2)! < value.shape.at(-1)!;
      const q = isWide ? value.mT : value;
      const [n, k] = q.shape.slice(-2) as [number, number];
      const turned = (x: Tensor): Tensor => (isWide ? x.mT.clone() : x.clone());
      if (!this.#isTrivialized) {
        if (this.#map !== 'householder')
          throw wrongArgument(
            { call: 'parametrizations.orthogonal', argument: 'the assignment' },
            value,
            'an orthogonal map with a right inverse',
            "use orthogonalMap: 'householder', or useTrivialization: true",
          );
        const all = q.double().contiguous().data as Float64Array;
        const made = new Float64Array(all.length);
        for (let at = 0; at < all.length; at += n * k) made.set(reflectionsOf(all.subarray(at, at + n * k), n, k), at);
        return turned(tensor(made, { shape: q.shape, ...options(q) }));
      }
      let base = q;
      if (n === k) {
        const off = q.mT.matmul(q).sub(identity(n, q)).abs().amax().item<number>();
        if (!(off <= 10 * n * 1.2e-7)) base = orthonormal(q);
      } else {
        base = orthonormal(cat([q, randn([...q.shape.slice(0, -2), n, n - k], options(q))], -1));
      }
      if (this.base === undefined) this.registerBuffer('base', new StateBuffer(base.clone()));
      else this.base.assign_(base);
      return turned(eye(n, k, options(q)).neg().expand(q.shape));
    });
  }
}

/**
 * Keeps `module[name]`, a matrix [m, n] or a batch of them, orthogonal: its columns are orthonormal if m ≥ n, its rows otherwise.
 * It starts at the current value if that is orthogonal, else at the orthogonal factor of its QR decomposition.
 *
 *     const layer = nn.utils.parametrizations.orthogonal(new nn.Linear(20, 40));
 *     layer.weight.mT.matmul(layer.weight); // the identity [20, 20]
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_MEMBER} if the module has no such parameter
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = nn.utils.parametrizations.orthogonal(new nn.Linear(3, 3));
 * layer.weight.matmul(layer.weight.t()).allclose(eye(3), { atol: 1e-5 }) // true
 */
export function orthogonal<M extends Module>(module: M, name = 'weight', given: OrthogonalOptions = {}): M {
  const call = 'parametrizations.orthogonal';
  checkOptionNames(call, given, ['orthogonalMap', 'useTrivialization']);
  const weight = Object.getOwnPropertyDescriptor(module, name)?.value as unknown;
  const value = weight instanceof Tensor ? weight : ownState(call, module, name);
  if (value.ndim < 2) throw wrongArgument({ call, argument: name }, value, 'a matrix or a batch of matrices');
  const isSquare = value.shape.at(-2) === value.shape.at(-1);
  const { orthogonalMap = isSquare ? 'matrixExp' : 'householder', useTrivialization = true } = given;
  checkWord(call, 'orthogonalMap', orthogonalMap, orthogonalMaps);
  return registerParametrization(module, name, new _Orthogonal(orthogonalMap, useTrivialization), { unsafe: true });
}
