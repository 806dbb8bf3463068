// The code of a scalar op for one element, in variables (elements.ts). Ops that are rare in programs call JavaScript.

import type { ComparisonDirection } from '../../../hlo/attributes.ts';
import { bitWidth } from '../../../hlo/ops/element-data.ts';
import { type ElementType, isFloat, numberKind } from '../../../hlo/types.ts';
import { blockFunctionOf, mathFunctionOf } from '../../ir/math/index.ts';
import type { ScalarOp } from '../../ir/scalar-op.ts';
import { computedTypeOperand } from '../../ir/scalar-op.ts';
import { hasLookUps } from '../target/target.ts';
import { valueTypeOf } from './elements.ts';
import {
  andI32,
  apply,
  applyVector,
  choose,
  type Expr,
  type FunctionBuilder,
  f32Const,
  i32Const,
  i64Const,
  select,
} from './encoder.ts';
import type { SharedFunctions } from './shared-functions.ts';

type Family = 'i32' | 'i64' | 'f32' | 'f64';
type Codes = { readonly [F in Family]?: number };

/** Instructions of floats with the meaning of the op. */
const floats: { readonly [N in string]?: Codes } = {
  abs: { f32: 0x8b, f64: 0x99 },
  negate: { f32: 0x8c, f64: 0x9a },
  ceil: { f32: 0x8d, f64: 0x9b },
  floor: { f32: 0x8e, f64: 0x9c },
  round_nearest_even: { f32: 0x90, f64: 0x9e },
  sqrt: { f32: 0x91, f64: 0x9f },
  add: { f32: 0x92, f64: 0xa0 },
  subtract: { f32: 0x93, f64: 0xa1 },
  multiply: { f32: 0x94, f64: 0xa2 },
  divide: { f32: 0x95, f64: 0xa3 },
  minimum: { f32: 0x96, f64: 0xa4 },
  maximum: { f32: 0x97, f64: 0xa5 },
  copy_sign: { f32: 0x98, f64: 0xa6 },
};
const integers: { readonly [N in string]?: Codes } = {
  add: { i32: 0x6a, i64: 0x7c },
  subtract: { i32: 0x6b, i64: 0x7d },
  multiply: { i32: 0x6c, i64: 0x7e },
  and: { i32: 0x71, i64: 0x83 },
  or: { i32: 0x72, i64: 0x84 },
  xor: { i32: 0x73, i64: 0x85 },
};
const logical: { readonly [N in string]?: number } = {
  add: 0x72,
  maximum: 0x72,
  or: 0x72,
  multiply: 0x71,
  minimum: 0x71,
  and: 0x71,
  xor: 0x73,
  /** whether it is zero */
  not: 0x45,
};
const comparisons: {
  readonly [D in ComparisonDirection]: readonly [
    s32: number,
    u32: number,
    s64: number,
    u64: number,
    f32: number,
    f64: number,
  ];
} = {
  EQ: [0x46, 0x46, 0x51, 0x51, 0x5b, 0x61],
  NE: [0x47, 0x47, 0x52, 0x52, 0x5c, 0x62],
  LT: [0x48, 0x49, 0x53, 0x54, 0x5d, 0x63],
  GT: [0x4a, 0x4b, 0x55, 0x56, 0x5e, 0x64],
  LE: [0x4c, 0x4d, 0x57, 0x58, 0x5f, 0x65],
  GE: [0x4e, 0x4f, 0x59, 0x5a, 0x60, 0x66],
};
const isUnsigned = (type: ElementType): boolean => numberKind(type) === 'unsigned' || type === 'i1';

export function compareCode(direction: ComparisonDirection, type: ElementType, x: Expr, y: Expr): Expr {
  const value = valueTypeOf(type);
  const column = value === 'f32' ? 4 : value === 'f64' ? 5 : (value === 'i64' ? 2 : 0) + (isUnsigned(type) ? 1 : 0);
  return apply('i32', [comparisons[direction][column]!], x, y);
}

/** The low bits of an i32 as a value of a type. */
function wrapped(type: ElementType, x: Expr): Expr {
  switch (type) {
    case 'i8':
      return apply('i32', [0xc0], x);
    case 'i16':
      return apply('i32', [0xc1], x);
    case 'ui8':
      return andI32(x, i32Const(0xff));
    case 'ui16':
      return andI32(x, i32Const(0xffff));
    case 'ui2':
      return andI32(x, i32Const(3));
    case 'ui4':
      return andI32(x, i32Const(15));
    case 'i2':
    case 'i4': {
      const above = i32Const(32 - bitWidth(type));
      return apply('i32', [0x75], apply('i32', [0x74], x, above), above);
    }
    default:
      return x;
  }
}

/** `args` are variables or constants: they may be used more than once. */
export function scalarCode(
  op: ScalarOp,
  types: readonly ElementType[],
  to: ElementType,
  args: readonly Expr[],
  f: FunctionBuilder,
  shared: SharedFunctions,
  place: 'node' | 'region',
): Expr {
  const type = types[computedTypeOperand(op)]!;
  const table = place === 'node' && hasLookUps(shared.target) ? blockFunctionOf(op, types[0]!)?.table : undefined;
  const math = table ?? mathFunctionOf(op, types[0]!);
  if (math !== undefined) return shared.rounded(to, shared.math(math, args[0]!));
  return (
    special(op, types, to, args, f, shared) ??
    arithmetic(op.name, type, to, args, shared) ??
    shared.foreign(op, types, to, args, place)
  );
}

function arithmetic(
  name: string,
  type: ElementType,
  to: ElementType,
  args: readonly Expr[],
  shared: SharedFunctions,
): Expr | undefined {
  const value = valueTypeOf(type);
  if (isFloat(type)) {
    const code = floats[name]?.[value as Family];
    return code === undefined ? undefined : shared.rounded(to, apply(value, [code], ...args));
  }
  if (type === 'i1') {
    const code = logical[name];
    return code === undefined ? undefined : apply('i32', [code], ...args);
  }
  const code = integers[name]?.[value as Family];
  if (code !== undefined) return wrapped(type, apply(value, [code], ...args));
  const [x, y] = args as [Expr, Expr];
  switch (name) {
    case 'maximum':
      return select(compareCode('GT', type, x, y), x, y);
    case 'minimum':
      return select(compareCode('LT', type, x, y), x, y);
    case 'not':
      return value === 'i64'
        ? apply('i64', [0x85], x, i64Const(-1n))
        : wrapped(type, apply('i32', [0x73], x, i32Const(-1)));
    case 'negate':
      return value === 'i64'
        ? apply('i64', [0x7d], i64Const(0n), x)
        : wrapped(type, apply('i32', [0x6b], i32Const(0), x));
    case 'shift_left':
    case 'shift_right_logical':
    case 'shift_right_arithmetic':
      return shift(name, type, x, y);
    default:
      return undefined;
  }
}
function shift(
  name: 'shift_left' | 'shift_right_logical' | 'shift_right_arithmetic',
  type: ElementType,
  x: Expr,
  by: Expr,
): Expr | undefined {
  const width = bitWidth(type);
  const code = { shift_left: 0x74, shift_right_arithmetic: 0x75, shift_right_logical: 0x76 }[name];
  if (width === 64) {
    const isInside = apply('i32', [0x54], by, i64Const(64n));
    const shifted = apply('i64', [code + 0x12], x, by);
    const out = name === 'shift_right_arithmetic' ? apply('i64', [0x87], x, i64Const(63n)) : i64Const(0n);
    return select(isInside, shifted, out);
  }
  if (width !== 32) return undefined;
  const isInside = apply('i32', [0x49], by, i32Const(32));
  const out = name === 'shift_right_arithmetic' ? apply('i32', [0x75], x, i32Const(31)) : i32Const(0);
  return select(isInside, apply('i32', [code], x, by), out);
}

function special(
  op: ScalarOp,
  types: readonly ElementType[],
  to: ElementType,
  args: readonly Expr[],
  f: FunctionBuilder,
  shared: SharedFunctions,
): Expr | undefined {
  const [type] = types as [ElementType];
  const [x, y, z] = args as [Expr, Expr, Expr];
  const value = valueTypeOf(type);
  switch (op.name) {
    case 'select':
      return choose(x, y, z);
    case 'clamp': {
      const low = f.keep(arithmetic('maximum', to, to, [y, x], shared)!);
      return arithmetic('minimum', to, to, [low, z], shared);
    }
    case 'compare':
      return op.total ? undefined : compareCode(op.direction, type, x, y);
    case 'is_finite':
      return value === 'f64'
        ? apply('i32', [0x63], apply('f64', [0x99], x), { type: 'f64', code: [0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f] })
        : apply('i32', [0x5d], apply('f32', [0x8b], x), f32Const(Infinity));
    case 'sign': {
      if (value !== 'f32') return undefined;
      const below = select(compareCode('LT', type, x, f32Const(0)), f32Const(-1), x);
      return select(compareCode('GT', type, x, f32Const(0)), f32Const(1), below);
    }
    case 'multiply_add':
      if (!shared.target.fma) return apply('f32', [0x92], apply('f32', [0x94], x, y), z);
      return fused(0x105, 0x13, 0x1f, args, 'f32');
    case 'fma':
      return value === 'f64' ? fused(0x107, 0x14, 0x21, args, 'f64') : fused(0x105, 0x13, 0x1f, args, 'f32');
    case 'look_up':
      return shared.lookUp(op.table, andI32(x, i32Const(op.table.length - 1)));
    case 'bitcast':
      return bitcast(type, to, x);
    case 'clamp_index': {
      const wide = value === 'i64' ? x : apply('i64', [isUnsigned(type) ? 0xad : 0xac], x);
      const kept = f.keep(wide);
      const limit = i64Const(BigInt(op.limit));
      const above = select(apply('i32', [type === 'ui64' ? 0x56 : 0x55], kept, limit), limit, kept);
      if (type === 'ui64') return above;
      return select(apply('i32', [0x53], kept, i64Const(0n)), i64Const(0n), above);
    }
    case 'convert':
      return convert(type, to, x, shared);
  }
  return undefined;
}
/** a · b + c by the instruction of vectors, which rounds once on machines that this code is used on (support.ts). */
function fused(opcode: number, splat: number, extract: number, args: readonly Expr[], type: 'f32' | 'f64'): Expr {
  const vectors = args.map(a => applyVector('v128', splat, [a]));
  return applyVector(type, extract, [applyVector('v128', opcode, vectors)], [0]);
}
function bitcast(from: ElementType, to: ElementType, x: Expr): Expr | undefined {
  if (from === to) return x;
  const pair = `${valueTypeOf(from)} ${valueTypeOf(to)}`;
  if (bitWidth(from) === 32 || bitWidth(from) === 64)
    switch (pair) {
      case 'f32 i32':
        return apply('i32', [0xbc], x);
      case 'i32 f32':
        return apply('f32', [0xbe], x);
      case 'f64 i64':
        return apply('i64', [0xbd], x);
      case 'i64 f64':
        return apply('f64', [0xbf], x);
      case 'i32 i32':
      case 'i64 i64':
        return x;
    }
  return undefined;
}
function convert(from: ElementType, to: ElementType, x: Expr, shared: SharedFunctions): Expr | undefined {
  if (from === to) return x;
  const [a, b] = [valueTypeOf(from), valueTypeOf(to)];
  if (to === 'i1') {
    if (a === 'f32') return apply('i32', [0x5c], x, f32Const(0));
    if (a === 'i32') return apply('i32', [0x47], x, i32Const(0));
    return a === 'i64' ? apply('i32', [0x52], x, i64Const(0n)) : undefined;
  }
  const fromUnsigned = isUnsigned(from);
  switch (`${a} ${b}`) {
    case 'i32 i32':
      return wrapped(to, x);
    case 'i32 i64':
      return apply('i64', [fromUnsigned ? 0xad : 0xac], x);
    case 'i64 i32':
      return wrapped(to, apply('i32', [0xa7], x));
    case 'i64 i64':
      return x;
    case 'f32 f32':
      return shared.rounded(to, x);
    case 'f32 f64':
      return apply('f64', [0xbb], x);
    case 'f64 f32':
      return to === 'f32' ? apply('f32', [0xb6], x) : undefined;
    case 'i32 f32':
      // below 2^24 nothing is rounded before the type's own rounding
      if (to !== 'f32' && bitWidth(from) > 16) return undefined;
      return shared.rounded(to, apply('f32', [fromUnsigned ? 0xb3 : 0xb2], x));
    case 'i64 f32':
      return to === 'f32' ? apply('f32', [fromUnsigned ? 0xb5 : 0xb4], x) : undefined;
    case 'i32 f64':
      return apply('f64', [fromUnsigned ? 0xb8 : 0xb7], x);
    case 'i64 f64':
      return apply('f64', [fromUnsigned ? 0xba : 0xb9], x);
    case 'f32 i64':
      return apply('i64', [0xfc, to === 'ui64' ? 5 : 4], x);
    case 'f64 i64':
      return apply('i64', [0xfc, to === 'ui64' ? 7 : 6], x);
    case 'f32 i32':
      return bitWidth(to) === 32 ? apply('i32', [0xfc, isUnsigned(to) ? 1 : 0], x) : undefined;
    case 'f64 i32':
      return bitWidth(to) === 32 ? apply('i32', [0xfc, isUnsigned(to) ? 3 : 2], x) : undefined;
    default:
      return undefined;
  }
}
