// Matrix factorizations with data-dependent control flow in each step: programs of StableHLO's ops cannot compute them
// efficiently. They are custom calls that the compiler and the interpreter implement; each works on a batch of matrices.
//
//   trenio.eigh  A [count, n, n], symmetric   → values [count, n], vectors [count, n, n]
//   trenio.svd   A [count, m, n] with m ≥ n   → U [count, m, n], S [count, n], Vᵀ [count, n, n]
//   trenio.eig   A [count, n, n]              → values [count, n], vectors [count, n, n], both complex
//
// They compute in f64 and round once. If an element is not finite, or an iteration does not converge, results are NaN.
import { invariant } from '../../../base/errors.ts';
import type { OpAttributes } from '../../attributes.ts';
import type { Literal } from '../../literal.ts';
import type { Op, OpOf } from '../../program.ts';
import { elementCount, formatType, sameType, type TensorType, tensorType } from '../../types.ts';
import { decodeNumbers, encode, isComplex } from '../element-data.ts';
import { type Checker, checkerOf } from '../shape-checks.ts';
import { generalEigen } from './general.ts';
import { singularValues } from './singular.ts';
import { symmetricEigen } from './symmetric.ts';

const checks: Checker = checkerOf('custom_call');

const factorizationNames = ['trenio.eigh', 'trenio.svd', 'trenio.eig'] as const;
export type FactorizationName = (typeof factorizationNames)[number];

/** Which factorization an op is; undefined for all others. */
export function factorizationOf(op: Op): FactorizationName | undefined {
  if (op.name !== 'custom_call') return undefined;
  const target = op.attributes.callTargetName;
  return factorizationNames.find(name => name === target);
}

/** The results of a factorization of a batch of matrices. */
export function factorizationTypes(name: FactorizationName, a: TensorType): readonly TensorType[] {
  const [count, rows, columns] = a.shape as [number, number, number];
  const of = (type: TensorType['elementType'], ...shape: number[]): TensorType => tensorType(type, [count, ...shape]);
  const type = a.elementType;
  switch (name) {
    case 'trenio.eigh':
      return [of(type, rows), of(type, rows, rows)];
    case 'trenio.svd':
      return [of(type, rows, columns), of(type, columns), of(type, columns, columns)];
    case 'trenio.eig': {
      const complex = type === 'f32' || type === 'complex<f32>' ? 'complex<f32>' : 'complex<f64>';
      return [of(complex, rows), of(complex, rows, rows)];
    }
  }
}
/** The attributes of its call. */
export const factorizationCall = (name: FactorizationName, a: TensorType): OpAttributes['custom_call'] => ({
  callTargetName: name,
  backendConfig: '',
  resultTypes: factorizationTypes(name, a),
  hasSideEffect: false,
});

/** The compiled kernel relies on the types, so they are checked like those of other ops. */
export function verifyFactorization(op: OpOf<'custom_call'>): void {
  const name = factorizationOf(op);
  if (name === undefined) return;
  const [a] = op.operands;
  const type = a?.type;
  const elements = ['f32', 'f64', ...(name === 'trenio.eig' ? ['complex<f32>', 'complex<f64>'] : [])];
  const isBatch = op.operands.length === 1 && type?.kind === 'tensor' && type.shape.length === 3;
  checks(
    isBatch && type.shape.every(d => d >= 0) && elements.includes(type.elementType),
    'matrices',
    () => `@${name} takes a batch [count, rows, columns] of matrices of ${elements.join(', ')}`,
  );
  const [, rows, columns] = type.shape as [number, number, number];
  checks(
    name === 'trenio.svd' ? rows >= columns : rows === columns,
    'matrices',
    () =>
      `@${name} takes matrices ${name === 'trenio.svd' ? 'with as many rows as columns, or more' : 'that are square'}, got ${formatType(type)}`,
  );
  const wanted = factorizationTypes(name, type);
  checks(
    wanted.length === op.results.length && wanted.every((want, i) => sameType(want, op.results[i]!.type)),
    'results',
    () =>
      `@${name} gives ${wanted.map(formatType).join(', ')}, not ${op.results.map(v => formatType(v.type)).join(', ')}`,
  );
}

/** Floating-point operations, for estimates. */
export function factorizationFlops(name: FactorizationName, a: TensorType): number {
  const [count, rows, columns] = a.shape.map(d => Math.max(d, 1)) as [number, number, number];
  const flops = { 'trenio.eigh': 14, 'trenio.svd': 30, 'trenio.eig': 200 };
  return flops[name] * count * rows * columns * columns;
}

/** The operand of a factorization: its matrices. */
export function matrixOf<T>([matrix]: readonly T[]): T {
  invariant(matrix !== undefined, 'a factorization has an operand');
  return matrix;
}

/** Its results by the reference algorithms; undefined for other targets. */
export function evaluateFactorization(
  op: OpOf<'custom_call'>,
  operands: readonly Literal[],
): readonly Literal[] | undefined {
  const name = factorizationOf(op);
  if (name === undefined) return undefined;
  const a = matrixOf(operands);
  const [count, rows, columns] = a.type.shape as [number, number, number];
  const numbers = Float64Array.from(decodeNumbers(a));
  const types = factorizationTypes(name, a.type);
  const results = types.map(type => new Float64Array(elementCount(type.shape) * (isComplex(type.elementType) ? 2 : 1)));
  /** The part of a result that belongs to a matrix. */
  const part = (k: number, i: number): Float64Array => {
    const size = results[i]!.length / count;
    return results[i]!.subarray(k * size, (k + 1) * size);
  };
  const size = numbers.length / Math.max(count, 1);
  for (let k = 0; k < count; k++) {
    const matrix = numbers.subarray(k * size, (k + 1) * size);
    switch (name) {
      case 'trenio.eigh':
        symmetricEigen(rows, matrix, part(k, 0), part(k, 1));
        break;
      case 'trenio.svd': {
        const left = new Float64Array(rows * columns);
        singularValues(rows, columns, transposed(matrix, rows, columns), left, part(k, 1), part(k, 2));
        part(k, 0).set(transposed(left, columns, rows));
        break;
      }
      case 'trenio.eig': {
        const isPair = isComplex(a.type.elementType);
        const [re, im] = isPair ? unzipped(matrix) : [matrix, new Float64Array(matrix.length)];
        const found = generalEigen(rows, re, im, !isPair);
        part(k, 0).set(zipped(found.valueRe, found.valueIm));
        part(k, 1).set(zipped(found.vectorRe, found.vectorIm));
        break;
      }
    }
  }
  return types.map((type, i) => encode(type, results[i]!));
}
function transposed(x: Float64Array, rows: number, columns: number): Float64Array {
  const out = new Float64Array(x.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[j * rows + i] = x[i * columns + j]!;
  return out;
}
const unzipped = (x: Float64Array): readonly [re: Float64Array, im: Float64Array] => [
  x.filter((_, i) => i % 2 === 0),
  x.filter((_, i) => i % 2 === 1),
];
function zipped(re: Float64Array, im: Float64Array): Float64Array {
  const out = new Float64Array(2 * re.length);
  for (let i = 0; i < re.length; i++) {
    out[2 * i] = re[i]!;
    out[2 * i + 1] = im[i]!;
  }
  return out;
}
