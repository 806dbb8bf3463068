// Rows of ops of other dialects: of Shardy, which specify layouts and compute nothing, and of unknown
// dialects.

import { TrenioError } from '../../base/errors.ts';
import { zip } from '../../base/zip.ts';
import { type OpRow, type Rows, tensors } from '../op-row.ts';
import { sameType } from '../types.ts';
import { noCost, streaming } from './costs.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

const manualChecks: Checker = checkerOf('sdy.manual_computation');

/** Returns its operand, in another layout. */
const resharding = <N extends 'sdy.sharding_constraint' | 'sdy.reshard'>(name: N): OpRow<N> =>
  ({
    name,
    kind: 'control',
    pure: true,
    infer: operands => tensors(name, operands),
    decompose: (_builder, _op, operands) => operands,
    cost: () => noCost,
  }) as OpRow<N>;

export const foreignRows: Rows<
  'sdy.sharding_constraint' | 'sdy.reshard' | 'sdy.sharding_group' | 'sdy.manual_computation' | 'unregistered'
> = {
  'sdy.sharding_constraint': resharding('sdy.sharding_constraint'),
  'sdy.reshard': resharding('sdy.reshard'),
  'sdy.sharding_group': {
    name: 'sdy.sharding_group',
    kind: 'control',
    pure: false,
    infer: () => [],
    evaluate: () => [],
    cost: () => noCost,
  },
  'sdy.manual_computation': {
    name: 'sdy.manual_computation',
    kind: 'control',
    pure: false,
    infer(operands, { resultTypes }, [body]) {
      manualChecks(
        body.args.length === operands.length,
        'arguments',
        () => `the region has ${body.args.length} arguments, got ${operands.length} operands`,
      );
      manualChecks(
        body.results.length === resultTypes.length,
        'results',
        () => `the region returns ${body.results.length} values, the op ${resultTypes.length}`,
      );
      return resultTypes;
    },
    *execute(op, operands, process) {
      const [body] = op.regions;
      const whole =
        zip(body.args, op.operands).every(([arg, value]) => sameType(arg.type, value.type)) &&
        zip(body.results, op.results).every(([inner, value]) => sameType(inner.type, value.type));
      if (whole) return yield* process.execute(body, operands);
      throw new TrenioError(
        'UNSUPPORTED',
        {
          what: 'sdy.manual_computation on parts of its operands',
          where: 'the interpreter',
          instead: 'partition the program first, for example with jax.jit(…).lower(…).compile()',
        },
        { location: op.location },
      );
    },
    cost: () => noCost,
  },
  unregistered: {
    name: 'unregistered',
    kind: 'opaque',
    pure: false,
    infer: (_operands, { resultTypes }) => resultTypes,
    evaluate(op) {
      throw new TrenioError(
        'UNSUPPORTED',
        { what: op.attributes.name, where: 'the interpreter', instead: 'remove it from the program' },
        { location: op.location },
      );
    },
    cost: op => streaming(op),
  },
};
