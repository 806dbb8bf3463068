// all_reduce over all ranks, by the runtime, on a copy of the operand.
import type { Op, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { reducerOf } from '../../../hlo/reducer.ts';
import type { Step } from '../step.ts';
import { writable } from './movement.ts';

const types: { readonly [name: string]: number } = { f32: 0, f64: 1, i32: 2, i64: 3, bf16: 4, f16: 5 };
const reducers: { readonly [name: string]: number } = { add: 0, multiply: 1, maximum: 2, minimum: 3 };

export function allReduce(step: Step, op: Op<'all_reduce'>): void {
  if (op.attributes.replicaGroups.length > 1) throw step.unsupported('several groups', 'use one group of all ranks');
  const reducer = reducers[reducerOf(op.regions[0]!) ?? ''];
  op.operands.forEach((x: Value, i) => {
    const { elementType } = tensorTypeOf(x);
    const type = types[elementType];
    if (type === undefined || reducer === undefined)
      throw step.unsupported(
        `${elementType} and this region`,
        'add, multiply or compare f32, f64, bf16, f16, i32 or i64',
      );
    const sizes = step.known(step.sizes(x));
    const to = writable(
      step,
      op.results[i]!,
      x,
      op.operands.filter((_, k) => k !== i),
      sizes,
    );
    const error = step.bind(
      'int',
      `rt->all_reduce(rt, (void *[]){${to}}, (const int64_t[]){${step.count(sizes)}}, 1, ${type}, ${reducer})`,
    );
    step.out.line(`if (${error}) return ${error};`);
  });
}
