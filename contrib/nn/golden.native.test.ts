// The layers and functions compared with PyTorch, compiled.
import { expect, test } from 'vitest';
import { differencesOf } from '../../src/nn/golden.testing.ts';
import { device } from '../../src/tensor/index.ts';
import * as nn from './index.ts';

test('compiled', () => {
  expect(differencesOf('contrib', device('cpu'), nn)).toBe('');
});
