// The semantics of each scalar op as functions, which every printer must preserve. Built on the scalar functions of the op table,
// so that it agrees with the reference interpreter. Ops computed by a math function have the bits of that function instead; see
// math.ts.
import { invariant } from '../../../base/errors.ts';
import type { BinaryName, ComparisonDirection, UnaryName } from '../../../hlo/attributes.ts';
import { floatFormat, rounderOf, storageOf } from '../../../hlo/element-codec.ts';
import { type Literal, zeros } from '../../../hlo/literal.ts';
import { applyBinary, applyUnary } from '../../../hlo/ops/apply.ts';
import { partType } from '../../../hlo/ops/complex.ts';
import { convertLiteral } from '../../../hlo/ops/convert.ts';
import { bitWidth, isBig, isComplex } from '../../../hlo/ops/element-data.ts';
import { literalOfBits, packedBits } from '../../../hlo/ops/packed-bits.ts';
import { reducePrecision } from '../../../hlo/ops/reduce-precision.ts';
import { binaryFunctions, functionFor, unaryFunctions } from '../../../hlo/ops/scalar-functions.ts';
import { type ElementType, tensorType } from '../../../hlo/types.ts';
import { fmaF32, fmaF64 } from '../../../numerics/fma.ts';
import { threefry2x32 } from '../../../numerics/threefry.ts';
import type { ScalarOp } from '../../ir/scalar-op.ts';
import { type ScalarValue, scalarValueAt } from '../../ir/scalar-value.ts';
import type { CpuTarget } from '../target/target.ts';

export type ScalarFunction = (operands: readonly ScalarValue[]) => ScalarValue;

const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0);

/** A value as a literal without dims. */
export function literalOfValue(type: ElementType, value: ScalarValue): Literal {
  const out = zeros(tensorType(type));
  storeValue(out, 0, value);
  return out;
}
/** Element `i` of a literal becomes `value`, which is a number of its type already. */
export function storeValue({ type, data }: Literal, i: number, value: ScalarValue): void {
  if (typeof value === 'object') [data[2 * i], data[2 * i + 1]] = value;
  else if (typeof value === 'bigint') data[i] = value;
  else data[i] = storageOf(type.elementType)?.(value) ?? value;
}

const signed64 = (x: bigint): bigint => BigInt.asIntN(64, x);
const unsigned64 = (x: bigint): bigint => BigInt.asUintN(64, x);

const comparisons: { readonly [D in ComparisonDirection]: (a: number | bigint, b: number | bigint) => boolean } = {
  EQ: (a, b) => a === b,
  NE: (a, b) => a !== b,
  GE: (a, b) => a >= b,
  GT: (a, b) => a > b,
  LE: (a, b) => a <= b,
  LT: (a, b) => a < b,
};
/** The position of a float in IEEE 754's total order. */
function totalOrder(value: ScalarValue): bigint {
  const bits = signed64(bitsOf('f64', Number(value)));
  return bits < 0n ? bits ^ 0x7fff_ffff_ffff_ffffn : bits;
}

function bitsOf(type: ElementType, value: ScalarValue): bigint {
  const packed = packedBits(literalOfValue(type, value));
  return packed.reduceRight((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
}
function fromBits(type: ElementType, bits: bigint): ScalarValue {
  const bytes = Math.max(1, bitWidth(type) / 8);
  const packed = Uint8Array.from({ length: Math.ceil(bytes) }, (_, i) => Number((bits >> BigInt(8 * i)) & 0xffn));
  return scalarValueAt(literalOfBits(tensorType(type), packed), 0);
}
/** A value of a type from the low bits of a random word. */
export const valueOfWord = (type: ElementType, word: bigint): ScalarValue =>
  fromBits(type, word & ((1n << BigInt(Math.max(8, bitWidth(type)))) - 1n));

/** Any number converted: to an integer by wrapping or saturation, to a float by rounding once. */
export function convertValue(from: ElementType, to: ElementType): (value: ScalarValue) => ScalarValue {
  return value => scalarValueAt(convertLiteral(literalOfValue(from, value), to), 0);
}

const isUnary = (name: string): name is UnaryName => Object.hasOwn(unaryFunctions, name);
const isBinary = (name: string): name is BinaryName => Object.hasOwn(binaryFunctions, name);

/** The function of an op, for operands of these types and a result of type `to`. */
export function scalarFunction(
  op: ScalarOp,
  types: readonly ElementType[],
  to: ElementType,
  target: CpuTarget,
): ScalarFunction {
  const { name } = op;
  const type = types[0]!;
  if (isUnary(name)) return unaryFunction(name, type, to);
  if (isBinary(name)) return binaryFunction(name, type, to);
  switch (op.name) {
    case 'is_finite':
      return ([x]) => (Number.isFinite(x) ? 1 : 0);
    case 'complex':
      return ([re, im]) => [Number(re), Number(im)];
    case 'real':
      return ([x]) => (typeof x === 'object' ? x[0] : x!);
    case 'imag':
      return ([x]) => (typeof x === 'object' ? x[1] : 0);
    case 'select':
      return ([p, x, y]) => (p ? x! : y!);
    case 'clamp': {
      const [max, min] = [binaryFunction('maximum', to, to), binaryFunction('minimum', to, to)];
      return ([low, x, high]) => min([max([x!, low!]), high!]);
    }
    case 'compare': {
      const holds = comparisons[op.direction];
      if (isComplex(type))
        return ([x, y]) => {
          const equal = String(x) === String(y) && !String(x).includes('NaN');
          return equal === (op.direction === 'EQ') ? 1 : 0;
        };
      if (op.total) return ([x, y]) => (holds(totalOrder(x!), totalOrder(y!)) ? 1 : 0);
      return ([x, y]) => (holds(x as number, y as number) ? 1 : 0);
    }
    case 'fma':
      return type === 'f32'
        ? ([a, b, c]) => fmaF32(a as number, b as number, c as number)
        : ([a, b, c]) => fmaF64(a as number, b as number, c as number);
    case 'multiply_add':
      if (target.fma) return scalarFunction({ name: 'fma' }, types, to, target);
      return ([a, b, c]) => Math.fround(Math.fround((a as number) * (b as number)) + (c as number));
    case 'copy_sign':
      return ([x, sign]) => (isNegative(sign as number) === isNegative(x as number) ? x! : -(x as number));
    case 'look_up': {
      const { table } = op;
      return ([at]) => table[(at as number) & (table.length - 1)]!;
    }
    case 'convert': {
      const convert = convertValue(type, to);
      return ([x]) => convert(x!);
    }
    case 'reduce_precision': {
      const format = floatFormat(partType(type));
      const round = rounderOf(to);
      return ([x]) => round(reducePrecision(x as number, format, op.exponentBits, op.mantissaBits));
    }
    case 'bitcast':
      return ([x]) => fromBits(to, bitsOf(type, x!));
    case 'bitcast_piece': {
      const width = BigInt(bitWidth(to));
      return ([x, k]) => fromBits(to, (bitsOf(type, x!) >> (width * BigInt(k as bigint))) & ((1n << width) - 1n));
    }
    case 'bitcast_join': {
      const width = BigInt(bitWidth(type));
      return parts =>
        fromBits(
          to,
          parts.reduce<bigint>((bits, x, k) => bits | (bitsOf(type, x) << (width * BigInt(k))), 0n),
        );
    }
    case 'clamp_index': {
      const limit = BigInt(op.limit);
      return ([x]) => {
        const at = BigInt(x as number | bigint);
        return at < 0n ? 0n : at > limit ? limit : at;
      };
    }
    case 'advance_counter': {
      const blocks = BigInt(op.blocks);
      return ([word, key, low, high]) => {
        if (word === 0n) return key!;
        const next = unsigned64((low as bigint) + blocks);
        if (word === 1n) return next;
        return unsigned64((high as bigint) + (next < (low as bigint) ? 1n : 0n));
      };
    }
    case 'threefry':
      return ([key, counter, block, which]) => {
        const bits = threefry(key as bigint, unsigned64((counter as bigint) + (block as bigint)));
        return which === undefined
          ? fromBits(to, bits)
          : valueOfWord(to, (bits >> (32n * (which as bigint))) & 0xffffffffn);
      };
    default:
      invariant(false, `${name} has no function`);
  }
}

function threefry(key: bigint, counter: bigint): bigint {
  const words = new Uint32Array(2);
  const [low, high] = [(x: bigint): number => Number(x & 0xffffffffn), (x: bigint): number => Number(x >> 32n)];
  threefry2x32(low(counter), high(counter), low(key), high(key), words);
  return BigInt(words[0]!) | (BigInt(words[1]!) << 32n);
}

function unaryFunction(name: UnaryName, type: ElementType, to: ElementType): ScalarFunction {
  const functions = unaryFunctions[name];
  if (isComplex(type)) return ([x]) => scalarValueAt(applyUnary(name, literalOfValue(type, x!)), 0);
  if (isBig(type)) {
    const wrap = type === 'i64' ? signed64 : unsigned64;
    return ([x]) => wrap(functions.big!(x as bigint, type));
  }
  const f = functionFor(functions, type) as (x: number, type: ElementType) => number;
  const round = rounderOf(to);
  return ([x]) => round(f(x as number, type));
}
export function binaryFunction(name: BinaryName, type: ElementType, to: ElementType): ScalarFunction {
  const functions = binaryFunctions[name];
  if (isComplex(type))
    return ([x, y]) => scalarValueAt(applyBinary(name, literalOfValue(type, x!), literalOfValue(type, y!)), 0);
  if (isBig(type)) {
    const wrap = type === 'i64' ? signed64 : unsigned64;
    return ([x, y]) => wrap(functions.big!(x as bigint, y as bigint, type));
  }
  const f = functionFor(functions, type) as (x: number, y: number, type: ElementType) => number;
  const round = rounderOf(to);
  return ([x, y]) => round(f(x as number, y as number, type));
}
