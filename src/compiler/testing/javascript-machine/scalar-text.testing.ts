// For tests: scalar ops as JavaScript expressions. Values are numbers, also those of i64, which only indices have here.
import type { ComparisonDirection } from '../../../hlo/attributes.ts';
import { type ElementType, isFloat } from '../../../hlo/types.ts';
import type { AccumulatorName } from '../../ir/accumulator.ts';
import type { ScalarOp } from '../../ir/scalar-op.ts';
import type { ScalarValue } from '../../ir/scalar-value.ts';
import { refused } from './refusal.testing.ts';

const roundings: { readonly [T in ElementType]?: (text: string) => string } = {
  f32: text => `Math.fround(${text})`,
  f64: text => text,
  i32: text => `((${text}) | 0)`,
  ui32: text => `((${text}) >>> 0)`,
  i1: text => `((${text}) ? 1 : 0)`,
  ui8: text => `((${text}) & 255)`,
  i64: text => text,
};
/** A number as an element of a type. */
export function rounded(type: ElementType, text: string): string {
  const round = roundings[type];
  if (round === undefined) throw refused(`elements of ${type}`);
  return round(text);
}

export function literalText(value: ScalarValue): string {
  if (typeof value === 'object') throw refused('complex numbers');
  const number = Number(value);
  return Object.is(number, -0) ? '-0' : `(${number})`;
}

const comparisons: { readonly [D in ComparisonDirection]: string } = {
  EQ: '===',
  NE: '!==',
  GE: '>=',
  GT: '>',
  LE: '<=',
  LT: '<',
};

type Text = (a: string, b: string, c: string) => string;
const call =
  (name: string): Text =>
  a =>
    `Math.${name}(${a})`;
const infix =
  (operator: string): Text =>
  (a, b) =>
    `(${a}) ${operator} (${b})`;

/** The ops that are the same for all types of numbers. */
const anyNumbers: { readonly [N in ScalarOp['name']]?: Text } = {
  add: infix('+'),
  subtract: infix('-'),
  negate: a => `-(${a})`,
  abs: call('abs'),
  sign: call('sign'),
  maximum: (a, b) => `Math.max(${a}, ${b})`,
  minimum: (a, b) => `Math.min(${a}, ${b})`,
  select: (p, a, b) => `${p} ? ${a} : ${b}`,
  clamp: (low, a, high) => `Math.min(Math.max(${a}, ${low}), ${high})`,
};
const floats: { readonly [N in ScalarOp['name']]?: Text } = {
  ...anyNumbers,
  multiply: infix('*'),
  divide: infix('/'),
  sqrt: call('sqrt'),
  rsqrt: a => `1 / Math.sqrt(${a})`,
  exponential: call('exp'),
  exponential_minus_one: call('expm1'),
  log: call('log'),
  log_plus_one: call('log1p'),
  tanh: call('tanh'),
  logistic: a => `1 / (1 + Math.exp(-(${a})))`,
  sine: call('sin'),
  cosine: call('cos'),
  tan: call('tan'),
  floor: call('floor'),
  ceil: call('ceil'),
  power: infix('**'),
};
const integers: { readonly [N in ScalarOp['name']]?: Text } = {
  ...anyNumbers,
  multiply: (a, b) => `Math.imul(${a}, ${b})`,
  and: infix('&'),
  or: infix('|'),
  xor: infix('^'),
  not: a => `~(${a})`,
};
const booleans: { readonly [N in ScalarOp['name']]?: Text } = {
  ...integers,
  add: infix('|'),
  multiply: infix('&'),
  not: a => `!(${a})`,
};
const textsOf = (type: ElementType) => (isFloat(type) ? floats : type === 'i1' ? booleans : integers);

/** An expression for operands of these types. */
export function scalarText(
  op: ScalarOp,
  args: readonly string[],
  types: readonly ElementType[],
  to: ElementType,
): string {
  const [a = '', b = '', c = ''] = args;
  if (op.name === 'compare' && !op.total) return rounded('i1', infix(comparisons[op.direction])(a, b, c));
  if (op.name === 'clamp_index') return `Math.min(Math.max(${a}, 0), ${op.limit})`;
  if (op.name === 'convert') return converted(a, types[0]!, to);
  const text = textsOf(to)[op.name];
  if (text === undefined) throw refused(`${op.name} of ${to}`);
  return rounded(to, text(a, b, c));
}

function converted(text: string, from: ElementType, to: ElementType): string {
  if (to === 'i1') return `(${text} !== 0 ? 1 : 0)`;
  if (!isFloat(from) || isFloat(to)) return rounded(to, text);
  const [low, high] = to === 'i32' ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
  return rounded(to, `Math.min(Math.max(Math.trunc(${text}), ${low}), ${high})`);
}

/** Two partial results as one. */
export function combined(name: AccumulatorName, type: ElementType, a: string, b: string): string {
  const text = textsOf(type)[name === 'maximum' && type === 'i1' ? 'or' : name];
  if (text === undefined) throw refused(`sums by ${name} of ${type}`);
  return text(a, b, '');
}
