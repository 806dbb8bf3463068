// The code of a scalar op for four elements at a time, in a vector of 32-bit lanes; those of i1 are all ones or zeros. Ops
// without such instructions are computed lane by lane.
import type { ComparisonDirection } from '../../../hlo/attributes.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { blockFunctionOf, mathFunctionOf } from '../../ir/math/index.ts';
import type { ScalarOp } from '../../ir/scalar-op.ts';
import { hasLookUps } from '../target/target.ts';
import { apply, applyVector, type Expr, type FunctionBuilder, f32x4Const, i32Const, i32x4Const } from './encoder.ts';
import { scalarCode } from './scalar-code.ts';
import type { SharedFunctions } from './shared-functions.ts';

/** Types whose elements are lanes. */
export const isLaneType = (type: ElementType): boolean =>
  type === 'f32' || type === 'bf16' || type === 'i32' || type === 'ui32' || type === 'i1';
const isFloatLane = (type: ElementType): boolean => type === 'f32' || type === 'bf16';

const floats: { readonly [N in string]?: number } = {
  abs: 0xe0,
  negate: 0xe1,
  ceil: 0x67,
  floor: 0x68,
  round_nearest_even: 0x6a,
  sqrt: 0xe3,
  add: 0xe4,
  subtract: 0xe5,
  multiply: 0xe6,
  divide: 0xe7,
  minimum: 0xe8,
  maximum: 0xe9,
};
const integers: { readonly [N in string]?: number } = {
  add: 0xae,
  subtract: 0xb1,
  multiply: 0xb5,
  and: 0x4e,
  or: 0x50,
  xor: 0x51,
  not: 0x4d,
  negate: 0xa1,
};
const ordered: { readonly [N in string]?: { readonly signed: number; readonly unsigned: number } } = {
  maximum: { signed: 0xb8, unsigned: 0xb9 },
  minimum: { signed: 0xb6, unsigned: 0xb7 },
};
const logical: { readonly [N in string]?: number } = {
  add: 0x50,
  maximum: 0x50,
  or: 0x50,
  multiply: 0x4e,
  minimum: 0x4e,
  and: 0x4e,
  xor: 0x51,
  not: 0x4d,
};
const comparisons: { readonly [D in ComparisonDirection]: readonly [signed: number, unsigned: number, float: number] } =
  {
    EQ: [0x37, 0x37, 0x41],
    NE: [0x38, 0x38, 0x42],
    LT: [0x39, 0x3a, 0x43],
    GT: [0x3b, 0x3c, 0x44],
    LE: [0x3d, 0x3e, 0x45],
    GE: [0x3f, 0x40, 0x46],
  };
const v = (opcode: number, ...args: readonly Expr[]): Expr => applyVector('v128', opcode, args);

/** `args` are variables or constants. */
export function vectorCode(
  op: ScalarOp,
  types: readonly ElementType[],
  to: ElementType,
  args: readonly Expr[],
  f: FunctionBuilder,
  shared: SharedFunctions,
  place: 'node' | 'region' = 'region',
): Expr {
  const table = place === 'node' && hasLookUps(shared.target) ? blockFunctionOf(op, types[0]!)?.table : undefined;
  const math = table ?? mathFunctionOf(op, types[0]!);
  if (math !== undefined && types[0] !== 'f16') return shared.roundedVector(to, shared.math(math, args[0]!));
  return (
    whole(op, types, to, args, f, shared) ??
    lanewise(types, to, args, f, xs => scalarCode(op, types, to, xs, f, shared, place))
  );
}

function whole(
  op: ScalarOp,
  types: readonly ElementType[],
  to: ElementType,
  args: readonly Expr[],
  f: FunctionBuilder,
  shared: SharedFunctions,
): Expr | undefined {
  const [type] = types as [ElementType];
  const [x, y, z] = args as [Expr, Expr, Expr];
  switch (op.name) {
    case 'select':
      return v(0x52, y, z, x);
    case 'clamp':
      return isFloatLane(to) ? v(0xe8, f.keep(v(0xe9, y, x)), z) : undefined;
    case 'compare': {
      if (op.total) return undefined;
      const column = isFloatLane(type) ? 2 : type === 'i32' ? 0 : 1;
      return v(comparisons[op.direction][column]!, x, y);
    }
    case 'is_finite':
      return v(0x43, v(0xe0, x), f32x4Const(Infinity));
    case 'sign': {
      if (!isFloatLane(type)) return undefined;
      const below = v(0x52, f32x4Const(-1), x, v(0x43, x, f32x4Const(0)));
      return v(0x52, f32x4Const(1), below, v(0x44, x, f32x4Const(0)));
    }
    case 'copy_sign':
      return v(0x52, x, y, i32x4Const(0x7fffffff));
    case 'fma':
    case 'multiply_add':
      if (op.name === 'multiply_add' && !shared.target.fma) return v(0xe4, v(0xe6, x, y), z);
      return v(0x105, x, y, z);
    case 'bitcast':
      return type !== 'i1' && type !== 'bf16' && to !== 'i1' && to !== 'bf16' ? x : undefined;
    case 'shift_left':
    case 'shift_right_logical':
    case 'shift_right_arithmetic':
      return shift(op.name, y, x);
    case 'convert':
      return convert(type, to, x, shared);
  }
  if (isFloatLane(type)) {
    const code = floats[op.name];
    return code === undefined ? undefined : shared.roundedVector(to, v(code, ...args));
  }
  if (type === 'i1') {
    const code = logical[op.name];
    return code === undefined ? undefined : v(code, ...args);
  }
  const code = integers[op.name] ?? ordered[op.name]?.[type === 'i32' ? 'signed' : 'unsigned'];
  return code === undefined ? undefined : v(code, ...args);
}

/** By a constant number of bits: one that is the same in all lanes. */
function shift(
  name: 'shift_left' | 'shift_right_logical' | 'shift_right_arithmetic',
  by: Expr,
  x: Expr,
): Expr | undefined {
  const { code } = by;
  if (code[0] !== 0xfd || code[1] !== 0x0c) return undefined;
  const count = code[2]!;
  const isSame = [3, 4, 5].every(i => code[i] === 0) && [4, 8, 12].every(i => code[2 + i] === count);
  if (!isSame || count >= 32) return undefined;
  const opcode = { shift_left: 0xab, shift_right_arithmetic: 0xac, shift_right_logical: 0xad }[name];
  return v(opcode, x, i32Const(count));
}

function convert(from: ElementType, to: ElementType, x: Expr, shared: SharedFunctions): Expr | undefined {
  if (from === to) return x;
  if (from === 'i1') {
    if (isFloatLane(to)) return v(0x4e, x, f32x4Const(1));
    return v(0x4e, x, i32x4Const(1));
  }
  if (to === 'i1') return isFloatLane(from) ? v(0x42, x, f32x4Const(0)) : v(0x38, x, i32x4Const(0));
  if (isFloatLane(from)) {
    if (isFloatLane(to)) return shared.roundedVector(to, x);
    return v(to === 'i32' ? 0xf8 : 0xf9, x);
  }
  if (to === 'f32') return v(from === 'i32' ? 0xfa : 0xfb, x);
  return isFloatLane(to) ? undefined : x;
}

/** Lane `lane` as a value of a type. */
export function laneOf(type: ElementType, x: Expr, lane: number): Expr {
  if (isFloatLane(type)) return applyVector('f32', 0x1f, [x], [lane]);
  const bits = applyVector('i32', 0x1b, [x], [lane]);
  return type === 'i1' ? apply('i32', [0x71], bits, i32Const(1)) : bits;
}
/** The same value in all lanes. */
export function splat(type: ElementType, x: Expr): Expr {
  if (isFloatLane(type)) return v(0x13, x);
  return v(0x11, type === 'i1' ? apply('i32', [0x6b], i32Const(0), x) : x);
}
/** A vector of the values of lanes. */
export function gathered(type: ElementType, f: FunctionBuilder, elementOf: (lane: number) => Expr): Expr {
  let out = splat(type, elementOf(0));
  for (let lane = 1; lane < 4; lane++) {
    const kept = f.keep(out);
    const value = elementOf(lane);
    out = isFloatLane(type)
      ? applyVector('v128', 0x20, [kept, value], [lane])
      : applyVector('v128', 0x1c, [kept, type === 'i1' ? apply('i32', [0x6b], i32Const(0), value) : value], [lane]);
  }
  return out;
}
function lanewise(
  types: readonly ElementType[],
  to: ElementType,
  args: readonly Expr[],
  f: FunctionBuilder,
  of: (args: readonly Expr[]) => Expr,
): Expr {
  return gathered(to, f, lane => of(args.map((a, i) => f.keep(laneOf(types[i]!, a, lane)))));
}
