// Rows of control flow, calls and structure. Their own cost is nothing: the work is in their regions and callees, which
// cost.ts adds up. None is marked pure, since what they do depends on what they hold: ask `isPure(op)` in walk.ts.
import { TrenioError } from '../../base/errors.ts';
import type { Literal } from '../literal.ts';
import { check, type OpRow, type Rows, tensors } from '../op-row.ts';
import { formatType, sameType, type TupleType, type Type, tensorType } from '../types.ts';
import { noCost, streaming } from './costs.ts';
import { type Checker, checkerOf, checkRegion } from './shape-checks.ts';

const whileChecks: Checker = checkerOf('while');
const ifChecks: Checker = checkerOf('if');
const caseChecks: Checker = checkerOf('case');
const elementChecks: Checker = checkerOf('get_tuple_element');

const show = (types: readonly Type[]): string => `(${types.map(formatType).join(', ')})`;
const sameTypes = (a: readonly Type[], b: readonly Type[]): boolean =>
  a.length === b.length && a.every((t, i) => sameType(t, b[i]!));

/** Tuples and tokens are no literals: the interpreter itself passes them on, and never asks the row. */
function structural<N extends 'tuple' | 'get_tuple_element'>(name: N, infer: OpRow<N>['infer']): OpRow<N> {
  return {
    name,
    kind: 'control',
    pure: true,
    infer,
    evaluate() {
      throw new TrenioError('UNSUPPORTED', {
        what: name,
        where: 'the evaluation of a single op',
        instead: 'evaluate the module with the interpreter',
      });
    },
    cost: () => noCost,
  };
}

export const controlRows: Rows<
  'while' | 'if' | 'case' | 'func.call' | 'custom_call' | 'tuple' | 'get_tuple_element' | 'optimization_barrier'
> = {
  while: {
    name: 'while',
    kind: 'control',
    pure: false,
    infer(operands, _attributes, regions) {
      check(
        regions.length === 2,
        'while',
        'trenio_while_regions',
        () => `takes two regions, cond and body, got ${regions.length}`,
      );
      checkRegion(whileChecks, 1, regions[0], operands, [tensorType('i1')]);
      checkRegion(whileChecks, 2, regions[1], operands, operands);
      return operands;
    },
    evaluate(op, operands, context) {
      const [cond, body] = op.regions;
      let values = operands;
      while (context.region(cond!, values)[0]!.data[0]) {
        context.step?.(op);
        values = context.region(body!, values);
      }
      return values;
    },
    cost: () => noCost,
  },
  if: {
    name: 'if',
    kind: 'control',
    pure: false,
    infer(operands, _attributes, regions) {
      const [predicate] = tensors('if', operands, 1);
      check(
        sameType(predicate!, tensorType('i1')),
        'if',
        'trenio_if_predicate',
        () => `the predicate must be tensor<i1>, got ${formatType(predicate!)}`,
      );
      check(regions.length === 2, 'if', 'trenio_if_regions', () => `takes two regions, got ${regions.length}`);
      ifChecks(
        regions.every(r => r.args.length === 0),
        1,
        () => 'branches take no arguments',
      );
      const [onTrue, onFalse] = regions.map(r => r.results.map(v => v.type));
      ifChecks(
        sameTypes(onTrue!, onFalse!),
        2,
        () => `branches must give the same types, got ${show(onTrue!)} and ${show(onFalse!)}`,
      );
      return onTrue!;
    },
    evaluate: (op, [predicate], context) => context.region(op.regions[predicate!.data[0] ? 0 : 1]!, []),
    cost: () => noCost,
  },
  case: {
    name: 'case',
    kind: 'control',
    pure: false,
    infer(operands, _attributes, regions) {
      const [index] = tensors('case', operands, 1);
      check(
        sameType(index!, tensorType('i32')),
        'case',
        'trenio_case_index',
        () => `the index must be tensor<i32>, got ${formatType(index!)}`,
      );
      caseChecks(regions.length > 0, 1, () => 'at least one branch is needed');
      caseChecks(
        regions.every(r => r.args.length === 0),
        2,
        () => 'branches take no arguments',
      );
      const types = regions.map(r => r.results.map(v => v.type));
      caseChecks(
        types.every(t => sameTypes(t, types[0]!)),
        3,
        () => `branches must give the same types, got ${types.map(show).join(', ')}`,
      );
      return types[0]!;
    },
    evaluate(op, [index], context) {
      // An index out of range takes the last branch.
      const at = Number(index!.data[0]);
      return context.region(op.regions[at >= 0 && at < op.regions.length ? at : op.regions.length - 1]!, []);
    },
    cost: () => noCost,
  },
  'func.call': {
    name: 'func.call',
    kind: 'control',
    pure: false,
    infer: (_operands, { resultTypes }) => resultTypes,
    evaluate: (op, operands, context) => context.call(op.attributes.callee, operands),
    cost: () => noCost,
  },
  custom_call: {
    name: 'custom_call',
    kind: 'opaque',
    pure: false,
    infer: (_operands, { resultTypes }) => resultTypes,
    evaluate(op, operands, context): readonly Literal[] {
      const { callTargetName } = op.attributes;
      const results = context.customCall?.(op, operands);
      if (results !== undefined) return results;
      throw new TrenioError('UNSUPPORTED', {
        what: `custom_call @${callTargetName}`,
        where: 'the interpreter',
        instead: 'give its meaning in the option customCalls',
      });
    },
    cost: op => streaming(op),
  },
  tuple: structural('tuple', operands => [{ kind: 'tuple', elements: operands }]),
  get_tuple_element: structural('get_tuple_element', (operands, { index }) => {
    const [tuple] = operands;
    check(
      tuple?.kind === 'tuple',
      'get_tuple_element',
      'trenio_get_tuple_element_operand',
      () => `takes a tuple, got ${show(operands)}`,
    );
    const { elements } = tuple as TupleType;
    elementChecks(
      index >= 0 && index < elements.length,
      1,
      () => `there is no element ${index} in ${formatType(tuple)}`,
    );
    return [elements[index]!];
  }),
  optimization_barrier: {
    name: 'optimization_barrier',
    kind: 'control',
    // Two barriers are two: merging them would let the work behind them be merged.
    pure: false,
    infer: operands => operands,
    evaluate: (_op, operands) => operands,
    cost: () => noCost,
  },
};
