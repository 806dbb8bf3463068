// One element of an elementwise op as a C expression: the rule of the compiler for each of these ops. Operands are texts of
// register values, atoms (names or constants), so a rule may repeat them. The semantics are those of the op table's
// `evaluate`; two-byte floats are computed in f32 and rounded once.
import { elementAt } from '../../../../base/element-at.ts';
import type { BinaryName, ComparisonDirection, UnaryName } from '../../../../hlo/attributes.ts';
import { partType } from '../../../../hlo/ops/complex.ts';
import { bitWidth, isComplex } from '../../../../hlo/ops/element-data.ts';
import type { Op } from '../../../../hlo/program.ts';
import { tensorTypeOf } from '../../../../hlo/program.ts';
import { type ElementType, elementBytes, isInteger, numberKind } from '../../../../hlo/types.ts';
import { mathFunctionOf } from '../../../ir/math/index.ts';
import { isFloatRegister } from '../../../ir/registers.ts';
import { computedTypeOperand, type ScalarOp, type ScalarOpName, scalarOpOf } from '../../../ir/scalar-op.ts';
import { isEncoded, registerType, rounded, valueText, wrappingType } from './c-types.ts';
import { complexText } from './complex.ts';

type Rule = (operands: readonly string[], type: ElementType) => string;

/** f32 and f64 variants of a function named t_NAME_f32 / t_NAME_f64. */
const own = (name: string, type: ElementType): string => `t_${name}_${type === 'f64' ? 'f64' : 'f32'}`;
const libm = (name: string, type: ElementType): string => `__builtin_${name}${type === 'f64' ? '' : 'f'}`;

/** Our own in f32 (ir/math/); a function of libm in f64. */
const ours =
  (name: UnaryName, theirs: string): Rule =>
  ([x], t) =>
    t === 'f64' ? `__builtin_${theirs}(${x})` : `t_${mathFunctionOf({ name }, t)!.name}_f32(${x})`;
const builtin =
  (name: string): Rule =>
  ([x], t) =>
    `${libm(name, t)}(${x})`;
const builtin2 =
  (name: string): Rule =>
  ([x, y], t) =>
    `${libm(name, t)}(${x}, ${y})`;
const wrapping =
  (sign: string): Rule =>
  ([x, y], t) =>
    isInteger(t)
      ? `(${registerType(t)})((${wrappingType(t)})${x} ${sign} (${wrappingType(t)})${y})`
      : `${x} ${sign} ${y}`;
const helper =
  (name: string): Rule =>
  (args, t) =>
    `t_${name}_${isInteger(t) ? t : t === 'f64' ? 'f64' : 'f32'}(${args.join(', ')})`;
const bitwise =
  (sign: string): Rule =>
  ([x, y], t) =>
    t === 'i1' ? `(_Bool)(${x} ${sign} ${y})` : `(${registerType(t)})(${x} ${sign} ${y})`;

const unaryRules: { readonly [N in UnaryName]: Rule } = {
  abs: ([x], t) =>
    isInteger(t)
      ? numberKind(t) === 'unsigned'
        ? `${x}`
        : `(${registerType(t)})(${x} < 0 ? 0 - (${wrappingType(t)})${x} : (${wrappingType(t)})${x})`
      : `${libm('fabs', t)}(${x})`,
  cbrt: builtin('cbrt'),
  ceil: builtin('ceil'),
  count_leading_zeros: helper('clz'),
  cosine: ours('cosine', 'cos'),
  exponential: ours('exponential', 'exp'),
  exponential_minus_one: ours('exponential_minus_one', 'expm1'),
  floor: builtin('floor'),
  log: ours('log', 'log'),
  log_plus_one: ours('log_plus_one', 'log1p'),
  logistic: ([x], t) => `${own('logistic', t)}(${x})`,
  negate: ([x], t) => (isInteger(t) ? `(${registerType(t)})(0 - (${wrappingType(t)})${x})` : `-${x}`),
  not: ([x], t) => (t === 'i1' ? `!${x}` : `(${registerType(t)})~${x}`),
  popcnt: helper('popcnt'),
  round_nearest_afz: ours('round_nearest_afz', 'round'),
  round_nearest_even: builtin('rint'),
  rsqrt: ([x], t) => (t === 'f64' ? `1.0 / __builtin_sqrt(${x})` : `${own('rsqrt', t)}(${x})`),
  sign: ([x], t) => (isInteger(t) ? `(${registerType(t)})((${x} > 0) - (${x} < 0))` : `${own('sign', t)}(${x})`),
  sine: ours('sine', 'sin'),
  sqrt: builtin('sqrt'),
  tan: builtin('tan'),
  tanh: ours('tanh', 'tanh'),
  'chlo.erf': ours('chlo.erf', 'erf'),
};

const binaryRules: { readonly [N in BinaryName]: Rule } = {
  add: (args, t) => (t === 'i1' ? `(_Bool)(${args[0]} | ${args[1]})` : wrapping('+')(args, t)),
  and: bitwise('&'),
  atan2: builtin2('atan2'),
  divide: (args, t) => (isInteger(t) ? helper('div')(args, t) : `${args[0]} / ${args[1]}`),
  maximum: ([x, y], t) =>
    t === 'i1' ? `(_Bool)(${x} | ${y})` : isInteger(t) ? `(${x} > ${y} ? ${x} : ${y})` : `${own('max', t)}(${x}, ${y})`,
  minimum: ([x, y], t) =>
    t === 'i1' ? `(_Bool)(${x} & ${y})` : isInteger(t) ? `(${x} < ${y} ? ${x} : ${y})` : `${own('min', t)}(${x}, ${y})`,
  multiply: (args, t) => (t === 'i1' ? `(_Bool)(${args[0]} & ${args[1]})` : wrapping('*')(args, t)),
  or: bitwise('|'),
  power: (args, t) => (isInteger(t) ? helper('pow')(args, t) : builtin2('pow')(args, t)),
  remainder: (args, t) => (isInteger(t) ? helper('rem')(args, t) : builtin2('fmod')(args, t)),
  shift_left: helper('shl'),
  shift_right_arithmetic: helper('shra'),
  shift_right_logical: helper('shrl'),
  subtract: wrapping('-'),
  xor: bitwise('^'),
};

const comparisons: { readonly [D in ComparisonDirection]: string } = {
  EQ: '==',
  NE: '!=',
  GE: '>=',
  GT: '>',
  LE: '<=',
  LT: '<',
};

/** x converted between register types: as the op table converts, saturating from floats to integers. */
export function converted(x: string, from: ElementType, to: ElementType): string {
  if (from === to) return x;
  if (isComplex(from))
    return isComplex(to) ? `(${registerType(to)})${x}` : converted(`__real__ ${x}`, partType(from), to);
  if (isComplex(to)) return `(${registerType(to)})(${converted(x, from, partType(to))})`;
  if (to === 'i1') return `(_Bool)(${x} != 0)`;
  // a conversion of a _Bool prevents gcc 12 from vectorizing; a conditional expression does not
  if (from === 'i1')
    return to === 'f64'
      ? `(${x} ? 1.0 : 0.0)`
      : isInteger(to)
        ? rounded(to, `(${registerType(to)})(${x} ? 1 : 0)`)
        : `(${x} ? 1.0f : 0.0f)`;
  const fromFloat = numberKind(from) === 'float';
  if (isInteger(to)) {
    return fromFloat ? `t_${from === 'f64' ? 'f64' : 'f32'}_to_${to}(${x})` : rounded(to, `(${registerType(to)})${x}`);
  }
  if (isFloatRegister(from) && isFloatRegister(to)) return rounded(to, x);
  // below f32 there is only one rounding
  if (isEncoded(to) || to === 'tf32')
    return rounded(to, `t_odd_f32(${from === 'i64' || from === 'ui64' ? `t_sticky_${from}(${x})` : x})`);
  return `(${registerType(to)})${x}`;
}

/** The C type in which products of a type are summed. */
export function accumulatorType(type: ElementType): string {
  if (type === 'i1') return '_Bool';
  return isInteger(type) ? wrappingType(type) : registerType(type);
}
/** Adds a product to a sum, all of the accumulator's type. */
export function addProduct(sum: string, x: string, y: string, type: ElementType): string {
  if (type === 'i1') return `${sum} |= ${x} & ${y}`;
  return `${sum} += ${isComplex(type) ? `t_multiply_complex${type === 'complex<f32>' ? '_f32' : ''}(${x}, ${y})` : `${x} * ${y}`}`;
}

/** The bits of a register value as an unsigned integer of its width. */
export function bitsText(x: string, type: ElementType): string {
  if (isEncoded(type)) return `t_to_${type}(${x})`;
  switch (type) {
    case 'f32':
    case 'f64':
      return `t_bits_${type}(${x})`;
    case 'tf32':
      return `t_bits_f32(${x})`;
    case 'complex<f32>':
      return `(t_bits_f32(__real__ ${x}) | (uint64_t)t_bits_f32(__imag__ ${x}) << 32)`;
    case 'complex<f64>':
      return `(t_bits_f64(__real__ ${x}) | (unsigned __int128)t_bits_f64(__imag__ ${x}) << 64)`;
    case 'i2':
    case 'i4':
      return `(uint8_t)(${x} & ${2 ** bitWidth(type) - 1})`;
    case 'i1':
      return `(uint8_t)${x}`;
    default:
      return `(uint${8 * elementBytes(type)}_t)${x}`;
  }
}
/** A register value from its bits: an atom or an expression in parentheses. */
export function fromBitsText(x: string, type: ElementType): string {
  if (isEncoded(type)) return `t_from_${type}(${x})`;
  switch (type) {
    case 'f32':
    case 'f64':
      return `t_from_bits_${type}(${x})`;
    case 'tf32':
      return `t_from_bits_f32(${x})`;
    case 'complex<f32>':
      return `__builtin_complex(t_from_bits_f32((uint32_t)${x}), t_from_bits_f32((uint32_t)(${x} >> 32)))`;
    case 'complex<f64>':
      return `__builtin_complex(t_from_bits_f64((uint64_t)${x}), t_from_bits_f64((uint64_t)(${x} >> 64)))`;
    case 'i1':
      return `(_Bool)(${x} & 1)`;
    default:
      return rounded(type, `(${registerType(type)})${x}`);
  }
}

const rules: { readonly [N in UnaryName | BinaryName]: Rule } = { ...unaryRules, ...binaryRules };

/** One element of an elementwise op of the program as a C expression. */
export function opText(op: Op<ScalarOpName>, operands: readonly string[]): string {
  const scalar = scalarOpOf(op);
  const types = op.operands.map(v => tensorTypeOf(v).elementType);
  return scalarText(scalar, operands, types, tensorTypeOf(op.results[0]).elementType);
}

const unsignedType = (bits: number): string => (bits === 128 ? 'unsigned __int128' : `uint${Math.max(8, bits)}_t`);

/** A scalar op as a C expression of its operands, of their types, and of the type of its result. */
export function scalarText(
  op: ScalarOp,
  operands: readonly string[],
  types: readonly ElementType[],
  to: ElementType,
): string {
  const type = elementAt(types, computedTypeOperand(op));
  const x = elementAt(operands, 0);
  const [, y, z] = operands;
  const complex = isComplex(type) ? complexText(op, operands, type) : undefined;
  if (complex !== undefined) return complex;
  switch (op.name) {
    case 'complex':
      return `__builtin_complex(${x}, ${y})`;
    case 'real':
      return `${x}`;
    case 'imag':
      return type === 'f64' ? '0.0' : '0.0f';
    case 'is_finite':
      return type === 'f64'
        ? `(_Bool)(__builtin_fabs(${x}) <= 1.7976931348623157e308)`
        : `(_Bool)(__builtin_fabsf(${x}) <= 3.40282347e38f)`;
    case 'compare': {
      const sign = comparisons[op.direction];
      if (!op.total) return `(_Bool)(${x} ${sign} ${y})`;
      return `(_Bool)(${own('total_order', type)}(${x}) ${sign} ${own('total_order', type)}(${y}))`;
    }
    case 'select':
      return `${x} ? ${y} : ${z}`;
    case 'clamp': {
      const [least, value, greatest] = [x, elementAt(operands, 1), elementAt(operands, 2)];
      return binaryRules.minimum([binaryRules.maximum([value, least], type), greatest], type);
    }
    case 'convert':
      return op.inRange ? `(${registerType(to)})${x}` : converted(x, type, to);
    case 'reduce_precision':
      return rounded(type, `${own('reduce_precision', type)}(${x}, ${op.exponentBits}, ${op.mantissaBits})`);
    case 'bitcast':
      return type === to ? x : fromBitsText(`(${bitsText(x, type)})`, to);
    case 'bitcast_piece': {
      const bits = bitWidth(to);
      return fromBitsText(`((${unsignedType(bits)})(${bitsText(x, type)} >> (${bits} * ${y})))`, to);
    }
    case 'bitcast_join': {
      const wide = unsignedType(bitWidth(to));
      const parts = operands.map((part, k) => `(${wide})${bitsText(part, type)} << ${bitWidth(type) * k}`);
      return fromBitsText(`(${parts.join(' | ')})`, to);
    }
    case 'clamp_index':
      return type === 'ui64'
        ? `(${x} > ${op.limit}u ? ${op.limit} : (int64_t)${x})`
        : `((int64_t)${x} < 0 ? 0 : (int64_t)${x} > ${op.limit} ? ${op.limit} : (int64_t)${x})`;
    case 'advance_counter': {
      const [word, key, low, high] = operands;
      return high === undefined
        ? `(${word} == 0 ? ${key} : ${low} + ${op.blocks}u)`
        : `(${word} == 0 ? ${key} : ${word} == 1 ? ${low} + ${op.blocks}u : ${high} + (${low} + ${op.blocks}u < ${low}))`;
    }
    case 'threefry': {
      const bits = `t_threefry(${x}, ${y} + (uint64_t)${z})`;
      return operands.length === 3
        ? fromBitsText(bits, to)
        : wordText(`(uint32_t)(${bits} >> (32 * ${operands[3]}))`, to);
    }
    case 'exponential':
      if (op.nonPositive && type === 'f32') return `t_${mathFunctionOf(op, type)!.name}_f32(${x})`;
      return rounded(to, rules.exponential(operands, type));
    case 'fma':
      return `${libm('fma', type)}(${operands.join(', ')})`;
    case 'multiply_add':
      return `t_fma_f32(${operands.join(', ')})`;
    case 'copy_sign':
      return `${libm('copysign', type)}(${x}, ${y})`;
    case 'look_up':
      return `((const float[]){${op.table.map(e => valueText('f32', e)).join(', ')}}[${x} & ${op.table.length - 1}])`;
    default:
      return rounded(to, rules[op.name](operands, type));
  }
}

/** A value of a type of up to four bytes from the low bits of a random word. */
export function wordText(word: string, type: ElementType): string {
  const bytes = elementBytes(type);
  return fromBitsText(bytes === 4 ? word : `(uint${8 * bytes}_t)${word}`, type);
}
