// Arguments and results of functions, calls and manual computations are divided evenly: an axis that does not divide a dim is
// dropped, or replaced by the part of it that does.
//
//   tensor<2x6>, x = 4: [{"x"}, {}] ─▶ [{"x":(1)2}, {}]       dims that propagation has divided: whole axes only ─▶ [{}, {}]
import type { Value } from '../../hlo/program.ts';
import { type AxisRef, axisRefSize, type Mesh } from '../../hlo/sharding/mesh.ts';
import { type DimSharding, partsOf, type Sharding } from '../../hlo/sharding/sharding.ts';
import { partOf } from './axes.ts';
import { isStatic } from './data-flow.ts';
import { gcd } from './projection.ts';
import type { Shardings } from './shardings.ts';

export function divideBordersEvenly(shardings: Shardings): void {
  const { graph } = shardings;
  const evenly = (value: Value, sharding: Sharding): Sharding => {
    const mesh = shardings.mesh(sharding.mesh)!;
    const { type } = value;
    if (!isStatic(value) || type.kind !== 'tensor' || mesh.axes.length === 0) return sharding;
    return { ...sharding, dims: sharding.dims.map((dim, d) => evenDim(dim, type.shape[d]!, mesh)) };
  };
  const update = (values: readonly Value[]): void => {
    for (const value of values) {
      const sharding = shardings.get(value);
      if (sharding !== undefined) shardings.set(value, evenly(value, sharding));
    }
  };
  for (const { op, results, bodies } of graph.nodes())
    if (op.name === 'func.call' || op.name === 'sdy.manual_computation')
      update([...results, ...bodies.flatMap(body => body.args)]);
  for (const { body } of graph.roots) {
    for (const arg of body.args) {
      const sharding = shardings.get(arg);
      if (sharding !== undefined) shardings.set(arg, withoutOpenParts(evenly(arg, sharding)));
    }
    body.results.forEach((value, i) => {
      const sharding = shardings.result(body, i);
      if (sharding !== undefined) shardings.setResult(body, i, withoutOpenParts(evenly(value, sharding)));
    });
  }
}

function evenDim(dim: DimSharding, size: number, mesh: Mesh): DimSharding {
  if (size % partsOf(dim, mesh) === 0) return dim;
  const axes: AxisRef[] = [];
  let rest = size;
  for (const axis of dim.axes) {
    const parts = axisRefSize(mesh, axis);
    const common = gcd(parts, rest);
    if (common === 1 && parts !== 1) break;
    if (common < parts) {
      axes.push(partOf(axis.name, axis.subAxis?.preSize ?? 1, common, mesh));
      break;
    }
    axes.push(axis);
    rest /= common;
  }
  return { axes, isOpen: dim.isOpen };
}

const withoutOpenParts = (sharding: Sharding): Sharding => ({
  ...sharding,
  dims: sharding.dims.map(dim => {
    const firstPart = dim.axes.findIndex(axis => axis.subAxis !== undefined);
    return dim.isOpen && firstPart >= 0 ? { ...dim, axes: dim.axes.slice(0, firstPart) } : dim;
  }),
});
