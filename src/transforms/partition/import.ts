// Import: the shardings of a program in one notation, Shardy's, over meshes that the module declares, ready for propagation.
import type { Module } from '../../hlo/program.ts';
import { axisRefSize, type Mesh } from '../../hlo/sharding/mesh.ts';
import { meshOf } from '../../hlo/sharding/of-module.ts';
import { axesOf, type DimSharding, type Sharding } from '../../hlo/sharding/sharding.ts';
import { type Axes, partsWithout, sortedAxes } from './axes.ts';
import { splitConstants } from './constants.ts';
import type { Manual } from './data-flow.ts';
import { importTiles } from './import-tiles.ts';
import { Shardings } from './shardings.ts';

/** @throws {UNSUPPORTED} for tiles that are not along the axes of one mesh */
export function importShardings(module: Module): Module {
  const shardings = new Shardings(module);
  importTiles(shardings);
  shardings.transform(sharding => declared(sharding, shardings));
  shardings.transform(sharding => withoutUnitAxes(sharding, shardings.mesh(sharding.mesh)!));
  shardings.changeManual(manual => withAllManualAxes(manual, shardings));
  splitConstants(shardings);
  return shardings.write();
}

/** The sharding over a mesh that the module declares. */
function declared(sharding: Sharding, { graph }: Shardings): Sharding {
  const meshes = graph.module.meshes ?? [];
  const mesh = meshOf(sharding.mesh, graph.module)!;
  const text = JSON.stringify([mesh.axes, mesh.deviceIds]);
  const known = meshes.find(other => JSON.stringify([other.mesh.axes, other.mesh.deviceIds]) === text);
  if (known !== undefined) return { ...sharding, mesh: known.name };
  const base =
    mesh.axes.length > 0 ? 'mesh' : mesh.deviceIds === undefined ? 'empty_mesh' : `maximal_mesh_${mesh.deviceIds[0]}`;
  const isUsed = (name: string): boolean => meshes.some(other => other.name === name);
  let name = base;
  for (let i = 0; isUsed(name); i++) name = `${base}_${i}`;
  graph.module = { ...graph.module, meshes: [...meshes, { name, mesh }] };
  return { ...sharding, mesh: name };
}

function withoutUnitAxes(sharding: Sharding, mesh: Mesh): Sharding {
  const longer = (axes: Axes): Axes => axes.filter(axis => axisRefSize(mesh, axis) !== 1);
  const dim = ({ axes: all, isOpen, priority }: DimSharding): DimSharding => {
    const axes = longer(all);
    const isStated = priority !== undefined && (axes.length > 0 || isOpen);
    return { axes, isOpen, ...(isStated ? { priority } : {}) };
  };
  const { dims, replicated, unreduced } = sharding;
  return { ...sharding, dims: dims.map(dim), replicated: longer(replicated), unreduced: longer(unreduced) };
}

/** Manual axes in the order of the mesh; along those that divide nothing, operands and results are replicated. */
function withAllManualAxes(attributes: Manual['attributes'], shardings: Shardings): Manual['attributes'] {
  const { inShardings, outShardings, manualAxes } = attributes;
  const name = [...inShardings, ...outShardings].find(s => shardings.mesh(s.mesh)!.axes.length > 0)?.mesh;
  if (name === undefined) return attributes;
  const mesh = shardings.mesh(name)!;
  const complete = (sharding: Sharding): Sharding => {
    const used = axesOf(sharding);
    const unused = manualAxes
      .flatMap(axis => partsWithout(axis, used, mesh))
      .filter(axis => axisRefSize(mesh, axis) > 1);
    if (unused.length === 0) return sharding;
    return { ...sharding, mesh: name, replicated: sortedAxes([...sharding.replicated, ...unused], mesh) };
  };
  return {
    ...attributes,
    inShardings: inShardings.map(complete),
    outShardings: outShardings.map(complete),
    manualAxes: mesh.axes.flatMap(axis => (manualAxes.includes(axis.name) ? [axis.name] : [])),
  };
}
