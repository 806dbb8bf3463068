// Rows of the unary and binary elementwise ops, generated from the table of scalar functions.
import { type BinaryName, binaryNames, type ResultAccuracy, type UnaryName, unaryNames } from '../attributes.ts';
import { type OpRow, type Rows, tensors } from '../op-row.ts';
import type { Type } from '../types.ts';
import { applyBinary, applyUnary } from './apply.ts';
import { partType } from './complex.ts';
import { countOf, streaming } from './costs.ts';
import { checkAccuracy, checkOperands, inferSum, sameTypes, verifySum } from './elementwise-checks.ts';
import { binaryFunctions, unaryFunctions } from './scalar-functions.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

function unaryRow<N extends UnaryName>(name: N): OpRow<N> {
  const functions = unaryFunctions[name];
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'elementwise',
    pure: true,
    infer(operands: readonly Type[], attributes: { readonly resultAccuracy?: ResultAccuracy }) {
      const types = tensors(name, operands);
      checkOperands(require, name, types);
      checkAccuracy(require, attributes.resultAccuracy);
      return types;
    },
    evaluate: (_op, [x]) => [applyUnary(name, x)],
    cost(op) {
      const count = countOf(op.results[0].type);
      return functions.transcendental ? streaming(op, 0, count) : streaming(op, count);
    },
  };
}

function binaryRow<N extends BinaryName>(name: N): OpRow<N> {
  const functions = binaryFunctions[name];
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'elementwise',
    pure: true,
    infer(operands: readonly Type[]) {
      const types = tensors(name, operands);
      checkOperands(require, name, types);
      return [sameTypes(require, 1, types)];
    },
    evaluate: (_op, [x, y]) => [applyBinary(name, x, y)],
    cost(op) {
      const count = countOf(op.results[0].type);
      return functions.transcendental ? streaming(op, 0, count) : streaming(op, count);
    },
  };
}

const absChecks: Checker = checkerOf('abs');
const absRow: OpRow<'abs'> = {
  ...unaryRow('abs'),
  /** The modulus of complex numbers is real. */
  infer(operands) {
    const types = tensors('abs', operands);
    checkOperands(absChecks, 'abs', types);
    return types.map(x => ({ ...x, elementType: partType(x.elementType) }));
  },
};
const addChecks: Checker = checkerOf('add');
const addRow: OpRow<'add'> = {
  ...binaryRow('add'),
  stated: 'elements',
  infer(operands) {
    const types = tensors('add', operands, { perAxis: true });
    checkOperands(addChecks, 'add', types);
    return [inferSum(types[0]!, types[1]!)];
  },
  verify: verifySum,
};

export const elementwiseRows = {
  ...Object.fromEntries(unaryNames.map(name => [name, unaryRow(name)])),
  ...Object.fromEntries(binaryNames.map(name => [name, binaryRow(name)])),
  abs: absRow,
  add: addRow,
} as unknown as Rows<UnaryName | BinaryName>;
