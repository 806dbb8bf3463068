import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importCycles, importGraph, uphillImports } from './check-imports.ts';

const root = fileURLToPath(new URL('../src', import.meta.url));

test('rooms import only downhill', () => {
  expect(uphillImports(importGraph(root), root)).toEqual([]);
});
test('the files of the runtime do not import each other', () => {
  const graph = new Map([...importGraph(root)].filter(([file]) => file.startsWith(`${root}/runtime/`)));
  expect(importCycles(graph)).toEqual([]);
});

const graph = (edges: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(edges).map(([file, targets]) => [`/src/${file}`, targets.map(target => `/src/${target}`)]));

test('an import from a room to a later one, or to what stands above the rooms, is found', () => {
  const edges = {
    'runtime/execution/stream.ts': ['runtime/toolchain/cache.ts', 'runtime/comm/ranks.ts'],
    'runtime/comm/ranks.ts': ['runtime/runtime.ts', 'hlo/types.ts'],
    'runtime/comm/ranks.test.ts': ['runtime/runtime.ts'],
    'runtime/comm/ranks.testing.ts': ['runtime/runtime.ts'],
    'runtime/runtime.ts': ['runtime/backends/cpu/cpu-backend.ts'],
  };
  expect(uphillImports(graph(edges), '/src')).toEqual([
    { file: 'runtime/execution/stream.ts', target: 'runtime/comm/ranks.ts' },
    { file: 'runtime/comm/ranks.ts', target: 'runtime/runtime.ts' },
  ]);
});
test('files that import each other are found', () => {
  expect(importCycles(graph({ a: ['b', 'd'], b: ['a'], d: [] }))).toEqual([['/src/a', '/src/b']]);
});
