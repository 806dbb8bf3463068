// Propagation gives the text that Shardy's gives.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { interpret } from '../../hlo/interpreter.ts';
import { moduleOf } from '../../hlo/program.ts';
import { randomChoices } from '../../hlo/random-choices.testing.ts';
import { randomProgram } from '../../hlo/random-program.testing.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { printModule } from '../../hlo/text/printer.ts';
import { verify } from '../../hlo/verifier.ts';
import { importShardings } from './import.ts';
import { propagate } from './propagate.ts';
import { withRandomShardings } from './random-shardings.testing.ts';

interface Case {
  readonly name: string;
  readonly program: string;
  readonly propagated: string;
}
const golden = new URL('../../../test/golden/propagation.json', import.meta.url);
const cases = JSON.parse(readFileSync(golden, 'utf8')) as readonly Case[];

/** Functions, without the names that passes make up. */
const shown = (text: string): string =>
  printModule({ ...parseModule(text), name: '', discardable: {}, meshes: [] }).replace(/(@\w+?)_\d+\(/g, '$1(');

test.each(cases)('$name: as Shardy', ({ program, propagated }) => {
  const module = propagate(importShardings(parseModule(program)));
  expect(shown(printModule(module))).toBe(shown(propagated));
});

test('random programs keep their meaning, and get valid shardings', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const { func, inputs } = randomProgram(randomChoices(seed, 10));
    const module = withRandomShardings(moduleOf(func), seed);
    const propagated = propagate(importShardings(module));
    verify(propagated);
    expect(interpret(propagated, inputs), `seed ${seed}`).toEqual(interpret(module, inputs));
  }
});
