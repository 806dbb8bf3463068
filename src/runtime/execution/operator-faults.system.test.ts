// Faults of custom operators on the threads of a step: exceptions end the step with their text, a crash ends the process and
// names the operator.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../engine.testing.ts';
import { type Outcome, resolveImports, startScript } from '../processes.testing.ts';

const folder = temporaryDirectory();
afterAll(() => folder[Symbol.dispose]());

/** Operators by name; their loops are shared among three threads. All in one file, which is compiled once. */
const loop = (body: string): string =>
  `trenio::parallel_for(x.size(), [&](int64_t begin, int64_t end) { usleep(100); ${body} });`;
const bodies = {
  fine: 'y[0] = x[0];',
  one_throws: loop('if (begin == 40960) throw std::runtime_error("bad weather");'),
  all_throw: loop('throw std::runtime_error("bad weather");'),
  throws_a_number: loop('if (begin == 4096) throw 7;'),
  bad_address: loop('if (begin == 40960) *(volatile int *)8 = 1;'),
  all_crash: loop('*(volatile int *)8 = 1;'),
  aborts: loop('if (begin == 40960) abort();'),
  overflows: loop(
    'volatile char room[1 << 28]; for (long i = (1 << 28) - 1; i >= 0; i -= 4096) room[i] = 1; y[0] = room[5];',
  ),
  own_thread: 'std::thread([] { *(volatile int *)8 = 1; }).join();',
} as const;
const source = join(folder.path, 'operators.cpp');
const operatorText = ([name, body]: readonly string[]): string =>
  `TRENIO_OPERATOR(${name}, (trenio::Input<float> x, trenio::Output<float> y)) { ${body} }\n`;
writeFileSync(
  source,
  `#include <stdexcept>\n#include <thread>\n#include <unistd.h>\n#include "trenio_operator.h"\n${Object.entries(bodies).map(operatorText).join('')}`,
);

const variables = {
  TRENIO_CACHE_DIR: join(folder.path, 'cache'),
  TRENIO_NUM_THREADS: '3',
  TRENIO_LOG: 'error',
};

/** A script that runs a step that calls an operator on 100,000 elements, twice. */
function scriptOf(name: keyof typeof bodies, before = ''): string {
  const hlo = (file: string): string => `${new URL(`../../hlo/${file}`, import.meta.url)}`;
  return `
    import { Runtime } from '../runtime.ts';
    import { loadCustomOperator } from './custom-operators.ts';
    import { buildFunc } from '${hlo('builder.ts')}';
    import { moduleOf } from '${hlo('program.ts')}';
    import { tensorType } from '${hlo('types.ts')}';
    const runtime = new Runtime();
    const backend = runtime.backend('cpu');
    loadCustomOperator({ name: '${name}', source: ${JSON.stringify(source)}, inputs: ['f32'], outputs: ['f32'], shape: ([x]) => [x] }, runtime);
    const type = tensorType('f32', [100_000]);
    const main = buildFunc('main', [type], (b, [x]) => b.emit('custom_call', [x], { callTargetName: '${name}', hasSideEffect: false, backendConfig: '', resultTypes: [type] }));
    const { executable } = backend.compile(moduleOf(main, { name: 'step' }));
    ${before}
    for (let i = 0; i < 2; i++) {
      try {
        const [y] = executable.run([backend.upload(type, { kind: 'zeros' })]);
        y.wait();
        console.log('no error');
      } catch (error) {
        console.log(error.code + ' ' + error.data.reason);
      }
    }`;
}
const run = (name: keyof typeof bodies, before = ''): Promise<Outcome> =>
  startScript(import.meta.url, scriptOf(name, before), variables).outcome;

describe('an exception in parallel_for ends the step with its text, and the next step runs', {
  timeout: 180_000,
}, () => {
  test.each([
    ['one_throws', 'it threw: bad weather'],
    ['all_throw', 'it threw: bad weather'],
    ['throws_a_number', 'it threw something that is not a std::exception'],
  ] as const)('%s', async (name, reason) => {
    const said = `OPERATOR_FAILED ${reason}\n`;
    expect(await run(name)).toEqual({ status: 0, signal: null, stdout: said + said, stderr: '' });
  });
});

describe('a crash on a thread of the step names the operator, in one line', () => {
  test.each([
    ['bad_address', 'SIGSEGV', / at address 0x8 /],
    ['all_crash', 'SIGSEGV', / at address 0x8 /],
    ['aborts', 'SIGABRT', / /],
    ['overflows', 'SIGSEGV', / at address 0x/],
    ['own_thread', 'SIGSEGV', / at address 0x8 on its own thread /],
  ] as const)('%s', async (name, signal, more) => {
    const outcome = await run(name);
    expect(outcome).toMatchObject({ status: null, signal, stdout: '' });
    expect(outcome.stderr).toMatch(new RegExp(`^trenio: ${signal}.* in the custom operator ${name}, in step\\n$`));
    expect(outcome.stderr).toMatch(more);
  });
});

test('the process does not end before the line is written if several threads crash', () => {
  const go = join(folder.path, 'go');
  // A pipe that is full for a while: the thread that crashes first has to wait for its reader.
  const before = `
    const { writeFileSync, writeSync } = await import('node:fs');
    writeSync(2, '.'.repeat(65_536));
    writeFileSync(${JSON.stringify(go)}, '');`;
  const script = resolveImports(import.meta.url, scriptOf('all_crash', before));
  const words = ['-c', '"$0" "$@" 2>&1 >/dev/null | { until [ -e "$GO" ]; do sleep 0.1; done; sleep 0.5; cat; }'];
  const node = [process.execPath, '--no-warnings', '--input-type=module-typescript', '-e', script];
  const { stdout } = spawnSync('sh', [...words, ...node], {
    encoding: 'utf8',
    env: { ...process.env, ...variables, GO: go },
  });
  expect(stdout.replace(/^\.+/, '')).toMatch(
    /^trenio: SIGSEGV at address 0x8 in the custom operator all_crash, in step\n/,
  );
});

test('a crash outside of steps, and signal handlers of the script, are left to Node', async () => {
  const crash = await run('fine', 'process.kill(process.pid, "SIGSEGV"); while (true);');
  expect(crash).toMatchObject({ signal: 'SIGSEGV', stdout: '', stderr: '' });
  const handler = `process.on('SIGABRT', () => { console.log('handled'); process.exit(0); });
    process.kill(process.pid, 'SIGABRT'); await new Promise(resolve => setTimeout(resolve, 5000));`;
  expect(await run('fine', handler)).toMatchObject({ status: 0, stdout: 'handled\n' });
});
