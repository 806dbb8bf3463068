// A program without its checks returns the values to be checked, and the checks on them have the same outcome.
import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../base/errors.ts';
import { type Builder, buildFunc } from './builder.ts';
import { interpret } from './interpreter.ts';
import { literal, toNumbers } from './literal.ts';
import { type Func, moduleOf, type Value } from './program.ts';
import { splitChecks } from './split-checks.ts';
import { tensorType } from './types.ts';
import { verify } from './verifier.ts';

const pair = (x: number, y: number) => literal('f32', [2], [x, y]);
const program = (body: (b: Builder) => readonly Value[], functions: readonly Func[] = []) =>
  moduleOf(
    buildFunc('main', [], b => body(b)),
    { functions },
  );
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (isTrenioError(error)) return error.code;
    throw error;
  }
  return 'none';
};
/** The outcomes of the whole run and of the split run. */
function outcomes(module: ReturnType<typeof program>): readonly [string, string] {
  const split = splitChecks(module);
  verify(split.module);
  return [codeOf(() => interpret(module, [])), codeOf(() => split.judge(interpret(split.module, [])))];
}

describe('checks at the end', () => {
  const checked = (expected: number) =>
    program(b => {
      const x = b.constant(pair(1, 2));
      const y = b.add(x, x);
      b.emit('check.expect_eq_const', [y], { value: pair(2, expected) });
      b.emit('check.expect_close', [y, y], { minUlpDifference: 0, maxUlpDifference: 3 });
      b.emit('custom_call', [y, b.constant(pair(2, expected))], {
        callTargetName: 'check.expect_eq',
        backendConfig: '',
        resultTypes: [],
        hasSideEffect: true,
      });
      return [x];
    });
  test('hold or fail as in the whole program', () => {
    expect(outcomes(checked(4))).toEqual(['none', 'none']);
    expect(outcomes(checked(5))).toEqual(['CHECK_FAILED', 'CHECK_FAILED']);
  });
  test('the results come first, then the checked values', () => {
    const results = interpret(splitChecks(checked(4)).module, []);
    expect(results.map(toNumbers)).toEqual([
      [1, 2],
      [2, 4],
      [2, 4],
      [2, 4],
      [2, 4],
      [2, 4],
    ]);
  });
});

test('a check returns true to its users', () => {
  const module = program(b => {
    const x = b.constant(pair(1, 2));
    const held = b.emit1('check.eq', [x, x], {});
    return [b.unary('not', held), held];
  });
  expect(outcomes(module)).toEqual(['none', 'none']);
  expect(interpret(splitChecks(module).module, []).map(toNumbers).slice(0, 2)).toEqual([[0], [1]]);
});

test('checks that run more or less than once are rejected', () => {
  const within = program(b => {
    const x = b.constant(pair(1, 2));
    const branch = b.region([], inner => {
      inner.emit('check.expect_eq', [x, x], {});
      return [x];
    });
    return b.emit('if', [b.fill('i1', [], true)], {}, [branch, branch]);
  });
  expect(codeOf(() => splitChecks(within))).toBe('UNSUPPORTED');
  const callee = buildFunc('f', [tensorType('f32', [2])], (b, [x]) => {
    b.emit('check.expect_eq', [x!, x!], {});
    return [x!];
  });
  const calling = program(
    b => b.emit('func.call', [b.constant(pair(1, 2))], { callee: 'f', resultTypes: [tensorType('f32', [2])] }),
    [callee],
  );
  expect(codeOf(() => splitChecks(calling))).toBe('UNSUPPORTED');
});
