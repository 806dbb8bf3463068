// Every op for several examples at once, compared with one example after the other: random cases of all ops that have a gradient,
// their gradients, and a sample of each op. Which arguments differ between the examples is random.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpName } from '../../hlo/attributes.ts';
import { buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { type Literal, literal, numberAt, toNumbers } from '../../hlo/literal.ts';
import { opSamples } from '../../hlo/op-samples.testing.ts';
import { type Func, moduleOf } from '../../hlo/program.ts';
import { elementCount, isFloat } from '../../hlo/types.ts';
import { cases } from '../cases/all.testing.ts';
import { Random } from '../random.testing.ts';
import { gradientCase } from '../second-order.testing.ts';
import { batchFunc } from './batch.ts';

const size = 3;
const randomBits = false;

/** Another example of an argument: other floats, other positions. */
function another(x: Literal, random: Random): Literal {
  const numbers = Array.from(toNumbers(x));
  const { elementType, shape } = x.type;
  if (isFloat(elementType))
    return literal(
      elementType,
      shape,
      numbers.map(v => v + random.float(-0.05, 0.05) * Math.abs(v)),
    );
  return random.chance(0.5) ? literal(elementType, shape, [...numbers].reverse()) : x;
}
function stacked(examples: readonly Literal[]): Literal {
  const { elementType, shape } = examples[0]!.type;
  return literal(
    elementType,
    [examples.length, ...shape],
    examples.flatMap(x => Array.from(toNumbers(x))),
  );
}
const near = (x: number, y: number): boolean =>
  Object.is(x, y) ||
  x === y ||
  (Number.isNaN(x) && Number.isNaN(y)) ||
  Math.abs(x - y) <= 1e-9 * (1 + Math.abs(x)) + 1e-5 * Math.abs(x);

/** Ops on tensors never put tensors into tuples. */
const isTuple = (name: OpName): boolean => name === 'tuple' || name === 'get_tuple_element';
/** Ops whose integers are sizes, which all examples share. */
const isSized = (name: OpName): boolean => /dynamic_(?!slice|update)|dimension_size/.test(name);

function disagreements(
  func: Func,
  args: readonly Literal[],
  random: Random,
  functions: readonly Func[] = [],
  sized = false,
): string[] {
  const flags = args.map(x => random.chance(0.6) && !(sized && !isFloat(x.type.elementType)));
  if (!flags.includes(true)) return [];
  const examples = Array.from({ length: size }, (_, i) =>
    args.map((x, k) => (flags[k] && i > 0 ? another(x, random) : x)),
  );
  const looped: string[] = [];
  const batchedFunc = batchFunc(func, flags, { size, randomBits, onLoop: op => looped.push(op.name) });
  const given = args.map((x, k) => (flags[k] ? stacked(examples.map(example => example[k]!)) : x));
  const got = interpret(moduleOf(batchedFunc, { functions }), given);
  const expected = examples.map(example => interpret(moduleOf(func, { functions }), example));
  return got.flatMap((all, r) => {
    const count = elementCount(all.type.shape) / size;
    for (let i = 0; i < count * size; i++) {
      const want = numberAt(expected[Math.floor(i / count)]![r]!, i % count);
      if (!near(want, numberAt(all, i)))
        return [
          `result ${r}, element ${i}: ${numberAt(all, i)}, one by one ${want}; batched ${flags}; in a loop: ${looped}`,
        ];
    }
    return [];
  });
}

describe.each(['the op', 'its gradient'])('random cases of %s', what => {
  test.each((Object.keys(cases) as OpName[]).filter(name => !isTuple(name)))('%s', name => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        const random = new Random(seed);
        const plain = cases[name]!(random);
        const one = what === 'the op' ? plain : gradientCase(plain);
        const func = buildFunc(
          'f',
          one.args.map(arg => arg.type),
          one.build,
        );
        expect(disagreements(func, one.args, random, one.functions, isSized(name))).toEqual([]);
      }),
      { seed: 20240719, numRuns: what === 'the op' ? 20 : 8, endOnFailure: true },
    );
  });
});

describe('samples of ops', () => {
  const isPlain = (func: Func): boolean =>
    [...func.body.args, ...func.body.results].every(
      ({ type }) =>
        type.kind === 'tensor' &&
        type.quantization === undefined &&
        !type.shape.includes(-1) &&
        !type.elementType.startsWith('complex'),
    );
  // Ops on tensors never produce tokens, futures, unknown sizes or per-axis scales.
  const others: readonly OpName[] = ['send', 'outfeed', 'async_start', 'tensor.cast'];
  const samples = opSamples().filter(
    ({ name, label, func }) =>
      isPlain(func) && !isTuple(name) && !isSized(name) && !others.includes(name) && !label.includes('per axis'),
  );
  test.each(samples.map(sample => [`${sample.name} ${sample.label}`, sample] as const))('%s', (_, sample) => {
    const flags = sample.inputs.map(() => true);
    if (flags.length === 0) return;
    const all = batchFunc(sample.func, flags, { size, randomBits, onLoop: () => {} });
    const given = sample.inputs.map(x => stacked([x, x, x]));
    const got = interpret(moduleOf(all), given);
    const one = interpret(moduleOf(sample.func), sample.inputs);
    got.forEach((result, r) => {
      const want = one[r]!;
      expect(Array.from(toNumbers(result)).slice(-elementCount(want.type.shape))).toEqual(Array.from(toNumbers(want)));
    });
  });
});
