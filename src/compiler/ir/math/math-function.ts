// A function of one f32 number as data: scalar ops (ir/scalar-op.ts) over values, each computed from earlier ones, without
// branches or calls. So every printer writes the same function, and an interpreter computes its exact bits. Named values
// become variables in printed code; the others are printed inside expressions.
//
// i32 integers stay in range; those of ui32 wrap. Contraction is explicit (`multiplyAdd`), so a function has the same bits
// wherever it is inlined.
import { invariant } from '../../../base/errors.ts';
import type { ComparisonDirection } from '../../../hlo/attributes.ts';
import type { ScalarOp } from '../scalar-op.ts';

export type MathType = 'f32' | 'f64' | 'i32' | 'ui32' | 'i1';

export type MathValue =
  | { readonly kind: 'argument'; readonly type: MathType; readonly name: string }
  /** A number of its type. */
  | { readonly kind: 'constant'; readonly type: MathType; readonly value: number }
  | MathOperation;

export interface MathOperation {
  readonly kind: 'operation';
  readonly type: MathType;
  readonly op: ScalarOp;
  readonly args: readonly MathValue[];
  /** Unique in its function. */
  readonly name: string | undefined;
}

export interface MathFunction {
  readonly name: string;
  readonly argument: MathValue;
  /** Each after its operands; all of them are used. The last one is the result. */
  readonly operations: readonly MathOperation[];
}

/** Numbers become constants of the other operands' type. */
export type Operand = MathValue | number;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A function whose body is recorded by calling `body` with the argument x. */
export function mathFunction(name: string, body: (m: MathBuilder, x: MathValue) => MathValue): MathFunction {
  const builder = new MathBuilder();
  const argument: MathValue = { kind: 'argument', type: 'f32', name: 'x' };
  return { name, argument, operations: builder.operationsOf(body(builder, argument)) };
}

export class MathBuilder {
  readonly #operations: MathOperation[] = [];
  readonly #names = new Map<string, number>([['x', 1]]);

  /** Names a value; if the name is taken, a number is appended. */
  name<V extends MathValue>(name: string, value: V): V {
    invariant(value.kind === 'operation', `a name for a ${value.kind}`);
    const count = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, count);
    (value as Writable<MathOperation>).name = count === 1 ? name : `${name}${count}`;
    return value;
  }

  constant = (type: MathType, value: number): MathValue => ({ kind: 'constant', type, value });
  add = (a: Operand, b: Operand): MathValue => this.#alike('add', a, b);
  subtract = (a: Operand, b: Operand): MathValue => this.#alike('subtract', a, b);
  multiply = (a: Operand, b: Operand): MathValue => this.#alike('multiply', a, b);
  divide = (a: Operand, b: Operand): MathValue => this.#alike('divide', a, b);
  and = (a: Operand, b: Operand): MathValue => this.#alike('and', a, b);
  or = (a: Operand, b: Operand): MathValue => this.#alike('or', a, b);
  negate = (a: Operand): MathValue => this.#alike('negate', a);
  abs = (a: Operand): MathValue => this.#alike('abs', a);
  sqrt = (a: Operand): MathValue => this.#alike('sqrt', a);
  floor = (a: Operand): MathValue => this.#alike('floor', a);
  roundEven = (a: Operand): MathValue => this.#alike('round_nearest_even', a);
  copySign = (magnitude: Operand, sign: Operand): MathValue => this.#alike('copy_sign', magnitude, sign);
  /** a · b + c. */
  fma = (a: Operand, b: Operand, c: Operand): MathValue => this.#alike('fma', a, b, c);
  /** a · b + c, with one rounding where the target has the instruction. */
  multiplyAdd = (a: Operand, b: Operand, c: Operand): MathValue => this.#alike('multiply_add', a, b, c);
  shiftLeft = (a: MathValue, by: number): MathValue => this.#alike('shift_left', a, by);
  /** Arithmetic for signed integers. */
  shiftRight = (a: MathValue, by: number): MathValue =>
    this.#alike(a.type === 'i32' ? 'shift_right_arithmetic' : 'shift_right_logical', a, by);

  compare(a: Operand, direction: ComparisonDirection, b: Operand): MathValue {
    const args = this.#operands([a, b]);
    return this.#operation({ name: 'compare', direction, total: false }, args, 'i1');
  }
  select(condition: MathValue, onTrue: Operand, onFalse: Operand): MathValue {
    const args = this.#operands([onTrue, onFalse]);
    return this.#operation({ name: 'select' }, [condition, ...args], args[0]!.type);
  }
  /** The same bits, of another type as wide. */
  bitcast = (a: MathValue, type: MathType): MathValue => this.#operation({ name: 'bitcast' }, [a], type);
  convert = (a: MathValue, type: MathType): MathValue => this.#operation({ name: 'convert' }, [a], type);
  /** Converts a float that holds an i32 integer; for other floats, the result must not be used. */
  integer = (a: MathValue): MathValue => this.#operation({ name: 'convert', inRange: true }, [a], 'i32');
  /** A function of the op table, for f64. */
  library = (name: 'sine' | 'cosine', a: MathValue): MathValue => this.#alike(name, a);
  lookUp = (table: readonly number[], at: MathValue): MathValue =>
    this.#operation({ name: 'look_up', table: table.map(Math.fround) }, [at], 'f32');

  /** Horner's scheme: coefficients from the highest power down; each step is named `p`, or `name`. */
  polynomial(x: MathValue, coefficients: readonly Operand[], name = 'p'): MathValue {
    const [first, second, ...rest] = coefficients;
    let p = this.name(name, this.multiplyAdd(first!, x, second!));
    for (const c of rest) p = this.name(name, this.multiplyAdd(p, x, c));
    return p;
  }

  /** The operations that a result needs. */
  operationsOf(result: MathValue): MathOperation[] {
    const used = new Set<MathValue>();
    const visit = (v: MathValue): void => {
      if (v.kind !== 'operation' || used.has(v)) return;
      used.add(v);
      v.args.forEach(visit);
    };
    visit(result);
    const operations = this.#operations.filter(o => used.has(o));
    invariant(operations.at(-1) === result, 'a math function must return its last computed value');
    return operations;
  }

  #alike(name: Extract<ScalarOp, { name: string }>['name'], ...operands: readonly Operand[]): MathValue {
    const args = this.#operands(operands);
    return this.#operation({ name } as ScalarOp, args, args[0]!.type);
  }
  #operands(operands: readonly Operand[]): MathValue[] {
    const type = operands.find(o => typeof o !== 'number')?.type ?? 'f32';
    return operands.map(o => {
      if (typeof o === 'number') return this.constant(type, type === 'f32' ? Math.fround(o) : o);
      invariant(o.type === type, `operands of ${o.type} and ${type}`);
      return o;
    });
  }
  #operation(op: ScalarOp, args: readonly MathValue[], type: MathType): MathOperation {
    const made: MathOperation = { kind: 'operation', type, op, args, name: undefined };
    this.#operations.push(made);
    return made;
  }
}
