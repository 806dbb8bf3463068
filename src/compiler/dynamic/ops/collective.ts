// all_reduce by the runtime, over all ranks or within groups, on a copy of the operand.
import type { Module, Op, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { reducerOf } from '../../../hlo/reducer.ts';
import { groupAllReduce } from '../../c/ops/exchange-calls.ts';
import { isOfAll } from '../../lowering/collective-groups.ts';
import { dataTypeOf, reductionOf } from '../../target/runtime-abi.ts';
import type { Step } from '../step.ts';
import { writable } from './movement.ts';

export function allReduce(step: Step, op: Op<'all_reduce'>, module: Module): void {
  const reducer = reductionOf(reducerOf(op.regions[0]));
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
    const count = step.count(sizes);
    if (!isOfAll(op, module)) {
      for (const line of groupAllReduce(op, module, { dtype: type, how: reducer, count, memory: to }))
        step.out.line(line);
      return;
    }
    const error = step.bind(
      'int',
      `rt->all_reduce(rt, (void *[]){${to}}, (const int64_t[]){${count}}, 1, ${type}, ${reducer})`,
    );
    step.out.line(`if (${error}) return ${error};`);
  });
}
