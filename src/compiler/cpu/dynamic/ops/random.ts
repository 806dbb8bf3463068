// rng_bit_generator: the nodes of programs of known sizes, as its state and its bits have sizes that are known.
import { zip } from '../../../../base/zip.ts';
import type { Op, Value } from '../../../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../../../hlo/program.ts';
import { dynamicDim } from '../../../../hlo/types.ts';
import { constantIndex, type Index, linearize } from '../../../ir/index-expr.ts';
import type { Node } from '../../../ir/node.ts';
import { advancedState, philoxElement, randomElement } from '../../../lowering/random.ts';
import type { ElementKernel } from '../element-kernel.ts';
import { shapeOperand } from '../elements.ts';
import type { Step } from '../step.ts';

/** The words of a state. */
function wordsOf(step: Step, state: Value): (k: ElementKernel) => Node[] {
  const [words] = step.sizes(state);
  if (typeof words !== 'number') throw step.unsupported('a state of unknown size');
  return k => Array.from({ length: words }, (_, i) => k.at(state, [constantIndex(i)]));
}

/** Bits of sizes known at run time (hlo/ops/random-bits-call.ts). */
export function randomBits(step: Step, op: Op<'custom_call'>): void {
  const [state, shape] = op.operands as [Value, Value];
  const [value] = op.results as readonly Value[] as [Value];
  const type = tensorTypeOf(value);
  const sizes = step.known(shapeOperand(step, shape, op));
  const { pointer } = step.result(value, sizes);
  const words = wordsOf(step, state);
  step.fuse(
    sizes,
    [],
    [
      {
        value,
        pointer,
        sizes,
        at: (k, index) =>
          philoxElement(
            k.graph,
            type.elementType,
            words(k),
            linearize(
              sizes.map(size => k.extent(size)),
              index,
            ),
          ),
      },
    ],
  );
}

export function rngBitGenerator(step: Step, op: Op<'rng_bit_generator'>): void {
  const [state] = op.operands;
  if (shapeOf(op.results[1]).includes(dynamicDim))
    throw step.unsupported('bits of unknown size', 'make them for a known size and slice them');
  const wordsIn = wordsOf(step, state);
  const elements = [
    (k: ElementKernel, [word]: readonly Index[]) => advancedState(k.graph, op, wordsIn(k), word ?? constantIndex(0)),
    (k: ElementKernel, index: readonly Index[]) => randomElement(k.graph, op, wordsIn(k), index),
  ];
  for (const [value, at] of zip(op.results, elements)) {
    const sizes = value === op.results[0] ? step.known(step.sizes(state)) : shapeOf(value);
    const { pointer } = step.result(value, sizes);
    step.fuse(sizes, [], [{ value, pointer, sizes, at }]);
  }
}
