// Random well-typed programs, for tests that compare two ways to run, print or read one. How a program follows from its choices
// is in random-op.ts, why its results can be compared strictly in random-values.ts.
import { buildFunc } from './builder.ts';
import { type Literal, literal } from './literal.ts';
import { type Func, shapeOf, type TensorValue } from './program.ts';
import { type ProgramChoices, pick } from './random-choices.testing.ts';
import { elementTypes, maxElements, RandomOp } from './random-op.testing.ts';
import { type Known, tamed, toleranceOf } from './random-values.testing.ts';
import { elementCount, isFloat, type TensorType, tensorType } from './types.ts';

export interface RandomProgram {
  readonly func: Func;
  readonly inputs: readonly Literal[];
  /** For each result, the tolerance between two correct implementations, relative to 1 or the magnitude; 0 for exact equality. */
  readonly tolerances: readonly number[];
}

export function randomProgram({ inputs, ops }: ProgramChoices): RandomProgram {
  const types = (inputs.length === 0 ? [{ op: 0, picks: [5, 0, 0, 0] as const }] : inputs).map(({ op, picks }) =>
    tensorType(pick(elementTypes, op), shapeOfChoice(picks[0])),
  );
  const literals = types.map((type, i) => inputLiteral(type, inputs[i]?.picks[1] ?? 0));
  let tolerances: readonly number[] = [];
  const func = buildFunc('main', types, (b, args) => {
    const known: Known[] = args.map((value, i) => ({
      value: value as TensorValue,
      bits: isFloat(types[i]!.elementType) ? 5 : undefined,
      bound: 4,
    }));
    for (const choice of ops) {
      const made = new RandomOp(b, known, choice.picks).apply(choice.op);
      if (made !== undefined && elementCount(shapeOf(made.value)) <= maxElements) known.push(tamed(b, made));
    }
    const results = known.slice(-4);
    tolerances = results.map(toleranceOf);
    return results.map(k => k.value);
  });
  return { func, inputs: literals, tolerances };
}

/** Multiples of ¼ from -4 to 4, or arbitrary integers. */
function inputLiteral(type: TensorType, seed: number): Literal {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
  const { elementType, shape } = type;
  const edges = [0, 1, -1, 2, 127, -128, 255, 2 ** 31 - 1, -(2 ** 31), 7];
  const one = (): number => {
    if (isFloat(elementType)) return ((next() % 33) - 16) / 4;
    if (elementType === 'i1') return next() % 2;
    return next() % 4 === 0 ? pick(edges, next()) : (next() % 21) - 10;
  };
  return literal(elementType, shape, Array.from({ length: elementCount(shape) }, one));
}

/** The dims of a small shape: ranks up to 3, sizes 1 to 4, and rarely 0. */
function shapeOfChoice(choice: number): readonly number[] {
  const rank = choice % 4;
  return Array.from({ length: rank }, (_, d) => {
    const size = Math.floor(choice / 4 ** (d + 1)) % 17;
    return size === 16 ? 0 : (size % 4) + 1;
  });
}
