// rng_bit_generator: the state as numbers of the step function, the bits a word at a time by their position.
import type { Op } from '../../../hlo/program.ts';
import { elementBytes, elementCount } from '../../../hlo/types.ts';
import { stored } from '../../c/scalar/c-types.ts';
import { fromBitsText } from '../../c/scalar/scalar.ts';
import { blockCount, halved, splitDimension } from '../../lowering/random.ts';
import { linearText } from '../sizes.ts';
import type { Step } from '../step.ts';

export function rngBitGenerator(step: Step, op: Op<'rng_bit_generator'>): void {
  const { type, rngAlgorithm } = op.attributes;
  const [next, bits] = op.results;
  if (type.shape.some(d => d < 0))
    throw step.unsupported('bits of unknown size', 'make them for a known size and slice them');
  const words = step.sizes(op.operands[0])[0];
  if (typeof words !== 'number') throw step.unsupported('a state of unknown size');
  const { pointer: given } = step.memory(op.operands[0]);
  const [key, low, high] = Array.from({ length: words }, (_, i) => step.bind('uint64_t', `${given}[${i}]`)) as [
    string,
    string,
    string?,
  ];
  const blocks = blockCount(op);
  const moved = step.bind('uint64_t', `${low} + ${blocks}u`);
  const state = step.result(next, [words]);
  const carried = high === undefined ? [] : [step.bind('uint64_t', `${high} + (${moved} < ${low})`)];
  step.store(state.pointer, 'ui64', [key, moved, ...carried]);

  const { elementType, shape } = type;
  const bytes = elementBytes(elementType);
  const { pointer } = step.result(bits, shape);
  const write = (position: string, text: string): string =>
    `${pointer}[${position}] = ${stored(elementType, fromBitsText(`(${text})`, elementType))};`;
  const narrowed = (word: string): string => (bytes === 4 ? word : `(uint${8 * bytes}_t)${word}`);
  if (rngAlgorithm !== 'THREE_FRY') {
    const word = (at: string): string => `t_philox_word(${key}, ${low}, ${high ?? key}, ${at})`;
    step.overFlat(elementCount(shape), (k, i) => {
      const text = bytes === 8 ? `${word(`2 * ${i}`)} | (uint64_t)${word(`2 * ${i} + 1`)} << 32` : narrowed(word(i));
      k.out.line(write(i, k.let(`uint${8 * bytes}_t`, text)));
    });
    return;
  }
  if (bytes === 8) {
    step.overFlat(elementCount(shape), (k, i) => k.out.line(write(i, `t_threefry(${key}, ${low} + (uint64_t)${i})`)));
    return;
  }
  const whole = shape.length === 0 ? [1] : shape;
  const split = splitDimension(whole);
  step.overIndices(whole, (k, index) => {
    const block = linearText(
      halved(whole, split),
      index.map((at, d) => (d === split ? `(${at} / 2)` : at)),
    );
    const word = `(uint32_t)(t_threefry(${key}, ${low} + (uint64_t)(${block})) >> (32 * (${index[split]} % 2)))`;
    k.out.line(write(linearText(whole, index), narrowed(word)));
  });
}
