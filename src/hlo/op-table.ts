// The op table: one row an op, of every op of the language. Rows live in `ops/`, grouped by what the ops do.
import type { SourceLocation } from '../base/errors.ts';
import { TrenioError } from '../base/errors.ts';
import type { OpAttributes, OpName } from './attributes.ts';
import type { OpRow } from './op-row.ts';
import { collectiveRows } from './ops/collective.ts';
import { dotRows } from './ops/contraction.ts';
import { controlRows } from './ops/control.ts';
import { convolutionRows } from './ops/convolution.ts';
import { elementwiseRows } from './ops/elementwise.ts';
import { elementwiseSpecialRows } from './ops/elementwise-special.ts';
import { gatherRows } from './ops/gather.ts';
import { movementRows } from './ops/movement.ts';
import { randomRows } from './ops/random.ts';
import { reduceRows } from './ops/reduce.ts';
import { scatterRows } from './ops/scatter.ts';
import { sortRows } from './ops/sort.ts';
import { sourceRows } from './ops/source.ts';
import { viewRows } from './ops/view.ts';
import { windowRows } from './ops/window.ts';
import type { Region } from './program.ts';
import type { Type } from './types.ts';

export type OpTable = { readonly [N in OpName]: OpRow<N> };

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
};

/** The result types of an op, or INVALID_OP at `location`. */
export function inferTypes<N extends OpName>(
  name: N,
  operands: readonly Type[],
  attributes: OpAttributes[N],
  regions: readonly Region[],
  location?: SourceLocation,
): readonly Type[] {
  const row: OpRow<N> = opTable[name];
  try {
    return row.infer(operands, attributes, regions);
  } catch (error) {
    if (error instanceof TrenioError && error.location === undefined && location) {
      throw new TrenioError(error.code, error.data, { location, cause: error });
    }
    throw error;
  }
}
