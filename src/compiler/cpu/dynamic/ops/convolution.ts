// convolution and dynamic_conv: the direct algorithm, planned and printed as for known sizes.
import { elementAt } from '../../../../base/element-at.ts';
import type { Op } from '../../../../hlo/program.ts';
import { planDirectConvolution } from '../../kernels/sized-op-plan.ts';
import type { KnownSizes, Size } from '../sizes.ts';
import type { Step } from '../step.ts';

type Padding = readonly (readonly [low: number | string, high: number | string])[];

/** A convolution whose padding is an operand: low and high of each spatial dim. */
export function dynamicConvolution(step: Step, op: Op<'dynamic_conv'>): void {
  const [, , amounts] = op.operands;
  const dims = op.attributes.dimensionNumbers.inputSpatialDimensions;
  const amount = (i: number): number | string => step.integerOf(amounts, i);
  convolution(
    step,
    op,
    dims.map((_, s) => [amount(2 * s), amount(2 * s + 1)]),
  );
}

export function convolution(step: Step, op: Op<'convolution' | 'dynamic_conv'>, padding: Padding): void {
  const a = op.attributes;
  const n = a.dimensionNumbers;
  const [from, kernel]: readonly [KnownSizes, KnownSizes] = [
    step.known(step.sizes(op.operands[0])),
    step.known(step.sizes(op.operands[1])),
  ];
  const inputs = elementAt(kernel, n.kernelInputFeatureDimension);
  const outputs = elementAt(kernel, n.kernelOutputFeatureDimension);
  const features = elementAt(from, n.inputFeatureDimension);
  const batch = elementAt(from, n.inputBatchDimension);
  step.agreed(features, step.times(inputs, a.featureGroupCount), n.inputFeatureDimension);
  const divisible = (size: number | string, by: number, dim: number): void => {
    if (by > 1 && typeof size === 'string') step.check(`${size} % ${by} == 0`, 'sizes', dim, size, by);
  };
  divisible(batch, a.batchGroupCount, n.inputBatchDimension);
  divisible(outputs, Math.max(a.featureGroupCount, a.batchGroupCount), n.kernelOutputFeatureDimension);

  const sizes: Size[] = from.map(() => 0);
  sizes[n.outputBatchDimension] =
    a.batchGroupCount === 1
      ? batch
      : typeof batch === 'number'
        ? batch / a.batchGroupCount
        : step.bind('int64_t', `${batch} / ${a.batchGroupCount}`);
  sizes[n.outputFeatureDimension] = outputs;
  n.outputSpatialDimensions.forEach((to, s) => {
    const numbers = [
      elementAt(from, elementAt(n.inputSpatialDimensions, s)),
      elementAt(kernel, elementAt(n.kernelSpatialDimensions, s)),
      elementAt(a.windowStrides, s),
      ...elementAt(padding, s),
      elementAt(a.lhsDilation, s),
      elementAt(a.rhsDilation, s),
    ];
    sizes[to] = step.bind('int64_t', `t_windows(${numbers.join(', ')})`);
  });
  step.result(op.results[0], sizes);
  step.runOp(op, (slots, all, extent) =>
    planDirectConvolution(
      op,
      slots,
      all,
      padding.map(([low, high]) => [extent(low), extent(high)]),
    ),
  );
}
