import { afterAll, describe, expect, test } from 'vitest';
import { inheritedVariables } from '../base/environment.ts';
import { buildFunc } from '../hlo/builder.ts';
import { type Module, moduleOf } from '../hlo/program.ts';
import type { Backend } from './backends/backend.ts';
import { f32, floats, quiet, temporaryDirectory } from './engine.testing.ts';
import { startScript } from './processes.testing.ts';
import { Runtime } from './runtime.ts';
import { cacheDirectory } from './toolchain/cache-directory.ts';

const directory = temporaryDirectory();
afterAll(() => directory[Symbol.dispose]());
const variables = { PATH: inheritedVariables().PATH, TRENIO_CACHE_DIR: directory.path, TRENIO_NUM_THREADS: '2' };
const newRuntime = (extra: Record<string, string> = {}): Runtime =>
  new Runtime({ variables: { ...variables, ...extra }, log: quiet });

const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const twicePlus: Module = moduleOf(
  buildFunc('main', [f32(5), f32(5)], (b, [x, y]) => [b.add(b.multiply(x!, b.like(x!, 2)), y!), b.multiply(x!, y!)], [
    undefined,
    0,
  ]),
);
function evaluate(backend: Backend, module: Module, ...inputs: readonly (readonly number[])[]): number[][] {
  const { executable } = backend.compile(module);
  const outputs = executable.run(
    inputs.map((values, i) => backend.upload(executable.inputTypes[i]!, bytes(...values))),
  );
  return outputs.map(output => {
    output.wait();
    return floats(output.copyToHost());
  });
}

describe('the backends', () => {
  test('agree on x * 2 + y', () => {
    const runtime = newRuntime();
    const inputs = [
      [1, -2, 3.5, 0, 1e20],
      [0.5, 4, -1, 7, 1],
    ];
    const compiled = evaluate(runtime.backend('cpu'), twicePlus, ...inputs);
    expect(compiled).toEqual(evaluate(runtime.backend('interpreter'), twicePlus, ...inputs));
    expect(compiled[0]).toEqual([2.5, 0, 6, 7, Math.fround(2e20)]);
    runtime.close();
  });

  test('are created once, and selected by TRENIO_BACKEND', () => {
    const runtime = newRuntime({ TRENIO_BACKEND: 'interpreter' });
    expect(runtime.backend().name).toBe('interpreter');
    expect(runtime.backend()).toBe(runtime.backend('interpreter'));
    runtime.close();
  });

  test('need no C compiler, unless several processes are to train or the user has named one', () => {
    const runtime = newRuntime({ PATH: '/nowhere' });
    for (const name of ['cpu', 'interpreter'])
      expect(evaluate(runtime.backend(name), twicePlus, [1, 1, 1, 1, 1], [0, 0, 0, 0, 0])[0]).toEqual([2, 2, 2, 2, 2]);
    runtime.close();
    for (const variables of [{ CC: 'no-such-compiler' }, { TRENIO_COMPILE_ONLY: '/nowhere' }])
      expect(() => newRuntime({ PATH: '/nowhere', ...variables }).backend('cpu')).toThrow(
        expect.objectContaining({ code: 'NO_C_COMPILER' }),
      );
  });

  test('collectives of a single rank return its own data', () => {
    const runtime = newRuntime({ PATH: '/nowhere' }); // so no native code is needed
    runtime.barrier();
    expect(runtime.allGather(new Uint8Array([1, 2]))).toEqual([new Uint8Array([1, 2])]);
    runtime.close();
    expect(() => runtime.engine).toThrow(expect.objectContaining({ code: 'RUNTIME_CLOSED' }));
  });
});

test('the location of the cache', () => {
  expect(cacheDirectory({ TRENIO_CACHE_DIR: '/a' })).toBe('/a');
  expect(cacheDirectory({ XDG_CACHE_HOME: '/b' })).toBe('/b/trenio');
  expect(cacheDirectory({})).toMatch(/\.cache\/trenio$/);
});

describe('the end of a process', () => {
  const script = (body: string): string => `
    import { Runtime } from './runtime.ts';
    import { loadProgram } from './execution/native-program.ts';
    import { handWritten } from './engine.testing.ts';
    const runtime = new Runtime();
    const step = (body) => loadProgram(runtime, handWritten(body, [], [])).executable;
    ${body}`;
  const run = (body: string) =>
    startScript(import.meta.url, script(body), { ...variables, PATH: variables.PATH! }).outcome;
  const says = (word: string): string =>
    `'usleep(100000); if (write(1, "${word} ", ${word.length + 1}) < 0) return 100;'`;

  test('waits only for queued work', async () => {
    const outcome = await run(`step(${says('one')}).run([]); step(${says('two')}).run([]);`);
    expect(outcome).toMatchObject({ status: 0, stdout: 'one two ', stderr: '' });
  });
  test('also waits when the script calls exit, and keeps its exit code', async () => {
    expect(await run(`step(${says('one')}).run([]); process.exit(3);`)).toMatchObject({ status: 3, stdout: 'one ' });
    expect(await run(`step(${says('one')}).run([]); throw new Error('oops');`)).toMatchObject({
      status: 1,
      stdout: 'one ',
    });
  });
  test('an unobserved failure is printed and fails the process', async () => {
    const outcome = await run(`step('return 111;').run([]);`);
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toMatch(/a step whose results were not read has failed: hand-written ended with status 111/);
  });
  test('idle threads do not delay it', async () => {
    expect(await run('runtime.engine.stream.synchronize();')).toMatchObject({ status: 0 });
  });
});
