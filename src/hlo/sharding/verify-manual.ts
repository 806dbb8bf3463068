// The constraints of `sdy.manual_computation`: a region that is written for one device along its manual axes, so its types are
// those of the parts. Rules: Shardy's ManualComputationOp.
import type { Module, Op, OpOf, Value } from '../program.ts';
import { dynamicDim, formatType, type Type, tensorType } from '../types.ts';
import { forEachOp } from '../walk.ts';
import { axisNamed, axisRefSize, type Mesh } from './mesh.ts';
import { meshOf } from './of-module.ts';
import { axesOf, type Sharding } from './sharding.ts';

type Manual = OpOf<'sdy.manual_computation'>;

/** An error message about the manual axes or the types of the region; undefined if they are valid. */
export function checkManual(op: Manual, module: Module): string | undefined {
  const { inShardings, outShardings, manualAxes } = op.attributes;
  const shardings = [...inShardings, ...outShardings];
  const meshes = shardings.map(s => meshOf(s.mesh, module)).filter(mesh => mesh !== undefined && mesh.axes.length > 0);
  const [mesh] = meshes as Mesh[];
  if (mesh === undefined)
    return manualAxes.length === 0 ? undefined : 'no sharding refers to a mesh with the manual axes';
  if (new Set(meshes.map(m => JSON.stringify(m))).size > 1) return 'its shardings are over different meshes';
  const unknown = manualAxes.find(axis => axisNamed(mesh, axis) === undefined);
  if (unknown !== undefined) return `the manual axis "${unknown}" is not one of the mesh`;
  if (new Set(manualAxes).size !== manualAxes.length) return 'a manual axis is named twice';
  const [body] = op.regions;
  return (
    checkSide('operand', inShardings, op.operands, body.args, mesh, manualAxes) ??
    checkSide('result', outShardings, op.results, body.results, mesh, manualAxes) ??
    checkBound(op, manualAxes)
  );
}

function checkSide(
  what: string,
  shardings: readonly Sharding[],
  whole: readonly Value[],
  local: readonly Value[],
  mesh: Mesh,
  manualAxes: readonly string[],
): string | undefined {
  for (const [i, sharding] of shardings.entries()) {
    for (const [d, dim] of sharding.dims.entries()) {
      const firstFree = dim.axes.findIndex(axis => !manualAxes.includes(axis.name));
      const late = dim.axes.find((axis, k) => firstFree >= 0 && k > firstFree && manualAxes.includes(axis.name));
      if (late !== undefined) {
        return `the sharding of ${what} ${i}: in dim ${d}, the manual axis "${late.name}" follows the free axis "${dim.axes[firstFree]!.name}"`;
      }
    }
    const parts = sharding.dims.map(dim =>
      dim.axes.reduce((n, axis) => (manualAxes.includes(axis.name) ? n * axisRefSize(mesh, axis) : n), 1),
    );
    const problem = checkLocalType(`${what} ${i}`, whole[i]!.type, local[i]?.type, parts);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkLocalType(
  what: string,
  whole: Type,
  local: Type | undefined,
  parts: readonly number[],
): string | undefined {
  if (whole.kind !== 'tensor' || local === undefined) return undefined;
  const uneven = whole.shape.findIndex((size, d) => size !== dynamicDim && size % parts[d]! !== 0);
  if (uneven >= 0)
    return `dim ${uneven} of ${what} has size ${whole.shape[uneven]}, which ${parts[uneven]} devices cannot share evenly`;
  const shape = whole.shape.map((size, d) => (size === dynamicDim ? size : size / parts[d]!));
  const expected = tensorType(whole.elementType, shape);
  const fits =
    local.kind === 'tensor' && local.elementType === whole.elementType && local.shape.join() === shape.join();
  return fits ? undefined : `${what} is ${formatType(expected)} on each device, the region has ${formatType(local)}`;
}

/** Inside the region, other ops must not shard along an axis that is manual there. */
function checkBound(op: Manual, manualAxes: readonly string[]): string | undefined {
  let found: string | undefined;
  forEachOp(op.regions[0], inner => {
    found ??= usesOf(inner).find(axis => manualAxes.includes(axis));
  });
  return found === undefined
    ? undefined
    : `an op within it is divided along the axis "${found}", which is manual there`;
}

function usesOf(op: Op): readonly string[] {
  const names = (shardings: readonly Sharding[]): readonly string[] =>
    shardings.flatMap(s => axesOf(s).map(a => a.name));
  if (op.name === 'sdy.sharding_constraint' || op.name === 'sdy.reshard') return names([op.attributes.sharding]);
  if (op.name === 'sdy.manual_computation') {
    const { inShardings, outShardings, manualAxes } = op.attributes;
    return [...manualAxes, ...names([...inShardings, ...outShardings])];
  }
  return names(op.sharding?.named ?? []);
}
