// An unknown option is an error in every module that has settings.
import { expect, test } from 'vitest';
import { isTrenioError } from '../base/errors.ts';
import { device, setDefaultDevice } from '../tensor/index.ts';
import * as nn from './index.ts';

setDefaultDevice(device('interpreter'));
// These accept arbitrary arguments, modules or tensors.
const others = ['Identity', 'ModuleDict', 'ModuleList', 'ParameterDict', 'ParameterList', 'Sequential'];
const modules = Object.entries(nn).filter(
  ([name, value]) => typeof value === 'function' && /^[A-Z]/.test(name) && isModule(value) && !others.includes(name),
);
function isModule(value: unknown): boolean {
  return (value as { readonly prototype: unknown }).prototype instanceof nn.Module;
}
const required: readonly (readonly unknown[])[] = [[], [2], [2, 2], [2, 2, 2], [[1, 1]], [1, [1, 1]], [8, 2, 1, 1]];
const needsModules = ['TransformerDecoder', 'TransformerEncoder', 'Unflatten'];

test.each(modules.filter(([name]) => !needsModules.includes(name)))('%s rejects an unknown option', (_name, value) => {
  const make = value as unknown as new (...args: readonly unknown[]) => unknown;
  const codes = required.map(args => {
    try {
      new make(...args, { noSuchOption: 1 });
      return 'accepted';
    } catch (error) {
      if (isTrenioError(error)) return error.code;
      throw error;
    }
  });
  expect(codes).toContain('UNKNOWN_ARGUMENT');
});
