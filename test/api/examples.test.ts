// The examples in the documentation of the public API are type-checked; those that need no processes, files or minutes run on the
// reference interpreter, and must return the results in their comments.
import { stripTypeScriptTypes } from 'node:module';
import { formatWithOptions } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import * as contrib from '../../contrib/index.ts';
import { publicApi } from '../../scripts/public-api.ts';
import * as trenio from '../../src/index.ts';
import { forgetDevices } from '../../src/tensor/devices.ts';
import { checkExamples, type Example, type Step } from './examples.ts';
import { isShown, isText, readShown } from './shown.ts';

vi.stubEnv('TRENIO_BACKEND', 'interpreter');
afterAll(() => vi.unstubAllEnvs());

const entries = [
  { api: publicApi(), fromContrib: new Set<string>() },
  { api: publicApi('contrib/index.ts'), fromContrib: new Set(Object.keys(contrib)) },
];
const exported = new Set([
  ...Object.keys(trenio),
  ...entries.flatMap(({ api }) => api.map(({ path }) => path.split('.')[0]!)),
]);
const texts = new Map<
  string,
  { readonly name: string; readonly text: string; readonly fromContrib: ReadonlySet<string> }
>();
for (const { api, fromContrib } of entries)
  for (const { path, examples, members } of api) {
    const add = (text: string, name: string): void => {
      if (!texts.has(text)) texts.set(text, { name, text, fromContrib });
    };
    for (const text of examples) add(text, path);
    for (const member of members) for (const text of member.examples) add(text, `${path}.${member.name}`);
  }
const examples = checkExamples([...texts.values()], exported);

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(400);
});
test.each(examples)('$name: $code', async example => {
  expect(example.problems).toEqual([]);
  if (example.runs) await run(example);
});

type Show = (step: number, got: unknown) => void;
const AsyncFunction = (async () => {}).constructor as new (
  ...names: readonly string[]
) => (...values: readonly unknown[]) => Promise<void>;

async function run({ imports, steps, fromContrib }: Example): Promise<void> {
  // The mesh of a device is set before anything is recorded.
  if (imports.includes('initDeviceMesh') || imports.includes('initializeParallelModel')) forgetDevices();
  trenio.manualSeed(0);
  const printed: string[] = [];
  const log = (...values: readonly unknown[]): void => {
    printed.push(formatWithOptions({ colors: false }, ...values));
  };
  const show: Show = (i, got) => {
    const { kind, shown = '', code } = steps[i]!;
    if (kind === 'prints') {
      const text = printed.splice(0).join('\n');
      if (!isText(text, shown)) expect(text, code).toBe(shown);
    } else {
      const value = plain(got);
      const wanted = readShown(kind === 'variables' && steps[i]!.variables.length > 1 ? `[${shown}]` : shown);
      if (!isShown(value, wanted)) expect(value, code).toEqual(wanted);
    }
  };
  const body = stripTypeScriptTypes(steps.map((step, i) => codeOf(step, i)).join('\n'));
  const values = imports.map(name => Reflect.get(fromContrib.has(name) ? contrib : trenio, name) as unknown);
  try {
    await new AsyncFunction('show', 'refused', 'console', ...imports, body)(show, refused, { log }, ...values);
  } finally {
    trenio.setGradEnabled(true);
    trenio.setPrintOptions({ profile: 'default' });
    trenio.setDefaultDevice(undefined);
  }
}
/** The code of a statement, which also reports its result. */
function codeOf({ code, kind, variables, shown }: Step, i: number): string {
  if (shown === undefined) return code;
  const throws = /^throws ([A-Z_]+)$/.exec(shown)?.[1];
  const bare = code.replace(/;$/, '');
  if (throws !== undefined) return `await refused('${throws}', async () => { ${code} });`;
  if (kind === 'value') return `show(${i}, (${bare}));`;
  if (kind === 'variables')
    return `${code}\nshow(${i}, ${variables.length > 1 ? `[${variables.join(', ')}]` : variables[0]});`;
  return `${code}\nshow(${i}, undefined);`;
}
async function refused(code: string, call: () => Promise<void>): Promise<void> {
  await expect(call()).rejects.toMatchObject({ code });
}

/** Tensors as nested numbers, also within lists and objects. */
function plain(value: unknown): unknown {
  if (value instanceof trenio.Tensor) return value.toArray();
  if (Array.isArray(value)) return Object.assign(value.map(plain), namesOf(value));
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return Array.from(value as unknown as Iterable<unknown>, plain);
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Map) return plain(Object.fromEntries(value as ReadonlyMap<string, unknown>));
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
  return value;
}
/** The named results of a list: `values` and `indices`. */
function namesOf(list: object): object {
  const named = Object.entries(list).filter(([name]) => !/^\d+$/.test(name));
  return Object.fromEntries(named.map(([name, each]) => [name, plain(each)]));
}
