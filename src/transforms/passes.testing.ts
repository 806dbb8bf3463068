// For tests: applies rules to a small program, and checks that the programs before and after compute the same values.
import { expect } from 'vitest';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, toNumbers } from '../hlo/literal.ts';
import { type Func, type Module, mainOf, tensorTypeOf } from '../hlo/program.ts';
import { sampleLiteral } from '../hlo/sample-literal.testing.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { verify } from '../hlo/verifier.ts';
import { Rewriter, type Rule } from './rewriter.ts';

/** The module after the rules; verified, and compared with the one before on sample inputs. */
export function rewritten(text: string, rules: readonly Rule[], tolerance = 0): Module {
  const module = parseModule(text);
  verify(module);
  const after = withMain(module, new Rewriter(module, mainOf(module), rules).run(mainOf(module)));
  expectSame(module, after, tolerance);
  return after;
}
export const withMain = (module: Module, main: Func): Module => ({
  ...module,
  functions: module.functions.map(f => (f.name === main.name ? main : f)),
});

const shown = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/**
 * Checks that both compute the same for the same inputs: the same bits, except for the payload of a NaN, if the tolerance is 0.
 */
export function expectSame(before: Module, after: Module, tolerance = 0, inputs = samplesFor(before)): void {
  verify(after);
  const [wanted, got] = [interpret(before, inputs), interpret(after, inputs)];
  expect(got.map(x => x.type)).toEqual(wanted.map(x => x.type));
  got.forEach((x, i) => {
    const numbers = toNumbers(wanted[i]!);
    toNumbers(x).forEach((value, k) => {
      if (Object.is(value, numbers[k])) return;
      if (tolerance === 0)
        expect.fail(`result ${i}, element ${k}: got ${shown(value)}, expected ${shown(numbers[k]!)}`);
      expect(Math.abs(value - numbers[k]!)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(numbers[k]!)));
    });
  });
}
const samplesFor = (module: Module): Literal[] =>
  mainOf(module).body.args.map((v, i) => sampleLiteral(tensorTypeOf(v).elementType, tensorTypeOf(v).shape, i + 1));

/** The names of the ops of main, in order. */
export const opsOf = (module: Module): string[] => mainOf(module).body.ops.map(op => op.name);
