// The algorithms that a dot_general may request: those that some hardware is known to support.
import type { DotAlgorithm } from '../attributes.ts';
import type { Checker } from './shape-checks.ts';

/** Precision types of the sides, accumulation type, number of primitive operations. */
const known: ReadonlySet<string> = new Set([
  'f16 f16 f16 1',
  'f16 f16 f32 1',
  'bf16 bf16 bf16 1',
  'bf16 bf16 f32 1',
  'bf16 bf16 f32 3',
  'bf16 bf16 f32 6',
  'bf16 bf16 f32 9',
  'tf32 tf32 f32 1',
  'tf32 tf32 f32 3',
  'f32 f32 f32 1',
  'f64 f64 f64 1',
]);
/** Any two of these types multiply into f32, optionally with accumulation less precise than f32. */
const eightBits: ReadonlySet<string> = new Set([
  'f8E3M4',
  'f8E4M3',
  'f8E4M3FN',
  'f8E4M3FNUZ',
  'f8E4M3B11FNUZ',
  'f8E5M2',
  'f8E5M2FNUZ',
]);

export function checkDotAlgorithm(require: Checker, algorithm: DotAlgorithm): void {
  const { lhsPrecisionType, rhsPrecisionType, accumulationType } = algorithm;
  const { lhsComponentCount, rhsComponentCount, numPrimitiveOperations } = algorithm;
  require(lhsComponentCount > 0, 22, () => `lhs_component_count must be positive, got ${lhsComponentCount}`);
  require(rhsComponentCount > 0, 23, () => `rhs_component_count must be positive, got ${rhsComponentCount}`);
  require(numPrimitiveOperations > 0, 24, () =>
    `num_primitive_operations must be positive, got ${numPrimitiveOperations}`);
  const ofEightBits =
    eightBits.has(lhsPrecisionType) &&
    eightBits.has(rhsPrecisionType) &&
    accumulationType === 'f32' &&
    numPrimitiveOperations === 1;
  const name = `${lhsPrecisionType} ${rhsPrecisionType} ${accumulationType} ${numPrimitiveOperations}`;
  const ofOnePart = lhsComponentCount === 1 && rhsComponentCount === 1;
  require(ofOnePart && (ofEightBits || (known.has(name) && !algorithm.allowImpreciseAccumulation)), 'algorithm', () =>
    `no hardware is known to support the algorithm ${JSON.stringify(algorithm)}`);
}
