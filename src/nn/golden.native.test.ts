// Modules and functions compared with PyTorch, compiled.
import { expect, test } from 'vitest';
import { device } from '../tensor/index.ts';
import { differencesOf, groups } from './golden.testing.ts';

test.each(groups())('%s', group => {
  expect(differencesOf(group, device('cpu'))).toBe('');
});
