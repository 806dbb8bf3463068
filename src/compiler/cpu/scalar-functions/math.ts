// Evaluates math functions (ir/math/) from their data, operation by operation, bit-identical to the C code of a target.
import { rounderOf } from '../../../hlo/element-codec.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { blockFunctionOf, mathFunctionOf } from '../../ir/math/index.ts';
import type { MathFunction } from '../../ir/math/math-function.ts';
import type { ScalarOp } from '../../ir/scalar-op.ts';
import { type CpuTarget, hasLookUps } from '../target/target.ts';
import { type ScalarFunction, scalarFunction } from './scalar.ts';

/** The function of an op as the C of a target computes it: in a node of a kernel, or in a region that is applied to elements. */
export function targetFunction(
  op: ScalarOp,
  types: readonly ElementType[],
  to: ElementType,
  target: CpuTarget,
  place: 'node' | 'region',
): ScalarFunction {
  const type = types[0]!;
  const table = place === 'node' && hasLookUps(target) ? blockFunctionOf(op, type)?.table : undefined;
  const math = table ?? mathFunctionOf(op, type);
  if (math === undefined) return scalarFunction(op, types, to, target);
  const evaluate = mathEvaluator(math, target);
  const round = rounderOf(to);
  return ([x]) => round(evaluate(x as number));
}

const evaluators = new WeakMap<MathFunction, Map<boolean, (x: number) => number>>();

/** f32 to f32. */
export function mathEvaluator(f: MathFunction, target: CpuTarget): (x: number) => number {
  let known = evaluators.get(f);
  if (known === undefined) {
    known = new Map();
    evaluators.set(f, known);
  }
  let evaluate = known.get(target.fma);
  if (evaluate === undefined) {
    evaluate = evaluatorOf(f, target);
    known.set(target.fma, evaluate);
  }
  return evaluate;
}

function evaluatorOf({ argument, operations }: MathFunction, target: CpuTarget): (x: number) => number {
  const place = new Map([argument, ...operations].map((v, i) => [v, i]));
  const values = new Array<number>(operations.length + 1).fill(0);
  const constants: number[] = [];
  const steps = operations.map(o => {
    const f = scalarFunction(
      o.op,
      o.args.map(a => a.type),
      o.type,
      target,
    );
    const at = o.args.map(a => {
      if (a.kind !== 'constant') return place.get(a)!;
      constants.push(a.value);
      return operations.length + constants.length;
    });
    return { f, at };
  });
  values.push(...constants);
  return x => {
    values[0] = x;
    steps.forEach(({ f, at }, i) => {
      values[i + 1] = f(at.map(a => values[a]!)) as number;
    });
    return values[operations.length]!;
  };
}
