// Rows of uniform_quantize and uniform_dequantize: between real numbers and their stored integers.
import { type Rows, tensors } from '../op-row.ts';
import { formatType } from '../types.ts';
import { countOf, streaming } from './costs.ts';
import { baselineElement, checkElements } from './operand-checks.ts';
import { dequantizeLiteral, expressedType, quantizeLiteral } from './quantized-data.ts';
import { type Checker, checkerOf, mergeShapes, shapesAgree } from './shape-checks.ts';

const quantizeChecks: Checker = checkerOf('uniform_quantize');
const dequantizeChecks: Checker = checkerOf('uniform_dequantize');

export const quantizedRows: Rows<'uniform_quantize' | 'uniform_dequantize'> = {
  uniform_quantize: {
    name: 'uniform_quantize',
    kind: 'elementwise',
    pure: true,
    infer(operands, { type }) {
      const [x] = tensors('uniform_quantize', operands, { perAxis: true });
      const what = (): string => `${formatType(x)} to ${formatType(type)}`;
      checkElements(quantizeChecks, 'operand', [x], ['float', 'quantized', 'per-axis quantized']);
      checkElements(quantizeChecks, 'result', [type], ['quantized', 'per-axis quantized']);
      quantizeChecks(shapesAgree(x.shape, type.shape), 1, () => `${what()}: shapes differ`);
      quantizeChecks(baselineElement(x) === baselineElement(type), 2, () => `${what()}: expressed types differ`);
      return [{ ...type, shape: mergeShapes([type.shape, x.shape]) }];
    },
    evaluate: (op, [x]) => [quantizeLiteral(x, op.attributes.type)],
    cost: op => streaming(op, 4 * countOf(op.results[0].type)),
  },
  uniform_dequantize: {
    name: 'uniform_dequantize',
    kind: 'elementwise',
    pure: true,
    infer(operands) {
      const [x] = tensors('uniform_dequantize', operands, { perAxis: true });
      checkElements(dequantizeChecks, 'operand', [x], ['quantized', 'per-axis quantized']);
      return [expressedType(x)];
    },
    evaluate: (_op, [x]) => [dequantizeLiteral(x)],
    cost: op => streaming(op, 2 * countOf(op.results[0].type)),
  },
};
