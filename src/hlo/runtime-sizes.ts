// Run-time sizes: an op with unknown sizes in its types is checked again with the actual sizes of its
// operands, by the same rules as in the verifier, and its results are compared with the types declared in the program.
// Without this an op could read beyond the end of an operand that is shorter than another.

import { isTrenioError, type SourceLocation, TrenioError } from '../base/errors.ts';
import { zip } from '../base/zip.ts';
import type { OpName } from './attributes.ts';
import { inferTypes } from './op-table.ts';
import { shapesAgree } from './ops/shape-checks.ts';
import type { Op, Value } from './program.ts';
import { isLiteral, type RuntimeValue } from './steps.ts';
import { dynamicDim, formatType, type Type } from './types.ts';

const isOpen = ({ type }: Value): boolean => type.kind === 'tensor' && type.shape.includes(dynamicDim);
const open = new WeakMap<Op, boolean>();
/** Whether the types of an op leave a size open. */
export function leavesSizesOpen(op: Op): boolean {
  let known = open.get(op);
  if (known === undefined) {
    known = op.operands.some(isOpen) || op.results.some(isOpen);
    open.set(op, known);
  }
  return known;
}

const unfit = (op: string, detail: string, location: SourceLocation | undefined, cause?: unknown): TrenioError =>
  new TrenioError('SIZES_DO_NOT_FIT', { op, detail }, { location, cause });

/** For the errors of an op whose sizes are known only now: a violated constraint is due to the sizes. */
export const asUnfit = (error: unknown, op: Op): unknown =>
  isTrenioError(error, 'INVALID_OP') ? unfit(op.name, error.data.detail, op.location, error) : error;

/** The type of a value with its actual sizes. */
function typeNow({ type }: Value, value: RuntimeValue): Type {
  if (type.kind !== 'tensor' || !isLiteral(value)) return type;
  const { bounds: _, ...rest } = type;
  return { ...rest, shape: value.type.shape };
}

/** @throws {SIZES_DO_NOT_FIT} unless an op can take operands of these sizes and return results of the declared types */
export function requireOperandsFit(op: Op, operands: readonly RuntimeValue[]): void {
  const types = zip(op.operands, operands).map(([value, now]) => typeNow(value, now));
  let results: readonly Type[];
  try {
    results = inferTypes(op.name as OpName, types, op.attributes as never, op.regions, op.location);
  } catch (error) {
    throw asUnfit(error, op);
  }
  op.results.forEach(({ type }, i) => {
    const inferred = results[i];
    if (inferred?.kind !== 'tensor' || type.kind !== 'tensor' || shapesAgree(inferred.shape, type.shape)) return;
    throw unfit(op.name, `result ${i} is ${formatType(inferred)}, but declared as ${formatType(type)}`, op.location);
  });
}

/** @throws {SIZES_DO_NOT_FIT} unless values have the declared sizes */
export function requireStated(
  stated: readonly Value[],
  values: readonly RuntimeValue[],
  what: string,
  op: string,
  location: SourceLocation | undefined,
): void {
  for (let i = 0; i < stated.length; i++) {
    const { type } = stated[i]!;
    const value = values[i];
    if (value === undefined || type.kind !== 'tensor' || type.shape.length === 0 || !isLiteral(value)) continue;
    if (!shapesAgree(value.type.shape, type.shape))
      throw unfit(op, `${what} ${i} is ${formatType(value.type)}, but declared as ${formatType(type)}`, location);
  }
}
