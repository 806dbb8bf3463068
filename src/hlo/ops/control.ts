// Rows of control flow, calls and structure. Their own cost is zero: the work is in their regions and callees, which
// cost.ts adds up.
import { TrenioError } from '../../base/errors.ts';
import type { Literal } from '../literal.ts';
import { check, type Rows, tensors } from '../op-row.ts';
import { type Region, tensorTypeOf } from '../program.ts';
import type { RuntimeValue } from '../steps.ts';
import { formatType, sameType, type TensorType, type TupleType, type Type, tensorType } from '../types.ts';
import { leastSpecificType } from './bounds.ts';
import { evaluateCustomCheck } from './check.ts';
import { noCost, streaming } from './costs.ts';
import { verifyCustomCall } from './custom-call-checks.ts';
import {
  evaluateFactorization,
  factorizationFlops,
  factorizationOf,
  matrixOf,
} from './factorizations/factorization.ts';
import { adviceOn, appliedBy, decomposeCall, isKnownCall } from './known-calls.ts';
import { evaluatePagedAttention, isPagedAttention, pagedAttentionFlops } from './paged-attention.ts';
import { evaluateRandomBits } from './random-bits-call.ts';
import { evaluateAssertion } from './shape-assertion.ts';
import { allCompatible, type Checker, checkerOf, checkRegion, isPerAxis } from './shape-checks.ts';

const whileChecks: Checker = checkerOf('while');
const ifChecks: Checker = checkerOf('if');
const caseChecks: Checker = checkerOf('case');
const barrierChecks: Checker = checkerOf('optimization_barrier');
const elementChecks: Checker = checkerOf('get_tuple_element');

const show = (types: readonly Type[]): string => `(${types.map(formatType).join(', ')})`;

/** Control flow carries tensors and tokens. */
function requireValues(require: Checker, constraint: number | string, types: readonly Type[]): void {
  require(types.every(t => t.kind === 'tensor' || t.kind === 'token'), constraint, () =>
    `expected tensors and tokens, got ${show(types)}`);
}
/** The result types of branches: compatible with all of them, and as specific as possible. */
function branchTypes(require: Checker, constraint: number, regions: readonly Region[]): readonly Type[] {
  const branches = regions.map(r => r.results.map(v => v.type));
  const first = branches[0]!;
  require(branches.every(types => allCompatible(types, first)), constraint, () =>
    `branches must return the same types, got ${branches.map(show).join(', ')}`);
  requireValues(require, constraint, first);
  return first.map((type, i) =>
    type.kind === 'tensor'
      ? leastSpecificType(
          require,
          constraint,
          branches.map(types => types[i] as TensorType),
        )
      : type,
  );
}

/** The one entry of a scalar: a predicate or an index. */
const firstEntry = ([value]: readonly RuntimeValue[]): number => Number((value as Literal).data[0]);

export const controlRows: Rows<
  'while' | 'if' | 'case' | 'func.call' | 'custom_call' | 'tuple' | 'get_tuple_element' | 'optimization_barrier'
> = {
  while: {
    name: 'while',
    kind: 'control',
    pure: true,
    controlFlow: 'loop',
    regionRuns: (_op, iterations) => [iterations + 1, iterations],
    infer(operands, _attributes, regions) {
      requireValues(whileChecks, 'i1', operands);
      checkRegion(whileChecks, 1, regions[0], operands, [tensorType('i1')]);
      checkRegion(whileChecks, 2, regions[1], operands, operands);
      return operands;
    },
    *execute(op, operands, process) {
      const [cond, body] = op.regions;
      let values = operands;
      while (firstEntry(yield* process.execute(cond, values)) !== 0) {
        process.countStep();
        values = yield* process.execute(body, values);
      }
      return values;
    },
    cost: () => noCost,
  },
  if: {
    name: 'if',
    kind: 'control',
    pure: true,
    controlFlow: 'branches',
    regionRuns: () => 'one',
    infer(operands, _attributes, regions) {
      const [predicate] = tensors('if', operands);
      ifChecks(
        sameType(predicate, tensorType('i1')),
        'i1',
        () => `the predicate must be tensor<i1>, got ${formatType(predicate)}`,
      );
      ifChecks(
        regions.every(r => r.args.length === 0),
        1,
        () => 'branches take no arguments',
      );
      return branchTypes(ifChecks, 2, regions);
    },
    execute: (op, operands, process) => process.execute(firstEntry(operands) === 0 ? op.regions[1] : op.regions[0], []),
    cost: () => noCost,
  },
  case: {
    name: 'case',
    kind: 'control',
    pure: true,
    controlFlow: 'branches',
    regionRuns: () => 'one',
    infer(operands, _attributes, regions) {
      const [index] = tensors('case', operands);
      caseChecks(
        sameType(index, tensorType('i32')),
        'i1',
        () => `the index must be tensor<i32>, got ${formatType(index)}`,
      );
      caseChecks(
        regions.every(r => r.args.length === 0),
        2,
        () => 'branches take no arguments',
      );
      return branchTypes(caseChecks, 3, regions);
    },
    execute(op, operands, process) {
      // An index out of range takes the last branch.
      const at = firstEntry(operands);
      return process.execute(op.regions[at >= 0 && at < op.regions.length ? at : op.regions.length - 1]!, []);
    },
    cost: () => noCost,
  },
  'func.call': {
    name: 'func.call',
    kind: 'control',
    pure: false,
    removable: true,
    callee: op => ({ name: op.attributes.callee, exact: false }),
    infer: (_operands, { resultTypes }) => resultTypes,
    execute: (op, operands, process) => process.call(op.attributes.callee, operands),
    cost: () => noCost,
  },
  custom_call: {
    name: 'custom_call',
    kind: 'opaque',
    pure: op => !op.attributes.hasSideEffect,
    infer: (_operands, { resultTypes }) => resultTypes,
    applies: appliedBy,
    verify: verifyCustomCall,
    evaluate(op, operands, context): readonly Literal[] | undefined {
      const { callTargetName } = op.attributes;
      const results =
        context.customCall(op, operands) ??
        evaluateFactorization(op, operands) ??
        evaluatePagedAttention(op, operands) ??
        evaluateCustomCheck(op, operands) ??
        evaluateAssertion(op, operands) ??
        evaluateRandomBits(op, operands);
      if (results !== undefined || isKnownCall(op)) return results;
      throw new TrenioError('UNSUPPORTED', {
        what: `custom_call @${callTargetName}`,
        where: 'the interpreter',
        instead: adviceOn(op) ?? 'implement it in the option customCalls',
      });
    },
    decompose: decomposeCall,
    cost(op) {
      if (isPagedAttention(op)) return streaming(op, pagedAttentionFlops(op));
      const name = factorizationOf(op);
      const flops = name === undefined ? 0 : factorizationFlops(name, tensorTypeOf(matrixOf(op.operands)));
      return streaming(op, flops);
    },
  },
  tuple: {
    name: 'tuple',
    kind: 'control',
    pure: true,
    infer: operands => [{ kind: 'tuple', elements: operands }],
    execute: (_op, operands) => [operands],
    cost: () => noCost,
  },
  get_tuple_element: {
    name: 'get_tuple_element',
    kind: 'control',
    pure: true,
    infer(operands, { index }) {
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
    },
    execute: (op, [tuple]) => [(tuple as readonly RuntimeValue[])[op.attributes.index]!],
    cost: () => noCost,
  },
  optimization_barrier: {
    name: 'optimization_barrier',
    kind: 'control',
    // Barriers must not be merged, because then the ops behind them could be merged.
    pure: false,
    removable: true,
    infer(operands) {
      requireValues(barrierChecks, 'i1', operands);
      barrierChecks(
        !operands.some(t => t.kind === 'tensor' && isPerAxis(t)),
        'per_axis',
        () => `per-axis quantized tensors are not supported, got ${show(operands)}`,
      );
      return operands;
    },
    verify({ operands, results }) {
      barrierChecks(
        operands.every((v, i) => sameType(v.type, results[i]!.type)),
        1,
        () => `returns its operands, ${show(operands.map(v => v.type))}`,
      );
    },
    execute: (_op, operands) => operands,
    cost: () => noCost,
  },
};
