// Ops of the StableHLO test suite and of its reference interpreter.
import type { Literal } from '../../literal.ts';
import { sameType } from '../../types.ts';
import { type Codec, elements, float, integer, listOf, string, symbolName, wrong } from '../codecs.ts';
import { clauses, operands, short, trailing } from '../form.ts';
import { given, type OpTexts, optional, unless, withResultTypes } from '../op-text.ts';
import { operandsOnly, type Signature, same } from '../signature.ts';

const tolerance = unless('tolerance', 'tolerance', float('f64'), 1e-4);
/** The largest 64-bit number means no limit; it is read as the nearest JavaScript number. */
const ulps: Codec<number> = {
  ...integer('ui64'),
  read: (node, source) => (node.kind === 'integer' ? Number(node.digits) : wrong(node, source, 'an integer')),
  write: count => `${ulpText(count)} : ui64`,
  bare: ulpText,
};
function ulpText(count: number): string {
  return String(BigInt.asUintN(64, count >= 2 ** 64 ? -1n : BigInt(count)));
}
const value = given('value', 'value', elements);

/** The text has one type: the operand has the type of the value. */
const ofValue: Signature = {
  read(reader, draft) {
    const node = draft.attributes.get('value');
    if (node?.kind !== 'elements') return reader.refuse(draft.at, "elements: 'dense<…> : type'", 'none');
    reader.checkTypes(draft.at, draft.operands, [node.value.type]);
  },
  write(op) {
    const { value: expected } = op.attributes as { readonly value: Literal };
    return op.operands.length === 1 && sameType(op.operands[0].type, expected.type) ? '' : undefined;
  },
};

type Names =
  | 'check.expect_eq'
  | 'check.expect_eq_const'
  | 'check.expect_almost_eq'
  | 'check.expect_almost_eq_const'
  | 'check.expect_close'
  | 'check.expect_serialized_eq'
  | 'check.eq'
  | 'interpreter.run_parallel'
  | 'interpreter.probe'
  | 'interpreter.print';

export const checkTexts: OpTexts<Names> = {
  'check.expect_eq': { parts: [], form: short([operands], operandsOnly(true)) },
  'check.expect_eq_const': { parts: [value], form: short([operands, trailing('value')], ofValue) },
  'check.expect_almost_eq': {
    parts: [tolerance],
    form: short([operands, clauses({ tolerance: 'tolerance' })], operandsOnly(true)),
  },
  'check.expect_almost_eq_const': {
    parts: [tolerance, value],
    form: short([operands, trailing('value'), clauses({ tolerance: 'tolerance' })], ofValue),
  },
  'check.expect_close': {
    parts: [
      given('max_ulp_difference', 'maxUlpDifference', ulps, 1),
      unless('min_ulp_difference', 'minUlpDifference', ulps, 0),
    ],
    form: short(
      [operands, clauses({ max_ulp_difference: 'max_ulp_difference', min_ulp_difference: 'min_ulp_difference' })],
      operandsOnly(false),
    ),
  },
  'check.expect_serialized_eq': {
    parts: [optional('iteration', 'iteration', integer('ui32')), given('probe_id', 'probeId', string)],
    form: short([operands, clauses({ probe_id: 'probe_id', iter: 'iteration' })], operandsOnly(true)),
  },
  'check.eq': { parts: [] },
  'interpreter.run_parallel': {
    parts: [
      optional('infeed', 'infeed', listOf(symbolName, 'a list of symbols')),
      given('programs', 'programs', listOf(listOf(symbolName, 'a list of symbols'), 'lists of symbols')),
    ],
    derive: withResultTypes,
  },
  'interpreter.probe': {
    parts: [given('probe_id', 'probeId', string)],
    form: short([operands, clauses({ probe_id: 'probe_id' })], same),
  },
  'interpreter.print': { parts: [], form: short([operands], operandsOnly(true)) },
};
