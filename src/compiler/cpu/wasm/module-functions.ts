// Functions of a module that kernels share, each added when it is first used: conversions of two-byte floats, random words, math
// functions of scalars and of vectors, and the functions of JavaScript for all other ops.
import { numberOf, rounderOf, storageOf } from '../../../hlo/element-codec.ts';
import type { ElementType } from '../../../hlo/types.ts';
import type { MathFunction, MathValue } from '../../ir/math/math-function.ts';
import type { ScalarOp } from '../../ir/scalar-op.ts';
import { keyOfScalarOp } from '../../ir/scalar-op.ts';
import { targetFunction } from '../scalar-functions/math.ts';
import type { CpuTarget } from '../target/target.ts';
import { literal, valueTypeOf } from './elements.ts';
import {
  access,
  addI32,
  andI32,
  apply,
  applyVector,
  type Callee,
  callOf,
  type Expr,
  FunctionBuilder,
  f32Const,
  f32x4Const,
  get,
  i32Const,
  i32x4Const,
  i64Const,
  type ModuleBuilder,
  select,
  type ValueType,
} from './encoder.ts';
import { machineMemory } from './machine-memory.ts';
import { scalarCode } from './scalar-code.ts';
import type { SharedFunctions } from './shared-functions.ts';
import { gathered, laneOf, vectorCode } from './vector-code.ts';

const reinterpretToInt = (x: Expr): Expr => apply('i32', [0xbc], x);
const reinterpretToFloat = (x: Expr): Expr => apply('f32', [0xbe], x);
const or = (a: Expr, b: Expr): Expr => apply('i32', [0x72], a, b);
const shl = (a: Expr, by: number): Expr => apply('i32', [0x74], a, i32Const(by));
const shr = (a: Expr, by: number): Expr => apply('i32', [0x76], a, i32Const(by));
const aboveUnsigned = (a: Expr, b: Expr): Expr => apply('i32', [0x4b], a, b);

export class ModuleFunctions implements SharedFunctions {
  readonly module: ModuleBuilder;
  readonly target: CpuTarget;
  readonly #functions = new Map<string, Callee>();
  constructor(module: ModuleBuilder, target: CpuTarget) {
    this.module = module;
    this.target = target;
  }

  function(key: string, make: () => FunctionBuilder): Callee {
    let found = this.#functions.get(key);
    if (found === undefined) {
      found = this.module.add(make());
      this.#functions.set(key, found);
    }
    return found;
  }

  lookUp(table: readonly number[], at: Expr): Expr {
    const address = addI32(i32Const(machineMemory().tableAt(table)), apply('i32', [0x74], at, i32Const(2)));
    return apply('f32', [0x2a, ...access(0)], address);
  }

  /** Rounds to the nearest bf16, ties to even; NaNs become the one of the format. */
  toBrain(x: Expr): Expr {
    const f = this.function('to bf16', () => {
      const made = new FunctionBuilder(['f32'], 'f32');
      const value = get(made.params[0]!);
      const bits = made.keep(reinterpretToInt(value));
      const odd = andI32(shr(bits, 16), i32Const(1));
      const rounded = andI32(addI32(addI32(bits, i32Const(0x7fff)), odd), i32Const(0xffff0000));
      const isNumber = apply('i32', [0x5b], value, value);
      made.emit(select(isNumber, reinterpretToFloat(rounded), f32Const(Number.NaN)).code);
      return made;
    });
    return callOf(f, x);
  }
  fromHalf(bits: Expr): Expr {
    const f = this.function('from f16', () => {
      const made = new FunctionBuilder(['i32'], 'f32');
      const h = get(made.params[0]!);
      const size = made.keep(andI32(h, i32Const(0x7fff)));
      const number = reinterpretToInt(apply('f32', [0x94], reinterpretToFloat(shl(size, 13)), f32Const(2 ** 112)));
      const special = or(shl(size, 13), i32Const(0x7f800000));
      const value = select(aboveUnsigned(size, i32Const(0x7bff)), special, number);
      made.emit(reinterpretToFloat(or(value, shl(andI32(h, i32Const(0x8000)), 16))).code);
      return made;
    });
    return callOf(f, bits);
  }
  toHalf(x: Expr): Expr {
    const f = this.function('to f16', () => {
      const made = new FunctionBuilder(['f32'], 'i32');
      const bits = made.keep(reinterpretToInt(get(made.params[0]!)));
      const size = made.keep(andI32(bits, i32Const(0x7fffffff)));
      const odd = andI32(shr(size, 13), i32Const(1));
      const normal = shr(addI32(addI32(size, i32Const(0xc8000fff | 0)), odd), 13);
      const shifted = apply('f32', [0x92], reinterpretToFloat(size), f32Const(0.5));
      const subnormal = apply('i32', [0x6b], reinterpretToInt(shifted), i32Const(0x3f000000));
      const finite = select(aboveUnsigned(i32Const(0x38800000), size), subnormal, normal);
      const bounded = select(aboveUnsigned(size, i32Const(0x477fffff)), i32Const(0x7c00), finite);
      const value = select(aboveUnsigned(size, i32Const(0x7f800000)), i32Const(0x7e00), bounded);
      made.emit(or(value, andI32(shr(bits, 16), i32Const(0x8000))).code);
      return made;
    });
    return callOf(f, x);
  }
  rounded(type: ElementType, x: Expr): Expr {
    if (type === 'bf16') return this.toBrain(x);
    if (type === 'f16') return this.fromHalf(this.toHalf(x));
    return type === 'f32' || type === 'f64'
      ? x
      : this.#imported(`round ${type}`, 'f32', 'f32', () => rounderOf(type), x);
  }
  decoded = (type: ElementType, bits: Expr): Expr =>
    this.#imported(`decode ${type}`, 'i32', 'f32', () => numberOf(type)!, bits);
  encoded = (type: ElementType, x: Expr): Expr =>
    this.#imported(`encode ${type}`, 'f32', 'i32', () => storageOf(type)!, x);
  #imported(key: string, from: ValueType, to: ValueType, make: () => (x: number) => number, x: Expr): Expr {
    let found = this.#functions.get(key);
    if (found === undefined) {
      const f = make();
      found = this.module.import({ type: { params: [from], result: to }, call: y => f(y as number) });
      this.#functions.set(key, found);
    }
    return callOf(found, x);
  }
  roundedVector(type: ElementType, x: Expr): Expr {
    if (type !== 'bf16') return x;
    const f = this.function('to bf16 x4', () => {
      const made = new FunctionBuilder(['v128'], 'v128');
      const bits = get(made.params[0]!);
      const odd = applyVector('v128', 0x4e, [applyVector('v128', 0xad, [bits, i32Const(16)]), i32x4Const(1)]);
      const sum = applyVector('v128', 0xae, [applyVector('v128', 0xae, [bits, i32x4Const(0x7fff)]), odd]);
      const rounded = applyVector('v128', 0x4e, [sum, i32x4Const(0xffff0000 | 0)]);
      const isNumber = applyVector('v128', 0x41, [bits, bits]);
      made.emit(applyVector('v128', 0x52, [rounded, f32x4Const(Number.NaN), isNumber]).code);
      return made;
    });
    return callOf(f, x);
  }

  math(f: MathFunction, x: Expr): Expr {
    const isVector = x.type === 'v128';
    if (isVector && f.operations.some(o => o.type === 'f64')) return this.#eachLane(f, x);
    const found = this.function(`math ${f.name} ${x.type}`, () => {
      const made = new FunctionBuilder([x.type], x.type);
      const values = new Map<MathValue, Expr>([[f.argument, get(made.params[0]!)]]);
      const exprOf = (v: MathValue): Expr => {
        if (v.kind !== 'constant') return values.get(v)!;
        if (isVector) return v.type === 'f32' ? f32x4Const(v.value) : i32x4Const(v.value | 0);
        return literal(v.type, v.value);
      };
      for (const o of f.operations) {
        const types = o.args.map(a => a.type);
        const args = o.args.map(exprOf);
        const value = isVector
          ? vectorCode(o.op, types, o.type, args, made, this)
          : scalarCode(o.op, types, o.type, args, made, this, 'region');
        values.set(o, made.keep(value));
      }
      made.emit(values.get(f.operations.at(-1)!)!.code);
      return made;
    });
    return callOf(found, x);
  }

  /** A function that computes with f64 has no vectors. */
  #eachLane(f: MathFunction, x: Expr): Expr {
    const found = this.function(`math ${f.name} by lanes`, () => {
      const made = new FunctionBuilder(['v128'], 'v128');
      const value = get(made.params[0]!);
      made.emit(gathered('f32', made, lane => this.math(f, laneOf('f32', value, lane))).code);
      return made;
    });
    return callOf(found, x);
  }

  foreign(
    op: ScalarOp,
    types: readonly ElementType[],
    to: ElementType,
    args: readonly Expr[],
    place: 'node' | 'region',
  ): Expr {
    const key = `foreign ${keyOfScalarOp(op)} ${types.join()} ${to} ${place}`;
    let found = this.#functions.get(key);
    if (found === undefined) {
      const params = types.map(valueTypeOf);
      const f = targetFunction(op, types, to, this.target, place);
      const isBoolean = to === 'i1';
      const call = (...values: readonly (number | bigint)[]): number | bigint => {
        const result = f(values.map((x, i) => toUnsigned(types[i]!, x)));
        return (isBoolean ? Number(result) : result) as number | bigint;
      };
      found = this.module.import({ type: { params, result: valueTypeOf(to) }, call });
      this.#functions.set(key, found);
    }
    return callOf(found, ...args);
  }

  randomWord(key: Expr, low: Expr, high: Expr, word: Expr): Expr {
    const f = this.function('random word', () => philoxFunction());
    return callOf(f, key, low, high, word);
  }
}

function toUnsigned(type: ElementType, x: number | bigint): number | bigint {
  if (type === 'ui32') return (x as number) >>> 0;
  return type === 'ui64' ? BigInt.asUintN(64, x as bigint) : x;
}

/** (key, low and high half of the counter, word) → word. Kernels read words in order, so blocks are usually computed 4 times. */
function philoxFunction(): FunctionBuilder {
  const f = new FunctionBuilder(['i64', 'i64', 'i64', 'i32'], 'i32');
  const [key, low, high, word] = f.params.map(get) as [Expr, Expr, Expr, Expr];
  const low32 = (x: Expr): Expr => apply('i32', [0xa7], x);
  const high32 = (x: Expr): Expr => low32(apply('i64', [0x88], x, i64Const(32n)));
  const wide = (x: Expr): Expr => apply('i64', [0xad], x);
  const xor = (a: Expr, b: Expr): Expr => apply('i32', [0x73], a, b);
  const start = f.keep(apply('i64', [0x7c], low, wide(shr(word, 2))));
  const carry = wide(apply('i32', [0x54], start, low));
  const above = f.keep(apply('i64', [0x7c], high, carry));
  const c = [low32(start), high32(start), low32(above), high32(above)].map(x => {
    const local = f.local('i32');
    f.set(local, x);
    return local;
  });
  const k = [low32(key), high32(key)].map(x => {
    const local = f.local('i32');
    f.set(local, x);
    return local;
  });
  const weyl = [0x9e3779b9, 0xbb67ae85];
  for (let round = 0; round < 10; round++) {
    const a = f.keep(apply('i64', [0x7e], wide(get(c[0]!)), i64Const(0xd2511f53n)));
    const b = f.keep(apply('i64', [0x7e], wide(get(c[2]!)), i64Const(0xcd9e8d57n)));
    f.set(c[0]!, xor(xor(high32(b), get(c[1]!)), get(k[0]!)));
    f.set(c[1]!, low32(b));
    f.set(c[2]!, xor(xor(high32(a), get(c[3]!)), get(k[1]!)));
    f.set(c[3]!, low32(a));
    for (const [i, local] of k.entries()) f.set(local, addI32(get(local), i32Const(weyl[i]! | 0)));
  }
  const at = andI32(word, i32Const(3));
  const pair = (x: Expr, y: Expr): Expr => select(andI32(at, i32Const(1)), y, x);
  f.emit(select(andI32(at, i32Const(2)), pair(get(c[2]!), get(c[3]!)), pair(get(c[0]!), get(c[1]!))).code);
  return f;
}
