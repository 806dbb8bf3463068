import { expect, it } from 'vitest';
import { withDependencies } from './training-command.ts';

it.each([
  ['/tmp/project/node_modules/trenio', '/tmp/project/node_modules'],
  ['/tmp/project/node_modules/.pnpm/trenio@0.1.0/node_modules/trenio', '/tmp/project/node_modules'],
  ['/home/me/trenio', '/home/me/trenio'],
])('%s: a job sees the dependencies of the package', (root, expected) => {
  expect(withDependencies(root)).toBe(expected);
});
