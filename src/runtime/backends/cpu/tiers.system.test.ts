import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readIfThere } from '../../../base/file-error.ts';
import { temporaryDirectory } from '../../engine.testing.ts';
import { startScript, until } from '../../processes.testing.ts';
import { slowCompiler } from '../../toolchain/slow-compiler.testing.ts';

/** Steps without products; the C compiler starts with the third. */
const script = (more: string): string => `
  import { randn } from '../../../tensor/index.ts';
  for (let i = 0; i < 4; i++) console.log(await randn([4, 8]).mul(2).sum().item());
  ${more}`;
const isAlive =
  (path: string) =>
  (pid: string): boolean =>
    readIfThere(`/proc/${pid}/cmdline`)?.includes(path) ?? false;

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  '%s during a compilation in the background ends the compilers and leaves no files',
  async signal => {
    using cache = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const variables = { CC: slow.path, TRENIO_CACHE_DIR: cache.path, TRENIO_TIERS: 'auto' };
    const child = startScript(import.meta.url, script('setInterval(() => {}, 1000);'), variables);
    await until(slow.begun);
    child.process.kill(signal);
    expect(await child.outcome).toMatchObject({ signal });
    await until(() => readdirSync(cache.path).length === 0);
    await until(() => !readdirSync('/proc').some(isAlive(slow.path)));
  },
);

test('the log and explain() say that a program runs from its kernels', async () => {
  using cache = temporaryDirectory();
  const more = "import { device } from '../../../tensor/index.ts'; console.log(device().explain());";
  const variables = { TRENIO_CACHE_DIR: cache.path, TRENIO_TIERS: 'auto', TRENIO_LOG: 'info' };
  const { stdout, stderr } = await startScript(import.meta.url, script(more), variables).outcome;
  expect(stdout).toMatch(/^read at .*: \d+ ops, from its kernels until it is compiled, \d+ ms$/m);
  expect(stderr).toMatch(/^trenio: info: running the read at .* \(\d+ ops, from its kernels until it is compiled\)$/m);
});

test.each([
  ['the end of the script', '', 0],
  ['exit', 'process.exit(3);', 3],
  ['an exception', "throw new Error('over');", 1],
])('%s does not wait for a compilation in the background', async (_, more, status) => {
  using cache = temporaryDirectory();
  using tools = temporaryDirectory();
  const slow = slowCompiler(tools.path);
  const variables = { CC: slow.path, TRENIO_CACHE_DIR: cache.path, TRENIO_TIERS: 'auto' };
  const child = startScript(import.meta.url, script(more), variables);
  const outcome = await child.outcome;
  expect(outcome).toMatchObject({ status });
  expect(outcome.stdout.split('\n')).toHaveLength(5);
  await until(() => readdirSync(cache.path).length === 0);
  await until(() => !readdirSync('/proc').some(isAlive(slow.path)));
});
