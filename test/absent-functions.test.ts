// Missing PyTorch classes and functions throw errors that name replacements; these names affect nothing else.
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { isTrenioError } from '../src/base/errors.ts';
import { distributions, nn, optim, special } from '../src/index.ts';
import { isAbsent } from '../src/tensor/absent/absent-functions.ts';
import { absentNames } from '../src/tensor/surface/absent.ts';

type Names = Readonly<Record<string, unknown>>;
const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const namespaces: readonly (readonly [string, Names])[] = [
  ['torch.nn.functional', nn.functional],
  ['torch.nn', nn],
  ['torch.nn.utils', nn.utils],
  ['torch.nn.utils.parametrizations', nn.utils.parametrizations],
  ['torch.optim', optim],
  ['torch.distributions', distributions],
  ['torch.special', special],
];
const listed = namespaces.flatMap(([path, names]) =>
  absentNames
    .filter(({ name }) => name.startsWith(`${path}.`) && !name.slice(path.length + 1).includes('.'))
    .map(({ name, instead }) => ({ name, instead, value: names[camelCase(name.slice(path.length + 1))] })),
);

test.each(listed)('$name', ({ instead, value }) => {
  expect(isAbsent(value)).toBe(true);
  const missing = value as unknown as new () => object;
  for (const use of [
    () => (missing as unknown as () => unknown)(),
    () => new missing(),
    () => new (class extends missing {})(),
  ]) {
    let told: unknown;
    try {
      use();
    } catch (error) {
      told = error;
    }
    expect(isTrenioError(told) && told.code).toBe('ABSENT_NAME');
    expect(String(told)).toContain(instead);
  }
});
test('a name of a namespace that is in contrib', () => {
  const transforms = distributions.transforms as unknown as Names;
  expect(() => transforms.AffineTransform).toThrow(/distributions.transforms.AffineTransform[\s\S]*trenio\/contrib/);
  expect(() => (nn.utils.prune as Names).l1Unstructured).toThrow(/nn.utils.prune.l1Unstructured[\s\S]*trenio\/contrib/);
});
test('a namespace that contains such names can be printed and listed', () => {
  expect(inspect(nn.functional)).toContain('crossEntropy');
  expect(Object.entries(optim).length).toBeGreaterThan(10);
  expect(isAbsent(nn.Linear)).toBe(false);
});
