// Counts the documentation of the public API: every name and member is documented, so that editors show it, and every function
// and class has an example.
import { expect, test } from 'vitest';
import { publicApi } from '../../scripts/public-api.ts';

const api = ['src/index.ts', 'contrib/index.ts'].flatMap(publicApi);

test('the public API can be read', () => {
  expect(api.length).toBeGreaterThan(2000);
  expect(api.flatMap(({ members }) => members).length).toBeGreaterThan(3500);
});
test('every public name is documented', () => {
  expect(api.filter(({ isDocumented }) => !isDocumented).map(({ path }) => path)).toEqual([]);
});
test('every public member is documented', () => {
  const bare = api.flatMap(({ path, members }) =>
    members.filter(({ isDocumented }) => !isDocumented).map(({ name }) => `${path}.${name}`),
  );
  expect(bare).toEqual([]);
});
test('every public function and class has an example', () => {
  const without = api.filter(
    ({ kind, examples }) => (kind === 'function' || kind === 'class') && examples.length === 0,
  );
  expect(without.map(({ path, file }) => `${path} (${file})`)).toEqual([]);
});
