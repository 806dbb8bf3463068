// Low-precision floats (less precise than f32) in passes: which types can represent the numbers of which others, and which
// ops round. A rounding op on low-precision floats becomes the same op on f32 and one conversion.
import type { BinaryName, OpName, UnaryName } from '../hlo/attributes.ts';
import { floatFormat } from '../hlo/element-codec.ts';
import { isComplex } from '../hlo/ops/element-data.ts';
import { dispatch, isIn, type PerOp } from '../hlo/per-op.ts';
import { type Op, tensorTypeOf, type Value } from '../hlo/program.ts';
import { type ElementType, isFloat } from '../hlo/types.ts';
import { reducerOf } from '../hlo/walk.ts';
import type { Rewriter, Rule } from './rewriter.ts';

export const elementTypeOf = (v: Value): ElementType => tensorTypeOf(v).elementType;
const isRealFloat = (type: ElementType): boolean => isFloat(type) && !isComplex(type);
/** Float types whose values f32 represents exactly, and that are less precise than f32. */
export const isLowPrecision = (type: ElementType): boolean => isRealFloat(type) && type !== 'f32' && type !== 'f64';

/** Whether every number of float type `from` is also a number of `to`. */
export function holds(to: ElementType, from: ElementType): boolean {
  if (to === from) return true;
  if (!isRealFloat(from) || !isRealFloat(to)) return false;
  if (to === 'f64' || (to === 'f32' && from !== 'f64')) return true;
  if (to === 'tf32') return from === 'bf16' || from === 'f16';
  const isEight = /^f8E[345]/.test(from);
  return isEight && (to === 'bf16' || (to === 'f16' && floatFormat(from).bias <= 15));
}

/** Converting a value that was converted to a wider float from `x` is replaced by converting `x`. */
export const convertRule: Rule = (op, r) => {
  if (op.name !== 'convert') return undefined;
  const [wide] = op.operands;
  const { elementType } = op.attributes;
  if (elementTypeOf(wide) === elementType) return [wide];
  if (wide.op?.name !== 'convert') return undefined;
  const [x] = wide.op.operands;
  if (!holds(elementTypeOf(wide), elementTypeOf(x)) || !isRealFloat(elementType)) return undefined;
  return elementTypeOf(x) === elementType ? [x] : r.emit('convert', [x], { elementType });
};

const roundingUnary = new Set<OpName>([
  'cbrt',
  'cosine',
  'exponential',
  'exponential_minus_one',
  'log',
  'log_plus_one',
  'logistic',
  'rsqrt',
  'sine',
  'sqrt',
  'tan',
  'tanh',
  'chlo.erf',
] satisfies UnaryName[]);
const roundingBinary = new Set<OpName>([
  'add',
  'atan2',
  'divide',
  'multiply',
  'power',
  'remainder',
  'subtract',
] satisfies BinaryName[]);

/** Arithmetic with a low-precision result is computed in f32, with one rounding at the end; so are sums. */
export const wideArithmeticRule: Rule = (op, r) => {
  const result = op.results[0];
  if (op.results.length !== 1 || result?.type.kind !== 'tensor' || result.type.quantization !== undefined)
    return undefined;
  const { elementType } = result.type;
  if (!isLowPrecision(elementType)) return undefined;
  const wide = inWide(op, r);
  return wide && r.emit('convert', [wide], { elementType });
};

function inWide(op: Op, r: Rewriter): Value | undefined {
  const widen = (v: Value): Value =>
    isLowPrecision(elementTypeOf(v)) ? r.emit1('convert', [v], { elementType: 'f32' }) : v;
  if (roundingUnary.has(op.name)) return r.emit1(op.name as UnaryName, op.operands.map(widen), {});
  if (roundingBinary.has(op.name)) return r.emit1(op.name as BinaryName, op.operands.map(widen), {});
  return isIn(summing, op) ? dispatch(summing, op, r, widen) : undefined;
}

const wideReduction = (
  op: Op<'reduce' | 'reduce_window' | 'scatter'>,
  r: Rewriter,
  widen: (value: Value) => Value,
): Value | undefined => {
  const name = reducerOf(op.regions[0]);
  if (name !== 'add' && name !== 'multiply') return undefined;
  const region = r.combiner(name, 'f32');
  return r.emit(op.name, op.operands.map(widen), op.attributes, [region])[0];
};
/** Ops whose sums are accumulated in f32. */
const summing: PerOp<
  'dot_general' | 'convolution' | 'reduce' | 'reduce_window' | 'scatter',
  Value | undefined,
  [Rewriter, widen: (value: Value) => Value]
> = {
  dot_general: (op, r) => r.emit1('dot_general', op.operands, { ...op.attributes, elementType: 'f32' }),
  convolution: (op, r, widen) => r.emit1('convolution', op.operands.map(widen), op.attributes),
  reduce: wideReduction,
  reduce_window: wideReduction,
  scatter: wideReduction,
};
