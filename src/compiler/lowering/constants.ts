// Constants: a splat, or a table of values.
import { invariant } from '../../base/errors.ts';
import type { Literal } from '../../hlo/literal.ts';
import { entriesOf } from '../../hlo/ops/element-data.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { constantLiteral } from '../../hlo/walk.ts';
import { type ScalarValue, scalarValueAt } from '../ir/scalar-value.ts';

/** The single value of a splat constant, or undefined. */
export function splatOf(op: Op<'constant'>): ScalarValue | undefined {
  const { value } = op.attributes;
  const { data } = value;
  const step = entriesOf(value.type.elementType);
  for (let i = step; i < data.length; i++) if (!Object.is(data[i], data[i - step])) return undefined;
  return data.length === 0 ? undefined : scalarValueAt(value, 0);
}

/** The literal of a value that must be a constant. */
export function literalOf(value: Value): Literal {
  const literal = constantLiteral(value);
  invariant(literal !== undefined, `%${value.id} of ${value.op?.name} is not a constant`);
  return literal;
}
