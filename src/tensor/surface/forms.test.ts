// Every sample of every row in each of its forms: the method, aliases, in place, functions of namespaces, arguments by name. All
// must have the result of calling the row, which pytorch.test.ts compares with PyTorch; the data type must be the one that the
// row declares.
import { describe, expect, test } from 'vitest';
import * as trenio from '../../index.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../debugging/eager.ts';
import { Device } from '../device.ts';
import { Tensor } from '../tensor.ts';
import { call } from './call.ts';
import { dtypeProblem } from './dtype-rules.testing.ts';
import { groups } from './index.ts';
import { build } from './pytorch.testing.ts';
import { nameIn, namespaces, type Row, type Variant } from './row.ts';
import { type ArgumentsJson, argumentsOf, samplesOf } from './samples.testing.ts';

type Callable = (...args: readonly unknown[]) => unknown;
type Names = Readonly<Record<string, unknown>>;
const device = new Device(new InterpreterBackend(), { seed: 1, eager: new EagerMode('never'), log: () => {} });

const valuesOf = (json: ArgumentsJson): Names =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name, build(device, value)]));
const asList = (given: unknown): readonly Tensor[] => (Array.isArray(given) ? given : [given]) as readonly Tensor[];
/** The result of a call, as text; or the code of the error. */
function outcome(run: () => unknown): string {
  try {
    return asList(run())
      .map(x => `${x.dtype} [${x.shape}] ${String(x.literal().data)}`)
      .join('\n');
  } catch (error) {
    if (trenio.isTrenioError(error)) return 'refused';
    throw error;
  }
}

interface Spelling {
  readonly text: string;
  readonly run: (values: Names) => unknown;
}
/** Leading required arguments by place; the others by place, or by name as `spelled`. */
function listOf(variant: Variant, values: Names, without: string | undefined, isByPlace: boolean): unknown[] {
  const entries = Object.entries(variant.params).filter(([name]) => name !== without);
  const firstOptional = entries.findIndex(([, param]) => param.isOptional);
  // what must be given after what may be left out is given by name, too
  const isNamed = (entry: (typeof entries)[number]): boolean => {
    const [name, param] = entry;
    const isLater = firstOptional >= 0 && entries.indexOf(entry) >= firstOptional;
    return name in values && isLater && (!isByPlace || param.byNameOnly === true);
  };
  const list = entries.filter(entry => !isNamed(entry)).map(([name]) => values[name]);
  const options = Object.fromEntries(entries.filter(isNamed).map(([name]) => [name, values[name]]));
  while (list.length > 0 && list.at(-1) === undefined) list.pop();
  return Object.keys(options).length === 0 ? list : [...list, options];
}
function spellings(row: Row, variant: Variant): readonly Spelling[] {
  const names = [row.name, ...row.aliases];
  const free = (owner: unknown, name: string, text: string): Spelling[] =>
    [true, false].map(isByPlace => ({
      text,
      run: values => ((owner as Names)[name] as Callable)(...listOf(variant, values, undefined, isByPlace)),
    }));
  const method = (name: string): Spelling[] =>
    [true, false].map(isByPlace => ({
      text: `x.${name}`,
      run: values => {
        const self = values[row.self];
        // a number has no methods
        if (!(self instanceof Tensor)) return call(row, undefined, listOf(variant, values, undefined, isByPlace));
        return (self as unknown as Record<string, Callable>)[name]!(...listOf(variant, values, row.self, isByPlace));
      },
    }));
  return [
    ...(row.forms.includes('method') ? names.flatMap(method) : []),
    ...(row.forms.includes('function') ? names.flatMap(name => free(trenio, name, name)) : []),
    ...(row.forms.includes('functional')
      ? names.flatMap(name => free(trenio.nn.functional, name, `nn.functional.${name}`))
      : []),
    ...namespaces
      .filter(space => row.forms.includes(space))
      .flatMap(space => free((trenio as Names)[space], nameIn(space, row), `${space}.${nameIn(space, row)}`)),
  ];
}

describe.each(groups)('$title', ({ rows }) => {
  const listed: readonly Row[] = Object.values(rows);
  test.each(listed)('$name', row => {
    const problems: string[] = [];
    for (const [i, variant] of row.variants.entries())
      for (const sample of samplesOf(row, i)) {
        const json = argumentsOf(row, variant, sample);
        const results = (): unknown =>
          call(row, undefined, listOf(variant, valuesOf(json), undefined, false), Tensor.prototype);
        const expected = outcome(results);
        const where = `variant ${i}, ${JSON.stringify(sample)}`;
        for (const { text, run } of spellings(row, variant)) {
          const got = outcome(() => run(valuesOf(json)));
          if (got !== expected) problems.push(`${where}: ${text} gives ${got}, expected ${expected}`);
        }
        if (expected === 'refused') continue;
        const problem = dtypeProblem(row, variant, valuesOf(json), asList(results()));
        if (problem !== undefined) problems.push(`${where}: ${problem}`);
      }
    expect(problems.join('\n')).toBe('');
  });
  test.each(listed.filter(row => row.forms.includes('inPlace')))('$name in place', row => {
    const problems: string[] = [];
    for (const [i, variant] of row.variants.entries())
      for (const sample of samplesOf(row, i)) {
        const json = argumentsOf(row, variant, sample);
        const self = valuesOf(json)[row.self];
        if (!(self instanceof Tensor)) continue;
        const plain = outcome(() => call(row, undefined, listOf(variant, valuesOf(json), undefined, false)));
        const assigned = outcome(() => {
          const values = valuesOf(json);
          const target = values[row.self] as unknown as Record<string, Callable>;
          const given = target[`${row.name}_`]!(...listOf(variant, values, row.self, true));
          if (given !== target) problems.push(`${JSON.stringify(sample)}: the result is another tensor`);
          return given;
        });
        const fits = plain.startsWith(`${self.dtype} [${self.shape}] `);
        if (fits && assigned !== plain)
          problems.push(`${JSON.stringify(sample)}: ${row.name}_ gives ${assigned}, expected ${plain}`);
        if (plain === 'refused' && assigned !== 'refused')
          problems.push(`${JSON.stringify(sample)}: ${row.name}_ is not refused`);
      }
    expect(problems.join('\n')).toBe('');
  });
});
