// The oracle of the gradient rules: central finite differences in f64.
//
//   f(x) = Σ w ⊙ outputs(x) with fixed random weights w, so that every output element counts differently.
//   For a random direction v:  ∇f(x)·v  must equal  (f(x + h·v) - f(x - h·v)) / 2h.
import { type Builder, buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal, numberAt, toNumbers } from '../hlo/literal.ts';
import { type Func, moduleOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { isFloat } from '../hlo/types.ts';
import { type GradientOptions, grad } from './gradient.ts';
import { Random } from './random.testing.ts';

/** A computation to check. Gradients are taken with respect to its f64 arguments. */
export interface Case {
  readonly args: readonly Literal[];
  /** Its float results are differentiated; others are ignored. */
  readonly build: (b: Builder, args: readonly Value[]) => readonly Value[];
  readonly functions?: readonly Func[];
  /**
   * The step size, and the tolerance between the two slopes relative to their size, for cases where f64 is not precise enough for
   * the defaults.
   */
  readonly step?: number;
  readonly tolerance?: number;
  /** Positions of arguments that are treated as constants. */
  readonly constant?: readonly number[];
}

export function run(func: Func, args: readonly Literal[], functions: readonly Func[] = []): readonly Literal[] {
  return interpret(moduleOf(func, { functions }), args);
}

/** Σ w ⊙ results over the float results, with fixed random weights, in f64. */
export function weightedSum(b: Builder, results: readonly Value[]): Value {
  const random = new Random(results.length);
  const sums = results.flatMap(result => {
    const { elementType, shape } = tensorTypeOf(result);
    if (!isFloat(elementType)) return [];
    return [b.sum(b.multiply(b.convert(result, 'f64'), b.constant(random.tensor(shape, 0.5, 1.5))))];
  });
  return sums.reduce((total, sum) => b.add(total, sum));
}

/** The case as a function with one scalar result. */
export function weighted(name: string, { args, build }: Case): Func {
  return buildFunc(
    name,
    args.map(arg => arg.type),
    (b, values) => [weightedSum(b, build(b, values))],
  );
}

export interface Disagreement {
  readonly argument: number;
  readonly rule: number;
  readonly differences: number;
}

/** Compares the gradients of a case with finite differences along random directions; returns the disagreements. */
export function disagreements(
  name: string,
  theCase: Case,
  options: Omit<GradientOptions, 'ops' | 'seed'> = {},
): Disagreement[] {
  const { args, functions = [], step = 1e-5, tolerance = 1e-6, constant = [] } = theCase;
  const func = weighted(name, theCase);
  const wrt = args.flatMap((arg, i) => (arg.type.elementType === 'f64' && !constant.includes(i) ? [i] : []));
  const [, ...gradients] = run(grad(func, wrt, { functions, ...options }), args, functions);
  const random = new Random(99);
  const found: Disagreement[] = [];
  wrt.forEach((argument, k) => {
    for (let direction = 0; direction < 2; direction++) {
      const along = random.signed(args[argument]!.type.shape, 0.5, 1);
      const at = (h: number): number => {
        const moved = moveAlong(args[argument]!, along, h);
        return numberAt(run(func, args.with(argument, moved), functions)[0]!, 0);
      };
      const differences = (at(step) - at(-step)) / (2 * step);
      const rule = dot(gradients[k]!, along);
      const scale = Math.max(1, Math.abs(rule), Math.abs(differences));
      const close = Number.isFinite(scale) && Math.abs(rule - differences) <= tolerance * scale;
      if (!close) found.push({ argument, rule, differences });
    }
  });
  return found;
}

function moveAlong(x: Literal, along: Literal, step: number): Literal {
  return literal(
    'f64',
    x.type.shape,
    toNumbers(x).map((value, i) => value + step * numberAt(along, i)),
  );
}
function dot(x: Literal, y: Literal): number {
  return toNumbers(x).reduce((sum, value, i) => sum + value * numberAt(y, i), 0);
}
