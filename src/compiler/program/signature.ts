// A signature of a fused group that does not depend on value names: two layers of a model have equal signatures. Then
// the second layer's kernel is the first one's with other operands, and is not built again.
import type { Op, Value } from '../../hlo/program.ts';
import { formatType } from '../../hlo/types.ts';
import type { FusedGroup, Storage } from '../ir/group.ts';
import { keyOfScalarValue } from '../ir/scalar-value.ts';
import { splatOf } from '../lowering/constants.ts';
import { isLoweredAs } from '../lowering/lowering-kinds.ts';
import { aliasOf } from '../lowering/storage-root.ts';

const keyOfSplat = (op: Op<'constant'>): string | undefined => {
  const value = splatOf(op);
  return value === undefined ? undefined : keyOfScalarValue(value);
};

export interface Signature {
  readonly text: string;
  /** The values of the group, in an order in which equal groups have corresponding values. */
  readonly values: readonly Value[];
}

/** Undefined for groups that hold regions, which are compared by their printed text. */
export function signatureOf(group: FusedGroup, storage: Storage): Signature | undefined {
  const rows = signatureOfPart(group, storage);
  if (group.columns === undefined || rows === undefined) return rows;
  const columns = signatureOfPart(group.columns, storage);
  if (columns === undefined) return undefined;
  // which values are the same in both matters as well
  const positions = columns.values.map(v => rows.values.indexOf(v)).join();
  return { text: `${rows.text}\ncolumns ${positions}\n${columns.text}`, values: [...rows.values, ...columns.values] };
}

function signatureOfPart(group: FusedGroup, storage: Storage): Signature | undefined {
  const numbers = new Map<Value, number>();
  const values: Value[] = [];
  const own = new Set(group.outputs);
  const parts: string[] = [group.space.shape.join('x'), group.space.reduced.map(Number).join('')];
  let hasOuter = false;
  const visit = (value: Value): number => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    const { op } = value;
    let text: string;
    if (op === undefined || (storage.isStored(value) && !own.has(value))) text = formatType(value.type);
    else {
      const alias = aliasOf(value);
      const operands = (alias === undefined ? op.operands : [alias]).map(visit);
      const attributes = isLoweredAs(op, 'constant') ? keyOfSplat(op) : JSON.stringify(op.attributes);
      const region = op.regions
        .map(r =>
          r.ops
            .map(o => `${o.name} ${o.operands.map(v => (r.args.includes(v) ? r.args.indexOf(v) : '?')).join()}`)
            .join(';'),
        )
        .join('|');
      if (
        op.regions.some(
          r =>
            r.ops.length !== 1 ||
            r.ops[0]!.operands.some(v => !r.args.includes(v)) ||
            r.results[0] !== r.ops[0]!.results[0],
        )
      )
        hasOuter = true;
      text = `${op.name}.${value.index} ${attributes} ${operands.join()} ${formatType(value.type)} ${region}`;
    }
    const number = values.length;
    numbers.set(value, number);
    values.push(value);
    parts.push(text);
    return number;
  };
  for (const v of group.outputs) parts.push(`out ${visit(v)}`);
  return hasOuter ? undefined : { text: parts.join('\n'), values };
}
