// The row of dynamic_conv: a convolution whose padding is an operand. Its constraints are those of convolution, under the
// same numbers.
import type { OpAttributes } from '../attributes.ts';
import { type Rows, tensors } from '../op-row.ts';
import { tensorTypeOf, type Value } from '../program.ts';
import { formatType, type TensorType } from '../types.ts';
import { checkConvolutionElements, convolutionRows } from './convolution.ts';
import { countOf, streaming } from './costs.ts';
import { checkAgrees, checkElements, constantNumbers, inferAs, integers } from './operand-checks.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

type Attributes = OpAttributes['dynamic_conv'];
const require: Checker = checkerOf('dynamic_conv');

/** The attributes of the convolution with this padding: [low, high] for each dim. */
function staticAttributes(
  { type, ...attributes }: Attributes,
  padding: readonly number[],
): OpAttributes['convolution'] {
  const pairs = Array.from({ length: padding.length / 2 }, (_, i) => [padding[2 * i]!, padding[2 * i + 1]!] as const);
  return { ...attributes, elementType: type.elementType, padding: pairs };
}
/**
 * The checks that do not depend on the windows: those are checked once the padding is known, as StableHLO's own verifier
 * does.
 */
function windowless(attributes: Attributes, spatial: number): OpAttributes['convolution'] {
  const ones = new Array<number>(spatial).fill(1);
  return {
    ...staticAttributes(attributes, new Array<number>(2 * spatial).fill(0)),
    windowStrides: ones,
    lhsDilation: ones,
    rhsDilation: ones,
    windowReversal: ones.map(() => false),
  };
}
const inferConvolution = (
  types: readonly [TensorType, TensorType],
  attributes: OpAttributes['convolution'],
): TensorType =>
  inferAs('dynamic_conv', 'convolution', () =>
    convolutionRows.convolution.infer(types, attributes, []),
  )[0] as TensorType;

/** The convolution of these operands' types, if the padding is a constant of the program. */
function shownPadding(padding: Value, attributes: Attributes): OpAttributes['convolution'] | undefined {
  const numbers = constantNumbers(padding);
  return numbers && staticAttributes(attributes, numbers);
}

export const dynamicConvRows: Rows<'dynamic_conv'> = {
  dynamic_conv: {
    name: 'dynamic_conv',
    kind: 'contraction',
    pure: true,
    infer(operands, attributes) {
      const [lhs, rhs, padding] = tensors('dynamic_conv', operands, { perAxis: true }) as [
        TensorType,
        TensorType,
        TensorType,
      ];
      const { type } = attributes;
      const spatial = lhs.shape.length - 2;
      inferConvolution([lhs, rhs], windowless(attributes, Math.max(spatial, 0)));
      checkElements(require, 4, [padding], integers);
      require(padding.shape.length === 2 && padding.shape[0] === spatial && padding.shape[1] === 2, 4, () =>
        `the padding must be ${spatial} pairs, got ${formatType(padding)}`);
      require(type.shape.length === lhs.shape.length, 26, () => `${formatType(lhs)} cannot become ${formatType(type)}`);
      return [type];
    },
    verify(op) {
      const [lhs, rhs] = op.operands.map(v => v.type) as [TensorType, TensorType];
      checkConvolutionElements(require, op.attributes, lhs, rhs, op.attributes.type);
      const attributes = shownPadding(op.operands[2], op.attributes);
      if (attributes === undefined) return;
      const { shape } = inferConvolution([lhs, rhs], attributes);
      checkAgrees(require, 25, shape, op.attributes.type);
    },
    decompose(b, op, [lhs, rhs, padding]) {
      const attributes = shownPadding(padding, op.attributes);
      return attributes && [b.emit1('convolution', [lhs, rhs], attributes)];
    },
    cost(op) {
      const rhs = tensorTypeOf(op.operands[1]);
      const outputs = rhs.shape[op.attributes.dimensionNumbers.kernelOutputFeatureDimension]!;
      return streaming(op, (2 * countOf(op.results[0].type) * countOf(rhs)) / Math.max(Math.abs(outputs), 1));
    },
  },
};
