// Programs that JAX lowers for eight devices, with shardings of Shardy and GSPMD, manual along all axes or some: the parts
// give the results of XLA.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { literal, toNumbers } from '../../hlo/literal.ts';
import { mainOf, tensorTypeOf } from '../../hlo/program.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { verify } from '../../hlo/verifier.ts';
import { isForDevices, runInParts } from './run-in-parts.ts';

interface Golden {
  readonly name: string;
  readonly program: string;
  readonly inputs: readonly { readonly data: readonly number[] }[];
  readonly results: readonly { readonly data: readonly number[] }[];
}
const file = new URL('../../../test/golden/sharded-programs.json', import.meta.url);
const programs: readonly Golden[] = JSON.parse(readFileSync(file, 'utf8'));

test.each(programs.map(golden => [golden.name, golden] as const))('%s', (_, { program, inputs, results }) => {
  const module = parseModule(program);
  expect(isForDevices(module)).toBe(true);
  const args = mainOf(module).body.args.map((arg, i) => {
    const { elementType, shape } = tensorTypeOf(arg);
    return literal(elementType, shape, inputs[i]!.data);
  });
  const actual = runInParts(module, args, (local, parts) => {
    verify(local);
    return interpretReplicas(local, parts);
  });
  expect(actual).toHaveLength(results.length);
  for (const [i, { data }] of results.entries()) {
    const numbers = toNumbers(actual[i]!);
    for (const [k, value] of data.entries())
      expect(Math.abs(numbers[k]! - value)).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(value)));
  }
});
