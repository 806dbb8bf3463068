// rng_bit_generator: the nodes of programs of known sizes, as its state and its bits have sizes that are known.
import { zip } from '../../../../base/zip.ts';
import type { Op } from '../../../../hlo/program.ts';
import { shapeOf } from '../../../../hlo/program.ts';
import { dynamicDim } from '../../../../hlo/types.ts';
import { constantIndex, type Index } from '../../../ir/index-expr.ts';
import type { Node } from '../../../ir/node.ts';
import { advancedState, randomElement } from '../../../lowering/random.ts';
import type { ElementKernel } from '../element-kernel.ts';
import type { Step } from '../step.ts';

export function rngBitGenerator(step: Step, op: Op<'rng_bit_generator'>): void {
  const [state] = op.operands;
  if (shapeOf(op.results[1]).includes(dynamicDim))
    throw step.unsupported('bits of unknown size', 'make them for a known size and slice them');
  const [words] = step.sizes(state);
  if (typeof words !== 'number') throw step.unsupported('a state of unknown size');
  const wordsIn = (k: ElementKernel): Node[] =>
    Array.from({ length: words }, (_, i) => k.at(state, [constantIndex(i)]));
  const elements = [
    (k: ElementKernel, [word]: readonly Index[]) => advancedState(k.graph, op, wordsIn(k), word ?? constantIndex(0)),
    (k: ElementKernel, index: readonly Index[]) => randomElement(k.graph, op, wordsIn(k), index),
  ];
  for (const [value, at] of zip(op.results, elements)) {
    const sizes = value === op.results[0] ? [words] : shapeOf(value);
    const { pointer } = step.result(value, sizes);
    step.fuse(sizes, [], [{ value, pointer, sizes, at }]);
  }
}
