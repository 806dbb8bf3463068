// The tests of templates: `value is odd`.

import { percentFormat } from './format.ts';
import { operate } from './numbers.ts';
import type { Run } from './run.ts';
import { isLower, isUpper } from './string-methods.ts';
import { str } from './text.ts';
import {
  contains,
  Dict,
  DictView,
  equals,
  Func,
  isText,
  iteratorIfAny,
  lengthIfKnown,
  Markup,
  type Order,
  ordered,
  Special,
  Undefined,
  type Value,
} from './values.ts';

/** A test, with the number of its arguments after the value. */
export interface Test {
  readonly arity: number;
  readonly check: (run: Run, value: Value, other: Value) => boolean;
}
const one = (check: (value: Value, run: Run) => boolean): Test => ({
  arity: 0,
  check: (run, value) => check(value, run),
});
const two = (check: (run: Run, value: Value, other: Value) => boolean): Test => ({ arity: 1, check });
const order = (symbol: Order): Test => two((run, a, b) => ordered(run, symbol, a, b));
const remainder = (run: Run, value: Value, divisor: Value): Value =>
  isText(value) ? percentFormat(run, str(run, value), divisor) : operate(run, '%', value, divisor);
const [equal, unequal] = [two(equals), two((run, a, b) => !equals(run, a, b))];

/** The tests by name; `filter` and `test` are added where the filters are known. */
export const tests: Readonly<Record<string, Test>> = {
  odd: one((value, run) => equals(run, remainder(run, value, 2n), 1n)),
  even: one((value, run) => equals(run, remainder(run, value, 2n), 0n)),
  divisibleby: two((run, value, divisor) => equals(run, remainder(run, value, divisor), 0n)),
  defined: one(value => !(value instanceof Undefined)),
  undefined: one(value => value instanceof Undefined),
  none: one(value => value === null),
  boolean: one(value => typeof value === 'boolean'),
  false: one(value => value === false),
  true: one(value => value === true),
  integer: one(value => typeof value === 'bigint'),
  float: one(value => typeof value === 'number'),
  lower: one((value, run) => isLower(str(run, value))),
  upper: one((value, run) => isUpper(str(run, value))),
  string: one(isText),
  mapping: one(value => value instanceof Dict),
  number: one(value => typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number'),
  sequence: one((value, run) => {
    if (value instanceof DictView || value instanceof Special) return false;
    return value instanceof Undefined || lengthIfKnown(run, value) !== undefined;
  }),
  iterable: one(value => iteratorIfAny(value) !== undefined),
  callable: one(
    value =>
      value instanceof Func || (value instanceof Special && value.call !== undefined) || value instanceof Undefined,
  ),
  sameas: two((_, value, other) => Object.is(value, other)),
  escaped: one(value => value instanceof Markup),
  in: two((run, value, container) => contains(run, container, value)),
  '==': equal,
  eq: equal,
  equalto: equal,
  '!=': unequal,
  ne: unequal,
  '>': order('>'),
  gt: order('>'),
  greaterthan: order('>'),
  ge: order('>='),
  '>=': order('>='),
  '<': order('<'),
  lt: order('<'),
  lessthan: order('<'),
  '<=': order('<='),
  le: order('<='),
};
