// The key of compiled programs covers every folder whose code affects the compiled result.
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { identityFolders } from '../src/runtime/toolchain/compiler-identity.ts';
import { importGraph } from './check-imports.ts';

test('the identity of the compiler covers all of its imports', () => {
  const root = fileURLToPath(new URL('../src', import.meta.url));
  const graph = importGraph(root);
  const reached = new Set([join(root, 'runtime/execution/compile-program.ts')]);
  for (const file of reached) for (const target of graph.get(file) ?? []) reached.add(target);
  const folders = new Set([...reached].map(file => relative(root, file).split(sep)[0]!));
  expect([...folders].filter(folder => !identityFolders.includes(folder))).toEqual([]);
});
