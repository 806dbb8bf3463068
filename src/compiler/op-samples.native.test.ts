// Every op of the language is either compiled and agrees with the interpreter, or refused with a typed error.
import { expect, test } from 'vitest';
import { isTrenioError } from '../base/errors.ts';
import { Builder } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import type { Literal } from '../hlo/literal.ts';
import type { OpSample } from '../hlo/op-sample.testing.ts';
import { opSamples } from '../hlo/op-samples.testing.ts';
import { type Func, moduleOf, type Value } from '../hlo/program.ts';
import { compileToC, hostTarget } from './index.ts';
import { expectClose } from './testing/closeness.testing.ts';
import { compileForTest } from './testing/compile.testing.ts';
import { compileDynamicForTest } from './testing/dynamic.testing.ts';

test('the samples of all ops', () => {
  const refused: string[] = [];
  const accepted: OpSample[] = [];
  const dynamic: OpSample[] = [];
  for (const sample of opSamples()) {
    try {
      const { dynamic: parts } = compileToC(moduleOf(sample.func), hostTarget());
      (parts === undefined ? accepted : dynamic).push(sample);
    } catch (error) {
      if (!isTrenioError(error, 'UNSUPPORTED')) throw error;
      refused.push(sample.name);
    }
  }
  expect([...new Set(refused)].sort()).toMatchInlineSnapshot(`
    [
      "check.eq",
      "check.expect_almost_eq",
      "check.expect_almost_eq_const",
      "check.expect_close",
      "check.expect_eq",
      "check.expect_eq_const",
      "check.expect_serialized_eq",
      "interpreter.print",
      "interpreter.probe",
      "outfeed",
      "sdy.manual_computation",
    ]
  `);

  for (const { label, func, inputs } of dynamic) {
    const module = moduleOf(func);
    const expected = interpret(module, inputs);
    compileDynamicForTest(module)
      .run(inputs)
      .forEach((got, i) => {
        // the interpreter's literals say their sizes and no bounds
        const { bounds: _, ...type } = got.type;
        expectClose({ ...got, type }, expected[i]!, label);
      });
  }

  // One program that calls them all, so that gcc runs once.
  const b = new Builder({ next: 1_000_000 });
  const args: Value[] = [];
  const inputs: Literal[] = [];
  const results: Value[] = [];
  const labels: string[] = [];
  const functions = accepted.map((sample, i): Func => ({ ...sample.func, name: `f${i}` }));
  accepted.forEach((sample, i) => {
    const own = sample.inputs.map(x => {
      const v = b.argument(x.type, args.length);
      args.push(v);
      inputs.push(x);
      return v;
    });
    const resultTypes = sample.func.body.results.map(v => v.type);
    for (const v of b.emit('func.call', own, { callee: `f${i}`, resultTypes })) {
      results.push(v);
      labels.push(sample.label);
    }
  });
  const main: Func = { name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) };
  const module = moduleOf(main, { functions });
  const program = compileForTest(module);
  const expected = interpret(module, inputs);
  const forwards = program.run(inputs);
  forwards.forEach((got, i) => {
    expectClose(got, expected[i]!, labels[i]!, 1e-2);
  });
  program.run(inputs, { backwards: true }).forEach((got, i) => {
    expect(got.data, labels[i]!).toEqual(forwards[i]!.data);
  });
});
