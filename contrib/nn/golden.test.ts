// The layers and functions compared with PyTorch (scripts/golden/nn/make_contrib.py): interpreted, and as the compiler plans.
import { expect, test } from 'vitest';
import { differencesOf } from '../../src/nn/golden.testing.ts';
import { device } from '../../src/tensor/index.ts';
import * as nn from './index.ts';

test.each(['interpreter', 'kernels'] as const)('%s', name => {
  expect(differencesOf('contrib', device(name), nn)).toBe('');
});
