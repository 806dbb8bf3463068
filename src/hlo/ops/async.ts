// Rows of async_start and async_done. Evaluation is synchronous: the future holds the results when the op is started.
import { zip } from '../../base/zip.ts';
import type { OpName } from '../attributes.ts';
import { check, type Rows, tensors } from '../op-row.ts';
import type { RuntimeValue } from '../steps.ts';
import { type FutureType, formatType, sameType } from '../types.ts';
import { noCost } from './costs.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

const startChecks: Checker = checkerOf('async_start');
const doneChecks: Checker = checkerOf('async_done');

const startable: ReadonlySet<OpName> = new Set([
  'all_gather',
  'all_reduce',
  'all_to_all',
  'collective_broadcast',
  'collective_permute',
  'collective_reduce',
  'dynamic_slice',
  'dynamic_update_slice',
  'reduce_scatter',
  'slice',
]);

export const asyncRows: Rows<'async_start' | 'async_done'> = {
  async_start: {
    name: 'async_start',
    kind: 'control',
    pure: false,
    isolated: true,
    infer(operands, _attributes, [body]) {
      tensors('async_start', operands);
      startChecks(body.ops.length === 1, 1, () => `the region must hold one op, got ${body.ops.length}`);
      const [started] = body.ops;
      startChecks(
        startable.has(started!.name),
        2,
        () => `the region must hold a collective or a slice, got ${started!.name}`,
      );
      startChecks(
        body.args.length === operands.length &&
          zip(body.args, operands).every(([arg, type]) => sameType(arg.type, type)),
        3,
        () =>
          `the region must take (${operands.map(formatType).join(', ')}), got (${body.args.map(v => formatType(v.type)).join(', ')})`,
      );
      startChecks(body.results.length === 1, 4, () => `the region must return one value, got ${body.results.length}`);
      return [{ kind: 'future', elements: body.results.map(v => v.type) } satisfies FutureType];
    },
    *execute(op, operands, process) {
      return [yield* process.execute(op.regions[0], operands)];
    },
    cost: () => noCost,
  },
  async_done: {
    name: 'async_done',
    kind: 'control',
    pure: false,
    infer(operands) {
      const [future] = operands;
      check(
        operands.length === 1 && future?.kind === 'future',
        'async_done',
        'trenio_async_done_operand',
        () => `takes a future, got ${operands.map(formatType).join(', ')}`,
      );
      doneChecks(future.elements.length === 1, 1, () => `the future must hold one value, got ${formatType(future)}`);
      return future.elements;
    },
    execute: (_op, [future]) => future as readonly RuntimeValue[],
    cost: () => noCost,
  },
};
