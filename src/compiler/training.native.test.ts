// Whole training steps, compiled and interpreted: fused forward and backward passes, multiplies, updates of
// donated memory, the same bits in any order of tasks.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import { mainOf, tensorTypeOf } from '../hlo/program.ts';
import { elementCount } from '../hlo/types.ts';
import { compileToC, hostTarget } from './index.ts';
import { bertBase, bertStep } from './testing/bert-step.testing.ts';
import { expectClose } from './testing/closeness.testing.ts';
import { compileForTest } from './testing/compile.testing.ts';

const tiny = { batch: 2, sequence: 8, layers: 2, hidden: 32, heads: 4, feedForward: 48, vocabulary: 50, classes: 2 };

function inputsOf(module: ReturnType<typeof bertStep>['module'], parameters: number): Literal[] {
  return mainOf(module).body.args.map((arg, i) => {
    const { elementType, shape } = tensorTypeOf(arg);
    const count = elementCount(shape);
    const wave = (j: number): number => Math.sin(j * 12.9898 + i) * 0.2;
    const values =
      i === 0
        ? (j: number): number => (j * 7) % 50
        : i === 1
          ? (j: number): number => j % 2
          : i === 3
            ? (): number => 1e-3
            : i === 4
              ? (): number => 3
              : i >= 5 + 2 * parameters
                ? (j: number): number => Math.abs(wave(j)) * 0.01 + 1e-4
                : wave;
    if (elementType === 'ui64') return literal(elementType, shape, [11n, 22n]);
    return literal(
      elementType,
      shape,
      Array.from({ length: count }, (_, j) => values(j)),
    );
  });
}

for (const dropout of [0, 0.3]) {
  test(`a step of BERT, dropout ${dropout}`, () => {
    const { module, parameters } = bertStep({ ...tiny, dropout, allReduce: dropout > 0 });
    const inputs = inputsOf(module, parameters);
    const program = compileForTest(module);
    const got = program.run(inputs);
    const expected = interpret(module, inputs);
    got.forEach((g, i) => {
      expectClose(g, expected[i]!, `result ${i}`, 3e-5);
    });
    program.run(inputs, { backwards: true }).forEach((g, i) => {
      expect(g.data).toEqual(got[i]!.data);
    });
  });
}

test('results compiled with gcc and clang are bit-identical', ({ skip }) => {
  const [first, second] = ['gcc', 'clang'].map(compiler => spawnSync(compiler, ['--version']).status === 0);
  // .ci/run installs both, so a missing one is a failure there; elsewhere the test is skipped.
  if (!first || !second) {
    expect(process.env.CI, 'gcc and clang are needed').toBeUndefined();
    skip('gcc or clang is not here');
  }
  const { module, parameters } = bertStep({ ...tiny, layers: 1, dropout: 0.3 });
  const inputs = inputsOf(module, parameters);
  const [gcc, clang] = ['gcc', 'clang'].map(compiler => compileForTest(module, hostTarget(), compiler).run(inputs));
  gcc!.forEach((result, i) => {
    expect(clang![i]!.data, `result ${i}`).toEqual(result.data);
  });
});

test('BERT-base: kernels are shared by layers, memory stays small, and the text is the same each time', {
  timeout: 180_000,
}, () => {
  const compile = (): ReturnType<typeof compileToC> => compileToC(bertStep(bertBase).module, hostTarget());
  const first = compile();
  expect(first.kernels.length).toBeLessThan(100);
  expect(first.arenaBytes).toBeLessThan(1e9);
  expect(compile().units).toEqual(first.units);
});
