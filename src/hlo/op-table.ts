// The op table: one row for each op of the language. Rows are in `ops/`, grouped by purpose.
import type { SourceLocation } from '../base/errors.ts';
import { TrenioError } from '../base/errors.ts';
import { arities, type Count, type PerOperand, type PerRegion } from './arity.ts';
import type { OpAttributes, OpName } from './attributes.ts';
import { check, type OpRow } from './op-row.ts';
import { asyncRows } from './ops/async.ts';
import { batchNormRows } from './ops/batch-norm.ts';
import { checkRows } from './ops/check.ts';
import { chloRows } from './ops/chlo.ts';
import { chloBroadcastRows } from './ops/chlo-broadcast.ts';
import { chloElementwiseRows } from './ops/chlo-elementwise.ts';
import { complexRows } from './ops/complex.ts';
import { compositeRows } from './ops/composite.ts';
import { dotRows } from './ops/contraction.ts';
import { controlRows } from './ops/control.ts';
import { convolutionRows } from './ops/convolution.ts';
import { dynamicRows } from './ops/dynamic.ts';
import { elementwiseRows } from './ops/elementwise.ts';
import { elementwiseSpecialRows } from './ops/elementwise-special.ts';
import { fftRows } from './ops/fft.ts';
import { foreignRows } from './ops/foreign.ts';
import { gatherRows } from './ops/gather.ts';
import { interpreterRows } from './ops/interpreter-ops.ts';
import { legacyRows } from './ops/legacy.ts';
import { linearAlgebraRows } from './ops/linear-algebra.ts';
import { mapRows } from './ops/map.ts';
import { movementRows } from './ops/movement.ts';
import { movingCollectiveRows } from './ops/moving-collectives.ts';
import { quantizedRows } from './ops/quantized.ts';
import { randomRows } from './ops/random.ts';
import { reduceRows } from './ops/reduce.ts';
import { collectiveRows } from './ops/reducing-collectives.ts';
import { scatterRows } from './ops/scatter.ts';
import { sortRows } from './ops/sort.ts';
import { sourceRows } from './ops/source.ts';
import { tokenRows } from './ops/tokens.ts';
import { viewRows } from './ops/view.ts';
import { windowRows } from './ops/window.ts';
import type { Op, OpOf, Region } from './program.ts';
import type { Type } from './types.ts';

/** A row for each op. */
export type OpTable = { readonly [N in OpName]: OpRow<N> };

/** The rows of all ops. */
export const opTable: OpTable = {
  ...elementwiseRows,
  ...elementwiseSpecialRows,
  ...sourceRows,
  ...viewRows,
  ...movementRows,
  ...gatherRows,
  ...scatterRows,
  ...reduceRows,
  ...windowRows,
  ...dotRows,
  ...convolutionRows,
  ...randomRows,
  ...sortRows,
  ...controlRows,
  ...collectiveRows,
  ...linearAlgebraRows,
  ...fftRows,
  ...complexRows,
  ...batchNormRows,
  ...dynamicRows,
  ...quantizedRows,
  ...mapRows,
  ...legacyRows,
  ...chloElementwiseRows,
  ...chloBroadcastRows,
  ...chloRows,
  ...compositeRows,
  ...movingCollectiveRows,
  ...tokenRows,
  ...asyncRows,
  ...checkRows,
  ...interpreterRows,
  ...foreignRows,
};

/**
 * The result types of an op, or INVALID_OP at `location`.
 * @example
 * const x = hlo.tensorType('f32', [2]);
 * hlo.inferTypes('add', [x, x], {}, []).map(hlo.formatType) // ['tensor<2xf32>']
 */
export function inferTypes<N extends OpName>(
  name: N,
  operands: readonly Type[],
  attributes: OpAttributes[N],
  regions: readonly Region[],
  location?: SourceLocation,
): readonly Type[] {
  const row: OpRow<N> = opTable[name];
  try {
    return row.infer(countedOperands(name, operands), attributes, countedRegions(name, regions));
  } catch (error) {
    throw located(error, location);
  }
}

const atLeast = { '2+': 2, some: 1, many: 0 } as const;
const fits = (count: Count, n: number): boolean => (typeof count === 'number' ? n === count : n >= atLeast[count]);
const counted = (count: Count, what: string): string => {
  const exact = typeof count === 'number';
  const n = exact ? count : atLeast[count];
  return `${exact ? '' : 'at least '}${n} ${what}${n === 1 ? '' : 's'}`;
};

/** @throws {INVALID_OP} if the op does not take this number of operands */
function countedOperands<N extends OpName>(name: N, operands: readonly Type[]): PerOperand<N, Type> {
  const count: Count = arities[name][0];
  if (!fits(count, operands.length))
    check(false, name, `trenio_${name}_arity`, () => `takes ${counted(count, 'operand')}, got ${operands.length}`);
  return operands as PerOperand<N, Type>;
}
/** @throws {INVALID_OP} if the op does not have this number of regions */
function countedRegions<N extends OpName>(name: N, regions: readonly Region[]): PerRegion<N, Region> {
  const count = (arities[name] as readonly [unknown, unknown, Count?])[2] ?? 0;
  if (!fits(count, regions.length))
    check(false, name, `trenio_${name}_regions`, () => `takes ${counted(count, 'region')}, got ${regions.length}`);
  return regions as PerRegion<N, Region>;
}

/**
 * Checks the declared result types of an op against its row.
 * @throws {INVALID_OP} at the op's location
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.verifyStated(main.body.ops[0]!);
 */
export function verifyStated(op: Op): void {
  const row = opTable[op.name] as OpRow<OpName>;
  try {
    row.verify?.(op as OpOf<OpName>);
  } catch (error) {
    throw located(error, op.location);
  }
}

function located(error: unknown, location: SourceLocation | undefined): unknown {
  if (!(error instanceof TrenioError) || error.location !== undefined || location === undefined) return error;
  return new TrenioError(error.code, error.data, { location, cause: error });
}
