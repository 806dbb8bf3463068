// Rows of ops that newer ones replaced: each is decomposed into the newer ones.
import type { DotDimensionNumbers } from '../attributes.ts';
import { type Rows, tensors } from '../op-row.ts';
import { shapeOf } from '../program.ts';
import { formatType, type TensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { countOf, moving, streaming } from './costs.ts';
import { einsumRows } from './einsum.ts';
import { anyElement, checkElements } from './operand-checks.ts';
import { rngRows } from './rng.ts';
import { type Checker, checkerOf, dimsAgree, list, withShape } from './shape-checks.ts';

const broadcastChecks: Checker = checkerOf('broadcast');
const dotChecks: Checker = checkerOf('dot');
const selectChecks: Checker = checkerOf('torch_index_select');

/** A product of vectors or matrices: the last dim of the left with the first of the right side. */
const dotDimensions = (lhsRank: number): DotDimensionNumbers => ({
  lhsBatchingDimensions: [],
  rhsBatchingDimensions: [],
  lhsContractingDimensions: [lhsRank - 1],
  rhsContractingDimensions: [0],
});

/** Negative dims count from the end. */
const fromEnd = (dim: number, rank: number): number => (dim < 0 ? dim + rank : dim);

export const legacyRows: Rows<'broadcast' | 'dot' | 'einsum' | 'unary_einsum' | 'torch_index_select' | 'rng'> = {
  ...einsumRows,
  ...rngRows,
  broadcast: {
    name: 'broadcast',
    kind: 'view',
    pure: true,
    infer(operands, { broadcastSizes }) {
      const [x] = tensors('broadcast', operands);
      broadcastChecks(
        broadcastSizes.every(size => Number.isInteger(size) && size >= 0),
        'sizes',
        () => `sizes must not be negative, got ${list(broadcastSizes)}`,
      );
      const bounds = x.bounds && [...broadcastSizes.map(() => undefined), ...x.bounds];
      return [boundedType(x, [...broadcastSizes, ...x.shape], bounds)];
    },
    decompose(b, op, [x]) {
      const { broadcastSizes } = op.attributes;
      const shape = shapeOf(x);
      const to = shape.map((_, d) => broadcastSizes.length + d);
      return [b.broadcastInDim(x, to, [...broadcastSizes, ...shape])];
    },
    cost: op => ({ ...moving(op), bytesRead: moving({ ...op, results: op.operands }).bytesRead }),
  },
  dot: {
    name: 'dot',
    kind: 'contraction',
    pure: true,
    stated: 'elements',
    infer(operands, { precision, elementType }) {
      const [lhs, rhs] = tensors('dot', operands, { perAxis: true });
      const what = (): string => `${formatType(lhs)} · ${formatType(rhs)}`;
      checkElements(dotChecks, 'lhs', [lhs], anyElement);
      checkElements(dotChecks, 'rhs', [rhs], [...anyElement, 'per-axis quantized']);
      dotChecks(precision.length <= 2, 'precision', () => `at most two precisions, got ${precision.length}`);
      const isMatrix = ({ shape }: TensorType): boolean => shape.length === 1 || shape.length === 2;
      dotChecks(isMatrix(lhs) && isMatrix(rhs), 'ranks', () => `${what()}: takes vectors and matrices`);
      dotChecks(dimsAgree(lhs.shape.at(-1)!, rhs.shape[0]!), 'contracting', () => `${what()}: sizes do not match`);
      const shape = [...lhs.shape.slice(0, -1), ...rhs.shape.slice(1)];
      const bounds = [
        ...(lhs.bounds ?? lhs.shape.map(() => undefined)).slice(0, -1),
        ...(rhs.bounds ?? rhs.shape.map(() => undefined)).slice(1),
      ];
      return [{ ...boundedType(lhs, shape, bounds), elementType: elementType ?? lhs.elementType }];
    },
    decompose(b, op, [lhs, rhs]) {
      const { precision, elementType } = op.attributes;
      const result = elementType === undefined ? {} : { elementType };
      return [b.emit1('dot_general', [lhs, rhs], { ...dotDimensions(shapeOf(lhs).length), precision, ...result })];
    },
    cost(op) {
      const terms = (op.operands[0].type as TensorType).shape.at(-1)!;
      return streaming(op, 2 * countOf(op.results[0].type) * Math.abs(terms));
    },
  },
  torch_index_select: {
    name: 'torch_index_select',
    kind: 'movement',
    pure: true,
    infer(operands, attributes) {
      const [x, index] = tensors('torch_index_select', operands);
      const [rank, indexRank] = [x.shape.length, index.shape.length];
      const dim = fromEnd(attributes.dim, rank);
      const batchDims = fromEnd(attributes.batchDims, indexRank);
      const what = (): string => `dim ${attributes.dim} of ${formatType(x)} at ${formatType(index)}`;
      checkElements(selectChecks, 'operand', [x], anyElement);
      checkElements(selectChecks, 'index', [index], ['signed', 'unsigned']);
      selectChecks(dim >= 0 && dim < rank, 'dim', () => `${what()}: there is no such dim`);
      selectChecks(
        batchDims >= 0 && batchDims <= dim && batchDims <= indexRank,
        'batch_dims',
        () => `${what()}: ${attributes.batchDims} batch dims do not come before it`,
      );
      const batch = x.shape.slice(0, batchDims);
      selectChecks(
        batch.every((size, d) => dimsAgree(size, index.shape[d]!)),
        'batch_dims',
        () => `${what()}: sizes of batch dims differ`,
      );
      return [withShape(x, [...x.shape.slice(0, dim), ...index.shape.slice(batchDims), ...x.shape.slice(dim + 1)])];
    },
    decompose(b, op, [x, index]) {
      const [shape, indexRank] = [shapeOf(x), shapeOf(index).length];
      const dim = fromEnd(op.attributes.dim, shape.length);
      const batchDims = fromEnd(op.attributes.batchDims, indexRank);
      const batch = Array.from({ length: batchDims }, (_, d) => d);
      const between = shape.flatMap((_, d) => (d >= batchDims && d < dim ? [d] : []));
      const after = shape.flatMap((_, d) => (d > dim ? [d - 1 + indexRank - batchDims] : []));
      const numbers = {
        offsetDims: [...between, ...after],
        collapsedSliceDims: [dim],
        operandBatchingDims: batch,
        startIndicesBatchingDims: batch,
        startIndexMap: [dim],
        indexVectorDim: indexRank,
      };
      const sizes = shape.map((size, d) => (d === dim || d < batchDims ? Math.min(size, 1) : size));
      return sizes.some(size => size < 0) ? undefined : [b.gather(x, index, numbers, sizes)];
    },
    cost: op => moving(op, op.operands.slice(1)),
  },
};
