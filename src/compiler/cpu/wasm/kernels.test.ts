// Programs run in this process: every op and random programs, as the reference interpreter runs them. That kernels have the bits
// of their C is tested in kernels.native.test.ts.
import { expect, test } from 'vitest';
import { interpret } from '../../../hlo/interpreter.ts';
import type { Literal } from '../../../hlo/literal.ts';
import { opSamples } from '../../../hlo/op-samples.testing.ts';
import { type Module, moduleOf } from '../../../hlo/program.ts';
import { randomChoices } from '../../../hlo/random-choices.testing.ts';
import { randomProgram } from '../../../hlo/random-program.testing.ts';
import { targetOf } from '../../index.ts';
import { checkCompilable } from '../../passes/check.ts';
import { runPasses } from '../../passes/index.ts';
import { expectClose } from '../../testing/closeness.testing.ts';
import { interpretKernels } from '../in-process/prepare.ts';

const target = targetOf('avx512');

function isCompilable(module: Module): boolean {
  try {
    checkCompilable(runPasses(module).functions[0]!, new Map());
    return true;
  } catch {
    return false;
  }
}
function check(label: string, module: Module, inputs: readonly Literal[]): void {
  const found = interpretKernels(module, target, inputs);
  interpret(module, inputs).forEach((expected, i) => {
    expectClose(found[i]!, expected, `${label}, result ${i}`, 1e-4);
  });
}

test('the samples of all ops', () => {
  const samples = opSamples().filter(({ func }) => isCompilable(moduleOf(func)));
  expect(samples.length).toBeGreaterThan(200);
  for (const { label, func, inputs } of samples) check(label, moduleOf(func), inputs);
});

test('random programs', () => {
  for (let seed = 0; seed < 150; seed++) {
    const { func, inputs } = randomProgram(randomChoices(seed, 24));
    check(`seed ${seed}`, moduleOf(func), inputs);
  }
});
