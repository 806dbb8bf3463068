import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle, entriesOf } from './bundle.ts';

// Where it finds the packages that it imports, next to a manifest with the version.
const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const place = mkdtempSync(join(cache, 'bundle-'));
const folder = join(place, 'dist');
beforeAll(() => {
  copyFileSync(join(root, 'package.json'), join(place, 'package.json'));
  return bundle(folder);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

test('modules that are started or imported by their place keep a file of their own', () => {
  const entries = entriesOf();
  expect(entries.filter(entry => !existsSync(join(folder, `${entry}.js`)))).toEqual([]);
  expect(entries.filter(entry => !entry.startsWith('data/'))).toEqual([
    'api/model-server-main',
    'base/require-node',
    'cli/hlo/grid-rank',
    'cli/main',
    'cli/server/server-commands-worker',
    'clusters/local/supervisor-main',
    'clusters/training/slurm-runner-main',
    'contrib/index',
    'distributed/checkpoints/save-worker',
    'distributed/launch/rank-preload',
    'distributed/launch/rank-watcher',
    'index',
    'jobs/model-server/relay',
    'jobs/runner-main',
    'runtime/backends/collecting/compile-worker',
    'serving/fleet/replica-main',
    'simulator/calibration/bare-step',
  ]);
  expect(entries).toContain('data/loader/loader-worker');
  expect(entries).toContain('data/images/image-folder');
});

test('there is one instance of a module, and names of classes stay', async () => {
  const at = (name: string): Promise<Record<string, unknown>> => import(pathToFileURL(join(folder, `${name}.js`)).href);
  const [index, images] = [await at('index'), await at('data/images/image-folder')];
  expect(images.ImageFolder).toBe(index.ImageFolder);
  for (const [name, value] of Object.entries(index))
    if (typeof value === 'function') expect(value.name, name).not.toMatch(/\$\d+$/);
});

test('the identity of the compiler is that of its sources', async () => {
  const { compilerIdentity } = await import('../src/runtime/toolchain/compiler-identity.ts');
  expect(readFileSync(join(folder, 'compiler-identity.txt'), 'utf8')).toBe(compilerIdentity());
});

test('the bundle of the tests has a file for each module, and one instance of it', async () => {
  const { bundled } = await import('../test/from-bundle/folder.ts');
  const at = (name: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(join(bundled, `${name}.js`)).href);
  const [index, errors, images] = [await at('index'), await at('base/errors'), await at('data/images/image-folder')];
  expect(errors.TrenioError).toBe(index.TrenioError);
  expect(images.ImageFolder).toBe(index.ImageFolder);
});
