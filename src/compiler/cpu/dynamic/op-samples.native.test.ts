// Every op with arguments of unknown sizes: compiled once and equal to the interpreter, or rejected with a typed error.
import { expect, test } from 'vitest';
import { isTrenioError } from '../../../base/errors.ts';
import { Builder } from '../../../hlo/builder.ts';
import { interpret } from '../../../hlo/interpreter.ts';
import type { Literal } from '../../../hlo/literal.ts';
import { opSamples } from '../../../hlo/op-samples.testing.ts';
import { type Func, moduleOf, type Value } from '../../../hlo/program.ts';
import { compileToC, hostTarget } from '../../index.ts';
import { expectClose } from '../../testing/closeness.testing.ts';
import { compileDynamicForTest } from '../../testing/dynamic.testing.ts';
import { loosened } from '../../testing/loosen.testing.ts';
import { hasUnknownSizes } from './index.ts';

test('the samples of all ops, with unknown sizes', { timeout: 240_000 }, () => {
  const refused: string[] = [];
  const accepted: {
    readonly label: string;
    readonly func: Func;
    readonly static: Func;
    readonly inputs: readonly Literal[];
  }[] = [];
  for (const { name, label, func, inputs } of opSamples()) {
    try {
      const loose = loosened(func);
      if (!hasUnknownSizes(loose)) continue;
      compileToC(moduleOf(loose), hostTarget());
      accepted.push({ label, func: loose, static: func, inputs });
    } catch (error) {
      if (!isTrenioError(error, 'UNSUPPORTED') && !isTrenioError(error, 'INVALID_OP')) throw error;
      refused.push(name);
    }
  }
  expect([...new Set(refused)].sort()).toMatchInlineSnapshot(`
    [
      "all_gather",
      "all_to_all",
      "async_start",
      "batch_norm_grad",
      "batch_norm_inference",
      "batch_norm_training",
      "check.eq",
      "check.expect_almost_eq",
      "check.expect_almost_eq_const",
      "check.expect_close",
      "check.expect_eq",
      "check.expect_eq_const",
      "check.expect_serialized_eq",
      "chlo.ragged_dot",
      "chlo.scan",
      "collective_broadcast",
      "collective_permute",
      "collective_reduce",
      "einsum",
      "fft",
      "interpreter.print",
      "interpreter.probe",
      "real_dynamic_slice",
      "reduce_scatter",
      "rng_bit_generator",
      "sdy.manual_computation",
      "send",
      "torch_index_select",
      "triangular_solve",
      "unary_einsum",
    ]
  `);

  // One program that calls them all, so that gcc runs once.
  const b = new Builder({ next: 1_000_000 });
  const args: Value[] = [];
  const inputs: Literal[] = [];
  const results: Value[] = [];
  const labels: string[] = [];
  accepted.forEach((sample, i) => {
    const own = sample.func.body.args.map((arg, k) => {
      const v = b.argument(arg.type, args.length);
      args.push(v);
      inputs.push(sample.inputs[k]!);
      return v;
    });
    const resultTypes = sample.func.body.results.map(v => v.type);
    for (const v of b.emit('func.call', own, { callee: `f${i}`, resultTypes })) {
      results.push(v);
      labels.push(sample.label);
    }
  });
  const main: Func = { name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) };
  const functions = accepted.map(({ func }, i): Func => ({ ...func, name: `f${i}` }));
  const program = compileDynamicForTest(moduleOf(main, { functions }));
  const expected = accepted.flatMap(sample => interpret(moduleOf(sample.static), sample.inputs));
  const forwards = program.run(inputs);
  forwards.forEach((got, i) => {
    expectClose(got, expected[i]!, labels[i]!, 1e-2);
  });
  program.run(inputs, { backwards: true }).forEach((got, i) => {
    expect(got.data, labels[i]!).toEqual(forwards[i]!.data);
  });
});
