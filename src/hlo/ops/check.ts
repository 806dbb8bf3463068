// Rows of the checks of the StableHLO test suite: ops without results, which fail the run if two values differ. Older
// files of the suite use custom calls with the same names.
import { TrenioError } from '../../base/errors.ts';
import type { OpAttributes } from '../attributes.ts';
import { type Mismatch, notAlmostEqual, notClose, notEqual } from '../checks.ts';
import { type Literal, scalar } from '../literal.ts';
import { type EvaluationContext, type OpRow, type Rows, tensors } from '../op-row.ts';
import type { OpOf } from '../program.ts';
import { formatType, isFloat, type TensorType, tensorType } from '../types.ts';
import { streaming } from './costs.ts';
import { checkElements } from './operand-checks.ts';
import { type Checker, checkerOf, compatible } from './shape-checks.ts';

type Name =
  | 'check.expect_eq'
  | 'check.expect_eq_const'
  | 'check.expect_almost_eq'
  | 'check.expect_almost_eq_const'
  | 'check.expect_close'
  | 'check.expect_serialized_eq'
  | 'check.eq';

function passed(mismatch: Mismatch | undefined, op: OpOf<Name | 'custom_call'>): void {
  if (mismatch === undefined) return;
  const check = op.name === 'custom_call' ? (op as OpOf<'custom_call'>).attributes.callTargetName : op.name;
  throw new TrenioError('CHECK_FAILED', { check, ...mismatch }, { location: op.location });
}

/** Integers must be equal, floats approximately equal. */
const agree = (actual: Literal, expected: Literal): Mismatch | undefined =>
  isFloat(expected.type.elementType) ? notAlmostEqual(actual, expected, 1e-4) : notEqual(actual, expected);

const customChecks: { readonly [target: string]: (x: Literal, y: Literal) => Mismatch | undefined } = {
  'check.expect_eq': notEqual,
  'check.expect_almost_eq': (x, y) => notAlmostEqual(x, y, 1e-3),
  'check.expect_close': (x, y) => notClose(x, y, 0, 3),
  'check.eq': agree,
};
/** The results of a custom call that is a check (none, or `true`); undefined for any other. */
export function evaluateCustomCheck(op: OpOf<'custom_call'>, operands: readonly Literal[]): Literal[] | undefined {
  const { callTargetName } = op.attributes;
  const [x, y] = operands;
  if (!Object.hasOwn(customChecks, callTargetName) || x === undefined || y === undefined || operands.length > 2)
    return undefined;
  passed(customChecks[callTargetName]!(x, y), op);
  return op.results.map(() => scalar('i1', true));
}

function checkRow<N extends Name>(
  name: N,
  judge: (operands: readonly Literal[], op: OpOf<N>, context: EvaluationContext) => Mismatch | undefined,
  options: { readonly constant?: true; readonly floats?: true } = {},
): OpRow<N> {
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'control',
    // A check may end the run, so it must be kept although it has no results.
    pure: false,
    infer(operands, attributes) {
      const types: TensorType[] = [...tensors(name, operands, { perAxis: true })];
      if (options.constant) types.push((attributes as { readonly value: Literal }).value.type);
      const [x, y] = types;
      require(y === undefined || compatible(x!, y), 'types', () =>
        `takes two values of one type, got ${types.map(formatType).join(' and ')}`);
      if (options.floats) checkElements(require, 'element_type', types, ['float', 'complex']);
      return name === 'check.eq' ? [tensorType('i1')] : [];
    },
    evaluate(op, operands, context) {
      passed(judge(operands, op, context), op as OpOf<Name>);
      return name === 'check.eq' ? [scalar('i1', true)] : [];
    },
    cost: op => streaming(op),
  };
}

/** Compares a value with one that a probe of the same run has stored. */
function notProbed(
  expected: Literal,
  { probeId, iteration = 0 }: OpAttributes['check.expect_serialized_eq'],
  context: EvaluationContext,
): Mismatch | undefined {
  const probed = context.probed(probeId);
  const actual = probed[iteration];
  if (actual !== undefined) return notEqual(actual, expected);
  return {
    index: [],
    actual: 'nothing',
    expected: formatType(expected.type),
    difference: `probe ${probeId} has stored ${probed.length} values`,
    failing: 1,
    elements: 1,
  };
}

export const checkRows: Rows<Name> = {
  'check.expect_eq': checkRow('check.expect_eq', ([x, y]) => notEqual(x!, y!)),
  'check.expect_eq_const': checkRow('check.expect_eq_const', ([x], op) => notEqual(x!, op.attributes.value), {
    constant: true,
  }),
  'check.expect_almost_eq': checkRow(
    'check.expect_almost_eq',
    ([x, y], op) => notAlmostEqual(x!, y!, op.attributes.tolerance),
    { floats: true },
  ),
  'check.expect_almost_eq_const': checkRow(
    'check.expect_almost_eq_const',
    ([x], op) => notAlmostEqual(x!, op.attributes.value, op.attributes.tolerance),
    { constant: true, floats: true },
  ),
  'check.expect_close': checkRow(
    'check.expect_close',
    ([x, y], op) => notClose(x!, y!, op.attributes.minUlpDifference, op.attributes.maxUlpDifference),
    { floats: true },
  ),
  'check.expect_serialized_eq': checkRow('check.expect_serialized_eq', ([x], op, context) =>
    notProbed(x!, op.attributes, context),
  ),
  'check.eq': checkRow('check.eq', ([x, y]) => agree(x!, y!)),
};
