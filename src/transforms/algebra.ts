// Algebraic simplifications that preserve all values: neutral elements, double negation, powers by small constants, selects with
// a known predicate, reductions over dims of size 1, and constant folding.

import { evaluateOp } from '../hlo/interpreter.ts';
import type { Literal } from '../hlo/literal.ts';
import { opTable } from '../hlo/op-table.ts';
import type { Op, Value } from '../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../hlo/program.ts';
import { elementCount, isFloat } from '../hlo/types.ts';
import { reducerOf } from '../hlo/walk.ts';
import { splatLiteral, splatNumber } from './facts.ts';
import { convertRule } from './low-precision.ts';
import { type Rewriter, type Rule, ruleFor } from './rewriter.ts';

/** The maximum number of elements of a folded constant. */
const foldLimit = 256;

export const algebraRule: Rule = ruleFor({
  // -0 + 0 is 0, so only -0 is neutral in sums of floats, and only +0 may be subtracted
  add: ({ operands: [x, y] }) => (isZero(y, -0) ? [x] : isZero(x, -0) ? [y] : undefined),
  subtract: ({ operands: [x, y] }) => (isZero(y, 0) ? [x] : undefined),
  multiply: ({ operands: [x, y] }) => (splatNumber(y) === 1 ? [x] : splatNumber(x) === 1 ? [y] : undefined),
  divide: ({ operands: [x, y] }) => (splatNumber(y) === 1 ? [x] : undefined),
  negate: ({ operands: [x] }) => (x.op?.name === 'negate' ? x.op.operands : undefined),
  power: ({ operands: [x, y] }, r) => power(x, y, r),
  select({ operands: [condition, onTrue, onFalse] }) {
    if (onTrue === onFalse) return [onTrue];
    const decided = splatNumber(condition);
    return decided === undefined ? undefined : [decided ? onTrue : onFalse];
  },
  convert: convertRule,
  reduce: reduceNothing,
});

/** Zero in all elements; for floats, the zero of this sign. */
function isZero(value: Value, zero: 0 | -0): boolean {
  const number = splatNumber(value);
  return isFloat(tensorTypeOf(value).elementType) ? Object.is(number, zero) : number === 0;
}

function power(x: Value, y: Value, r: Rewriter): readonly Value[] | undefined {
  if (!isFloat(tensorTypeOf(x).elementType)) return undefined;
  const exponent = splatNumber(y);
  if (exponent === 1) return [x];
  if (exponent === 2) return r.emit('multiply', [x, x], {});
  return exponent === 3 ? r.emit('multiply', [x, r.emit1('multiply', [x, x], {})], {}) : undefined;
}

/** A reduction over dims of size 1 combines each element with the initial value. */
function reduceNothing(op: Op<'reduce'>, r: Rewriter): readonly Value[] | undefined {
  const [x, init] = op.operands;
  const shape = shapeOf(x);
  const name = reducerOf(op.regions[0]);
  if (
    init === undefined ||
    op.operands.length !== 2 ||
    name === undefined ||
    op.attributes.dimensions.some(d => shape[d] !== 1)
  )
    return undefined;
  const kept = r.emit1('reshape', [x], { shape: shapeOf(op.results[0]) });
  const start = r.emit1('broadcast_in_dim', [init], { broadcastDimensions: [], shape: shapeOf(op.results[0]) });
  return r.emit(name, [start, kept], {});
}

/** Folds ops on constants. An elementwise op on splat constants becomes a splat constant. */
export const foldRule: Rule = (op, r) => {
  if (op.name === 'constant' || op.regions.length > 0 || op.operands.length === 0 || op.results.length !== 1)
    return undefined;
  const { kind, pure } = opTable[op.name];
  if (!pure || (kind !== 'elementwise' && kind !== 'view' && kind !== 'movement')) return undefined;
  const result = op.results[0];
  if (result.type.kind !== 'tensor' || !isEvaluable(op)) return undefined;
  if (kind === 'elementwise' && op.name !== 'bitcast_convert') {
    const scalars = op.operands.map(splatLiteral);
    if (scalars.every(s => s !== undefined)) {
      const [value] = evaluateOp(
        { ...op, results: [{ ...result, type: { ...result.type, shape: [] } }] } as Op,
        scalars as readonly Literal[],
      );
      const one = r.emit1('constant', [], { value: value! });
      return result.type.shape.length === 0
        ? [one]
        : r.emit('broadcast_in_dim', [one], { broadcastDimensions: [], shape: result.type.shape });
    }
  }
  if (op.name === 'broadcast_in_dim' || elementCount(result.type.shape) > foldLimit) return undefined;
  const literals: Literal[] = [];
  for (const v of op.operands) {
    if (v.op?.name !== 'constant' || v.op.attributes.value.data.length > foldLimit) return undefined;
    literals.push(v.op.attributes.value);
  }
  // keep the declared type, because evaluation drops the quantization parameters
  return r.emit('constant', [], { value: { ...evaluateOp(op, literals)[0]!, type: result.type } });
};

function isEvaluable(op: Op): boolean {
  return [...op.operands, ...op.results].every(
    v => v.type.kind === 'tensor' && /^(i1|u?i(8|16|32|64)|f(32|64|16)|bf16)$/.test(v.type.elementType),
  );
}
