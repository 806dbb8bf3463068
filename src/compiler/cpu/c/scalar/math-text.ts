// Math functions (ir/math/) as C statements: named values, and those used more than once, are constants; all others are inlined
// in the expressions that use them. So an operand of `select` that is not used elsewhere is only computed if it is selected.
import { elementAt } from '../../../../base/element-at.ts';
import { invariant } from '../../../../base/errors.ts';
import type { MathFunction, MathOperation, MathType, MathValue } from '../../../ir/math/math-function.ts';
import type { ScalarOp } from '../../../ir/scalar-op.ts';
import { registerType, valueText } from './c-types.ts';
import { scalarText } from './scalar.ts';

/** The C text that replaces a value where it is used. */
export type Overrides = ReadonlyMap<MathValue, string>;

type RowOf = (o: MathOperation) => string | undefined;

export class MathText {
  readonly #names = new Map<MathValue, string>();

  readonly #rowOf: RowOf;

  /** `rowOf`: the name of the table of a look-up. */
  constructor(
    { argument, operations }: MathFunction,
    overrides: Overrides = new Map(),
    rowOf: RowOf = () => undefined,
  ) {
    this.#rowOf = rowOf;
    this.#names.set(argument, 'x');
    const uses = new Map<MathValue, number>();
    for (const o of operations) for (const a of o.args) uses.set(a, (uses.get(a) ?? 0) + 1);
    let count = 0;
    for (const o of operations) {
      if (o.name !== undefined) this.#names.set(o, o.name);
      else if ((uses.get(o) ?? 0) > 1) this.#names.set(o, `v${++count}`);
    }
    for (const [v, text] of overrides) this.#names.set(v, text);
  }

  /** The declarations of the named operations. */
  declarations(operations: readonly MathOperation[], indent = '  '): string {
    const lines = operations.flatMap(o => {
      const name = this.#names.get(o);
      return name === undefined ? [] : [`${indent}const ${registerType(o.type)} ${name} = ${this.expression(o)};`];
    });
    return lines.join('\n');
  }
  name(value: MathValue): string {
    return this.#names.get(value)!;
  }
  expression(operation: MathOperation): string {
    return this.#text(operation).text;
  }

  #text(operation: MathOperation): Text {
    const { op, args, type } = operation;
    const infix = infixOf(op);
    if (infix !== undefined) {
      const { sign, strength } = infix;
      // equal precedence associates to the left; bitwise operators next to each other are always in parentheses
      const left = this.#operand(elementAt(args, 0), strength <= bitStrength ? strength + 1 : strength);
      return { text: `${left} ${sign} ${this.#operand(elementAt(args, 1), strength + 1)}`, strength };
    }
    const text = this.#texts[op.name];
    if (text !== undefined) return text(operation);
    const operands = args.map(a => this.#operand(a, 0));
    const types = args.map(a => a.type);
    return call(scalarText(op, operands, types, type));
  }
  /** The expressions of ops that are not function calls. */
  readonly #texts: { readonly [N in ScalarOp['name']]?: (operation: MathOperation) => Text } = {
    select: ({ args }) => {
      const [condition, onTrue, onFalse] = args.map(a => this.#operand(a, selectStrength + 1));
      return { text: `${condition} ? ${onTrue} : ${onFalse}`, strength: selectStrength };
    },
    look_up: operation => {
      const { op, args } = operation;
      invariant('table' in op, 'a look-up has a table');
      return call(
        `${this.#rowOf(operation)}[${this.#operand(elementAt(args, 0), bitStrength + 1)} & ${op.table.length - 1}]`,
      );
    },
    bitcast: ({ args, type }) => this.#bitcast(elementAt(args, 0), type),
    convert: ({ args, type }) => this.#prefix(`(${registerType(type)})`, elementAt(args, 0)),
    negate: ({ args }) => this.#prefix('-', elementAt(args, 0)),
  };
  #prefix(sign: string, value: MathValue): Text {
    return { text: `${sign}${this.#operand(value, prefixStrength)}`, strength: prefixStrength };
  }
  #bitcast(value: MathValue, to: MathType): Text {
    if (to === 'f32') return call(`t_from_bits_f32(${this.#operand(value, 0)})`);
    if (value.type === 'f32') return call(`t_bits_f32(${this.#operand(value, 0)})`);
    return { text: `(${registerType(to)})${this.#operand(value, prefixStrength)}`, strength: prefixStrength };
  }
  /** Adds parentheses if the expression has lower precedence than its context. */
  #operand(value: MathValue, strength: number): string {
    if (value.kind === 'constant') return constantText(value.type, value.value);
    const name = this.#names.get(value);
    if (name !== undefined) return name;
    const { text, strength: own } = this.#text(value as MathOperation);
    return own < strength ? `(${text})` : text;
  }
}

/** An expression and the precedence of its operator. */
interface Text {
  readonly text: string;
  readonly strength: number;
}
const [selectStrength, bitStrength, compareStrength, shiftStrength, addStrength, multiplyStrength, prefixStrength] = [
  1, 2, 3, 4, 5, 6, 7,
];
const call = (text: string): Text => ({ text, strength: prefixStrength + 1 });

const infixes: { readonly [N in ScalarOp['name']]?: { readonly sign: string; readonly strength: number } } = {
  or: { sign: '|', strength: bitStrength },
  and: { sign: '&', strength: bitStrength },
  shift_left: { sign: '<<', strength: shiftStrength },
  shift_right_arithmetic: { sign: '>>', strength: shiftStrength },
  shift_right_logical: { sign: '>>', strength: shiftStrength },
  add: { sign: '+', strength: addStrength },
  subtract: { sign: '-', strength: addStrength },
  multiply: { sign: '*', strength: multiplyStrength },
  divide: { sign: '/', strength: multiplyStrength },
};
const comparisons = { EQ: '==', NE: '!=', GE: '>=', GT: '>', LE: '<=', LT: '<' } as const;
const infixOf = (op: ScalarOp): { readonly sign: string; readonly strength: number } | undefined =>
  'direction' in op ? { sign: comparisons[op.direction], strength: compareStrength } : infixes[op.name];

/** Long floats and large bit masks in hexadecimal, which is exact and short. */
function constantText(type: MathType, value: number): string {
  if (type === 'ui32' && value > 255) return `0x${value.toString(16)}u`;
  const isFloat = type === 'f32' || type === 'f64';
  if (!isFloat || !Number.isFinite(value) || String(value).length <= 12) return valueText(type, value);
  const text = hexadecimal(Math.abs(value)) + (type === 'f32' ? 'f' : '');
  return value < 0 ? `(-${text})` : text;
}
/** For a positive normal number. */
function hexadecimal(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = (bits & 0xf_ffff_ffff_ffffn).toString(16).padStart(13, '0').replace(/0+$/, '');
  return `0x1${fraction === '' ? '' : `.${fraction}`}p${Number(bits >> 52n) - 1023}`;
}

/** The body of a C function of x that returns the result. `rowOf`: the C array that a look-up reads. */
export function bodyOf(f: MathFunction, rowOf: RowOf = () => undefined): string {
  const text = new MathText(f, new Map(), rowOf);
  const result = f.operations.at(-1)!;
  return [text.declarations(f.operations.slice(0, -1)), `  return ${text.expression(result)};`]
    .filter(t => t !== '')
    .join('\n');
}
