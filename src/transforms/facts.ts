// Facts about values that rules use: whether all elements are one constant, and which.
import { type Literal, numberAt, scalar } from '../hlo/literal.ts';
import type { Value } from '../hlo/program.ts';

/** The scalar that fills a value: a constant of equal elements, seen through broadcasts and reshapes. */
export function splatLiteral(value: Value): Literal | undefined {
  let v = value;
  while (v.op?.name === 'broadcast_in_dim' || v.op?.name === 'reshape' || v.op?.name === 'transpose')
    v = v.op.operands[0];
  if (v.op?.name !== 'constant') return undefined;
  const { value: lit } = v.op.attributes;
  const { data } = lit;
  if (data.length === 0 || lit.type.elementType.startsWith('complex')) return undefined;
  for (let i = 1; i < data.length; i++) if (!Object.is(data[i], data[0])) return undefined;
  if (lit.type.shape.length === 0) return lit;
  const one = scalar(lit.type.elementType, 0);
  (one.data as Float64Array)[0] = data[0] as number;
  return one;
}
/** The same, as a number. */
export function splatNumber(value: Value): number | undefined {
  const lit = splatLiteral(value);
  return lit && numberAt(lit, 0);
}
