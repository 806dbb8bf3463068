import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { underClaim } from './compile-claim.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'trenio-claim-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('makes what nobody else makes, and lets go of the claim', () => {
  const file = join(directory, 'claim');
  expect(
    underClaim(
      file,
      () => undefined,
      () => (existsSync(file) ? 'made under the claim' : 'no claim'),
    ),
  ).toBe('made under the claim');
  expect(existsSync(file)).toBe(false);
  expect(() =>
    underClaim(
      file,
      () => undefined,
      () => {
        throw new Error('refused');
      },
    ),
  ).toThrow('refused');
  expect(existsSync(file)).toBe(false);
});

test("a dead process's claim does not hold", async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise(resolve => child.on('exit', resolve));
  const file = join(directory, 'claim');
  writeFileSync(file, `${hostname()} ${child.pid}`);
  expect(
    underClaim(
      file,
      () => undefined,
      () => 'made',
    ),
  ).toBe('made');
});

test('waits for the holder, and takes what it made', async () => {
  const [file, product] = [join(directory, 'claim'), join(directory, 'product')];
  const source = `
    import { underClaim } from ${JSON.stringify(join(import.meta.dirname, 'compile-claim.ts'))};
    import { existsSync, writeFileSync } from 'node:fs';
    console.log(underClaim(${JSON.stringify(file)}, () => existsSync(${JSON.stringify(product)}) ? 'found' : undefined, () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      writeFileSync(${JSON.stringify(product)}, '');
      return 'made';
    }));`;
  const script = join(directory, 'script.ts');
  writeFileSync(script, source);
  const run = (): Promise<string> =>
    new Promise(resolve => {
      const child = spawn(process.execPath, [script]);
      let text = '';
      child.stdout.on('data', chunk => {
        text += chunk;
      });
      child.on('exit', () => resolve(text.trim()));
    });
  const results = await Promise.all([run(), run(), run()]);
  expect(results.sort()).toEqual(['found', 'found', 'made']);
}, 60_000);

test('where no claim can be written, the work is done without', () => {
  expect(
    underClaim(
      join(directory, 'missing', 'claim'),
      () => undefined,
      () => 'made',
    ),
  ).toBe('made');
});
