// Every row of the table compared with PyTorch, compiled.
import { describe } from 'vitest';
import { defaultRuntime } from '../../runtime/index.ts';
import { groups } from './index.ts';
import { agreesWithPyTorch } from './pytorch.testing.ts';

describe.each(groups)('$title', ({ rows }) => {
  agreesWithPyTorch(rows, () => defaultRuntime().backend('cpu'));
});
