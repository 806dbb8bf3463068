// all_reduce over all ranks, by the runtime, on a copy of the operand.
import type { Op, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { reducerOf } from '../../../hlo/reducer.ts';
import { dataTypeOf, reductionOf } from '../../target/runtime-abi.ts';
import type { Step } from '../step.ts';
import { writable } from './movement.ts';

export function allReduce(step: Step, op: Op<'all_reduce'>): void {
  if (op.attributes.replicaGroups.length > 1) throw step.unsupported('several groups', 'use one group of all ranks');
  const reducer = reductionOf(reducerOf(op.regions[0]!));
  op.operands.forEach((x: Value, i) => {
    const { elementType } = tensorTypeOf(x);
    const type = dataTypeOf(elementType);
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
