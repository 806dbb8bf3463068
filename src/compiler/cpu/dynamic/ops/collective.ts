// all_reduce by the runtime, over all ranks or within groups, on a copy of the operand.
import type { Module, Op, Value } from '../../../../hlo/program.ts';
import { tensorTypeOf } from '../../../../hlo/program.ts';
import { reducerOf } from '../../../../hlo/reducer.ts';
import { isCombinedType, isReduction } from '../../../ir/collective.ts';
import { processCount } from '../../../lowering/collective-groups.ts';
import { printAllReduce } from '../../c/ops/collective-kernel.ts';
import { partnersOf } from '../../kernels/collective-plan.ts';
import { dataTypes, reductions } from '../../target/runtime-abi.ts';
import type { Step } from '../step.ts';
import { writable } from './movement.ts';

export function allReduce(step: Step, op: Op<'all_reduce'>, module: Module): void {
  const reduction = reducerOf(op.regions[0]);
  const partners = partnersOf(op, module);
  op.operands.forEach((x: Value, i) => {
    const { elementType: type } = tensorTypeOf(x);
    if (!isCombinedType(type) || reduction === undefined || !isReduction(reduction))
      throw step.unsupported(`${type} and this region`, 'add, multiply or compare f32, f64, bf16, f16, i32 or i64');
    const sizes = step.known(step.sizes(x));
    const to = writable(
      step,
      op.results[i]!,
      x,
      op.operands.filter((_, k) => k !== i),
      sizes,
    );
    const count = step.count(sizes);
    if (partners.kind !== 'all') {
      const lines = printAllReduce(op, partners, processCount(module), { type, reduction }, String(count), to);
      for (const line of lines) step.out.line(line);
      return;
    }
    const error = step.bind(
      'int',
      `rt->all_reduce(rt, (void *[]){${to}}, (const int64_t[]){${count}}, 1, ${dataTypes[type]}, ${reductions[reduction]})`,
    );
    step.out.line(`if (${error}) return ${error};`);
  });
}
