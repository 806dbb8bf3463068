// convolution and dynamic_conv, direct: 64 results along the innermost output dim are summed over the kernel's positions
// and the input features; the innermost loop is over these results.

import type { Op, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { registerType, rounded, stored } from '../../c/scalar/c-types.ts';
import { accumulatorType, addProduct, converted } from '../../c/scalar/scalar.ts';
import { nest } from '../kernel.ts';
import { linearText, type Size } from '../sizes.ts';
import { decoded, type Step } from '../step.ts';

const width = 64;

type Padding = readonly (readonly (number | string)[])[];

/** A convolution whose padding is an operand: low and high of each spatial dim. */
export function dynamicConvolution(step: Step, op: Op<'dynamic_conv'>): void {
  const [, , amounts] = op.operands;
  const dims = op.attributes.dimensionNumbers.inputSpatialDimensions;
  convolution(
    step,
    op,
    dims.map((_, s) => [0, 1].map(side => step.integerOf(amounts, 2 * s + side))),
  );
}

export function convolution(step: Step, op: Op<'convolution' | 'dynamic_conv'>, padding: Padding): void {
  const a = op.attributes;
  const n = a.dimensionNumbers;
  const [x, w] = op.operands;
  const [from, kernel] = [step.known(step.sizes(x)), step.known(step.sizes(w))];
  const spatial = n.inputSpatialDimensions.map((_, s) => s);
  const kernelSizes = n.kernelSpatialDimensions.map(d => kernel[d]!);
  const inputs = kernel[n.kernelInputFeatureDimension]!;
  const outputs = kernel[n.kernelOutputFeatureDimension]!;
  const features = step.known([from[n.inputFeatureDimension]])[0]!;
  step.agreed(features, step.times(inputs, a.featureGroupCount), n.inputFeatureDimension);

  const sizes: Size[] = from.map(() => 0);
  const batch = from[n.inputBatchDimension]!;
  if (a.batchGroupCount > 1 && typeof batch === 'string')
    step.check(`${batch} % ${a.batchGroupCount} == 0`, 'sizes', n.inputBatchDimension, batch, a.batchGroupCount);
  const quotient = (size: number | string, by: number): number | string =>
    by === 1 ? size : typeof size === 'number' ? Math.floor(size / by) : step.bind('int64_t', `${size} / ${by}`);
  sizes[n.outputBatchDimension] = quotient(batch, a.batchGroupCount);
  sizes[n.outputFeatureDimension] = outputs;
  n.outputSpatialDimensions.forEach((to, s) => {
    const [low, high] = padding[s]!;
    sizes[to] = step.bind(
      'int64_t',
      `t_windows(${from[n.inputSpatialDimensions[s]!]}, ${kernelSizes[s]}, ${a.windowStrides[s]}, ${low}, ${high}, ${a.lhsDilation[s]}, ${a.rhsDilation[s]})`,
    );
  });
  const result = op.results[0];
  const { pointer } = step.result(result, sizes);
  const known = step.known(step.sizes(result));
  const { elementType } = tensorTypeOf(result);
  const acc = accumulatorType(elementType);

  const last = known.length - 1;
  const size = known[last]!;
  const outer = known.slice(0, -1);
  const tiles =
    typeof size === 'number' ? Math.ceil(size / width) : step.bind('int64_t', `(${size} + ${width - 1}) / ${width}`);
  const perGroup = quotient(outputs, Math.max(a.featureGroupCount, a.batchGroupCount));
  const work = step.times(step.count([...kernelSizes, inputs]), width);
  step.overRows(step.count([...outer, tiles]), step.plus(work, width), (k, row) => {
    const at = decoded(k, [...outer, tiles], row);
    const start = k.let('int64_t', `${at.at(-1)} * ${width}`);
    const end = k.let('int64_t', `${size} - ${start} < ${width} ? ${size} : ${start} + ${width}`);
    const sum = k.name('p');
    k.out.line(`${acc} ${sum}[${width}];`);
    k.loop(width, j => k.out.line(`${sum}[${j}] = 0;`));
    const lastSpatial = n.outputSpatialDimensions.indexOf(last);
    nest(k, [...kernelSizes, inputs], inner => {
      const input = inner.at(-1)!;
      /** The position along spatial dim s of the input for positions of the output and of the kernel. */
      const place = (s: number, output: string): { readonly at: string; readonly inside: string } => {
        const dilation = a.lhsDilation[s]!;
        const [low] = padding[s]!;
        const position = k.let(
          'int64_t',
          `${output} * ${a.windowStrides[s]} + ${inner[s]} * ${a.rhsDilation[s]} - (${low})`,
        );
        const limit = from[n.inputSpatialDimensions[s]!]!;
        if (dilation === 1) return { at: position, inside: `${position} >= 0 && ${position} < ${limit}` };
        return {
          at: k.let('int64_t', `${position} / ${dilation}`),
          inside: `${position} >= 0 && ${position} % ${dilation} == 0 && ${position} / ${dilation} < ${limit}`,
        };
      };
      const positions = spatial.map(s =>
        s === lastSpatial ? undefined : place(s, at[n.outputSpatialDimensions[s]!]!),
      );
      const conditions = positions.flatMap(p => (p === undefined ? [] : [p.inside]));
      const body = (): void =>
        k.loop(
          end,
          o => {
            const output = (d: number): string => (d === last ? o : at[d]!);
            const feature = output(n.outputFeatureDimension);
            const grouped = (count: number, by: number | string): string =>
              count === 1 ? '0' : k.let('int64_t', `${feature} / ${perGroup} * ${by}`);
            const xAt: string[] = new Array(from.length);
            const wAt: string[] = new Array(kernel.length);
            xAt[n.inputBatchDimension] = k.let(
              'int64_t',
              `${output(n.outputBatchDimension)} + ${grouped(a.batchGroupCount, known[n.outputBatchDimension]!)}`,
            );
            xAt[n.inputFeatureDimension] = k.let('int64_t', `${input} + ${grouped(a.featureGroupCount, inputs)}`);
            wAt[n.kernelInputFeatureDimension] = input;
            wAt[n.kernelOutputFeatureDimension] = feature;
            const found = spatial.map(s => positions[s] ?? place(s, o));
            spatial.forEach(s => {
              xAt[n.inputSpatialDimensions[s]!] = found[s]!.at;
              wAt[n.kernelSpatialDimensions[s]!] = a.windowReversal[s]
                ? k.let('int64_t', `${kernelSizes[s]} - 1 - ${inner[s]}`)
                : inner[s]!;
            });
            const add = (): void => {
              const factor = (v: Value, index: readonly string[]): string =>
                k.let(acc, `(${acc})${converted(step.at(k, v, index), tensorTypeOf(v).elementType, elementType)}`);
              k.out.line(`${addProduct(`${sum}[${o} - ${start}]`, factor(x, xAt), factor(w, wAt), elementType)};`);
            };
            if (lastSpatial < 0) add();
            else k.block(`if (${found[lastSpatial]!.inside})`, add);
          },
          { from: start, simd: '' },
        );
      if (conditions.length === 0) body();
      else k.block(`if (${conditions.join(' && ')})`, body);
    });
    k.loop(
      end,
      o => {
        const text = `${sum}[${o} - ${start}]`;
        const register = registerType(elementType);
        const value = rounded(elementType, acc === register ? text : `(${register})${text}`);
        k.out.line(`${pointer}[${linearText(known, [...at.slice(0, -1), o])}] = ${stored(elementType, value)};`);
      },
      { from: start },
    );
  });
}
