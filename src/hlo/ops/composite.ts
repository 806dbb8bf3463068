// The row of composite: a named op that is a call of the function which defines it.
import type { Rows } from '../op-row.ts';
import { noCost } from './costs.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

const require: Checker = checkerOf('composite');

/** `dialect.op`, with letters first: as MLIR names ops. */
const namespacedName = /^[a-zA-Z]\w*(\.[\w$]+)+$/;

export const compositeRows: Rows<'composite'> = {
  composite: {
    name: 'composite',
    kind: 'control',
    pure: false,
    callee: op => ({ name: op.attributes.decomposition, exact: true }),
    infer(_operands, { name, version, resultTypes }) {
      require(namespacedName.test(name), 1, () => `${name} is not of the form namespace.op`);
      require(version >= 0, 'version', () => `the version must not be negative, got ${version}`);
      return resultTypes;
    },
    decompose(b, op, operands) {
      const { decomposition: callee, resultTypes } = op.attributes;
      return b.emit('func.call', operands, { callee, resultTypes });
    },
    // The work is in the function.
    cost: () => noCost,
  },
};
