// Rows of cholesky and triangular_solve, on batches of matrices: the last two dims are rows and columns.
import { type Rows, tensors } from '../op-row.ts';
import { formatType, type TensorType, tensorType } from '../types.ts';
import { cholesky, decomposeCholesky } from './cholesky.ts';
import { countOf, streaming } from './costs.ts';
import { baselineElement, checkElements, type ElementKind } from './operand-checks.ts';
import { type Checker, checkerOf, dimsAgree, mergeShapes, shapesAgree } from './shape-checks.ts';
import { decomposeSolve, solveTriangular } from './triangular-solve.ts';

const choleskyChecks: Checker = checkerOf('cholesky');
const solveChecks: Checker = checkerOf('triangular_solve');
const elements: readonly ElementKind[] = ['float', 'complex', 'quantized'];

export const linearAlgebraRows: Rows<'cholesky' | 'triangular_solve'> = {
  cholesky: {
    name: 'cholesky',
    kind: 'opaque',
    pure: true,
    infer(operands) {
      const [a] = tensors('cholesky', operands);
      checkElements(choleskyChecks, 'element_type', [a], elements);
      choleskyChecks(a.shape.length >= 2, 2, () => `takes matrices, got ${formatType(a)}`);
      choleskyChecks(
        dimsAgree(a.shape.at(-2)!, a.shape.at(-1)!),
        3,
        () => `takes square matrices, got ${formatType(a)}`,
      );
      return [a];
    },
    evaluate: (op, [a]) => [cholesky(a, op.attributes.lower)],
    decompose: (b, op, [a]) => decomposeCholesky(b, a, op.attributes.lower),
    cost(op) {
      const [a] = op.operands;
      const size = Math.abs((a.type as TensorType).shape.at(-1)!);
      return streaming(op, (countOf(a.type) * size) / 3, countOf(a.type) / Math.max(size, 1));
    },
  },
  triangular_solve: {
    name: 'triangular_solve',
    kind: 'opaque',
    pure: true,
    infer(operands, { leftSide }) {
      const [a, b] = tensors('triangular_solve', operands);
      const what = (): string => `${formatType(a)} and ${formatType(b)}`;
      checkElements(solveChecks, 'element_type', [a, b], elements);
      solveChecks(baselineElement(a) === baselineElement(b), 1, () => `${what()}: element types differ`);
      solveChecks(
        a.shape.length >= 2 && a.shape.length === b.shape.length,
        2,
        () => `${what()}: both must be matrices, or batches of one rank`,
      );
      const shared = b.shape.at(leftSide ? -2 : -1)!;
      solveChecks(
        dimsAgree(a.shape.at(-2)!, a.shape.at(-1)!) && dimsAgree(a.shape.at(-1)!, shared),
        3,
        () => `${what()}: a must be square, with as many rows as b has ${leftSide ? 'rows' : 'columns'}`,
      );
      const [aBatch, bBatch] = [a.shape.slice(0, -2), b.shape.slice(0, -2)];
      solveChecks(shapesAgree(aBatch, bBatch), 3, () => `${what()}: batch dims differ`);
      return [{ ...b, shape: [...(aBatch.length === 0 ? [] : mergeShapes([bBatch, aBatch])), ...b.shape.slice(-2)] }];
    },
    evaluate: (op, [a, b]) => [solveTriangular(a, b, op.attributes)],
    decompose: (builder, op, [a, b]) => decomposeSolve(builder, a, b, op.attributes),
    cost(op) {
      const size = Math.abs((op.operands[0].type as TensorType).shape.at(-1)!);
      return streaming(op, countOf(op.results[0].type) * countOf(tensorType('f32', [size])));
    },
  },
};
