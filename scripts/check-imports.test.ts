import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { importCycles, importGraph, uphillImports } from './check-imports.ts';

const root = fileURLToPath(new URL('../src', import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The cycles in a folder of these files, by their names. */
function cyclesIn(files: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  const root = mkdtempSync(join(tmpdir(), 'trenio-imports-'));
  folders.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return importCycles(importGraph(root)).map(cycle => cycle.map(file => relative(root, file)));
}

test('import cycles are found, also through other files, with type imports and import()', () => {
  const cycles = cyclesIn({
    'one.ts': "import {\n  type Two,\n} from './folder/two.ts';\n",
    'folder/two.ts': "export * from '../three.ts';\n",
    'three.ts': "import type { One } from './one.ts';\n",
    'apart.ts': "import './one.ts';\n",
    'command.ts': "export const run = async () => (await import('./now.ts')).run();\n",
    'now.ts': "import type { run } from './command.ts';\n",
  });
  expect(cycles.map(cycle => cycle.toSorted())).toEqual(
    expect.arrayContaining([
      ['folder/two.ts', 'one.ts', 'three.ts'],
      ['command.ts', 'now.ts'],
    ]),
  );
});

test('a file that imports itself is found', () => {
  expect(cyclesIn({ 'one.ts': "export { x } from './one.ts';\n" })).toEqual([['one.ts']]);
});

test('files that import the same file are not a cycle', () => {
  const cycles = cyclesIn({
    'one.ts': "import { c } from './three.ts';\nimport { b } from './two.ts';\n",
    'two.ts': "import { c } from './three.ts';\n",
    'three.ts': "import { join } from 'node:path';\n",
  });
  expect(cycles).toEqual([]);
});

test('the sources have no import cycles', () => {
  expect(importCycles(importGraph(root)).map(cycle => cycle.map(file => relative(root, file)))).toEqual([]);
});

test('folders import only downhill', () => {
  expect(uphillImports(importGraph(root, join(root, '..', 'contrib')), root)).toEqual([]);
});

const graph = (edges: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(edges).map(([file, targets]) => [`/src/${file}`, targets.map(target => `/src/${target}`)]));

test('an import from a folder to a later one, or to a file above the folders, is found', () => {
  const edges = {
    'runtime/execution/stream.ts': ['runtime/toolchain/cache.ts', 'runtime/comm/ranks.ts'],
    'runtime/comm/ranks.ts': ['runtime/runtime.ts', 'hlo/types.ts'],
    'runtime/comm/ranks.test.ts': ['runtime/runtime.ts'],
    'runtime/comm/ranks.testing.ts': ['runtime/runtime.ts'],
    'runtime/runtime.ts': ['runtime/backends/cpu/cpu-backend.ts'],
    'runtime/comm/peers.test.ts': ['index.ts', 'tensor/device.ts'],
    'tensor/device.ts': ['runtime/runtime.ts', 'index.ts'],
  };
  expect(uphillImports(graph(edges), '/src')).toEqual([
    { file: 'runtime/execution/stream.ts', target: 'runtime/comm/ranks.ts' },
    { file: 'runtime/comm/ranks.ts', target: 'runtime/runtime.ts' },
    { file: 'runtime/comm/peers.test.ts', target: 'tensor/device.ts' },
    { file: 'tensor/device.ts', target: 'index.ts' },
  ]);
});
