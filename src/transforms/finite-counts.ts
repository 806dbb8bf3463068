// A program that counts, for each op, how many of its floats are NaN and how many are infinite, to find the op in which a run
// goes wrong. It returns only the counts, not the results of the original program.
import { Builder } from '../hlo/builder.ts';
import { opTable } from '../hlo/op-table.ts';
import { isComplex } from '../hlo/ops/element-data.ts';
import { type Module, mainOf, type Op, type Value } from '../hlo/program.ts';
import { isFloat } from '../hlo/types.ts';
import { nextId } from '../hlo/walk.ts';
import { inlineRule } from './prepare.ts';
import { Rewriter } from './rewriter.ts';

/** An op's result, or an argument (`op` undefined), whose elements are counted. */
export interface CountedValue {
  readonly op: Op | undefined;
  readonly value: Value;
}

export interface CountingModule {
  /** For each of `counted`, in program order, a result of two i32: NaNs and infinities. */
  readonly module: Module;
  readonly counted: readonly CountedValue[];
}

export function finiteCounts(module: Module): CountingModule {
  const main = mainOf(module);
  const { body } = new Rewriter(module, main, [inlineRule]).run(main);
  const b = new Builder({ next: nextId(body) });
  const counted: CountedValue[] = [];
  const results: Value[] = [];
  const count = (op: Op | undefined, value: Value): void => {
    if (value.type.kind !== 'tensor' || !isFloat(value.type.elementType) || isComplex(value.type.elementType)) return;
    counted.push({ op, value });
    results.push(counts(b, value));
  };
  for (const value of body.args) count(undefined, value);
  for (const op of body.ops) {
    b.ops.push(op);
    b.location = op.location;
    if (op.name !== 'constant' && opTable[op.name].kind !== 'view') for (const value of op.results) count(op, value);
  }
  const aliases = body.args.map(() => undefined);
  const func = { name: main.name, body: { args: body.args, ops: b.ops, results }, aliases };
  return { module: { ...module, functions: [func] }, counted };
}

function counts(b: Builder, value: Value): Value {
  const finite = b.emit1('is_finite', [value], {});
  const isNan = b.compare('NE', value, value);
  const total = (mask: Value): Value => b.reshape(b.sum(b.convert(mask, 'i32')), [1]);
  const infinite = b.emit1('and', [b.emit1('not', [finite], {}), b.emit1('not', [isNan], {})], {});
  return b.concatenate([total(isNan), total(infinite)], 0);
}
