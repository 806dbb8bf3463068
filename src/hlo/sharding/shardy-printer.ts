// Meshes and shardings as Shardy's text, from '<' to '>'; `shardy-reader.ts` shows the form.
import { quoted, symbol } from '../text/strings.ts';
import type { AxisRef, Mesh } from './mesh.ts';
import type { DimSharding, Sharding } from './sharding.ts';

/**
 * A mesh as MLIR text.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.printMesh(mesh) // '<["data"=2, "tensor"=4]>'
 */
export function printMesh({ axes, deviceIds }: Mesh): string {
  const sizes = axes.map(({ name, size }) => `${quoted(name)}=${size}`).join(', ');
  return `<[${sizes}]${deviceIds === undefined ? '' : `, device_ids=[${deviceIds.join(', ')}]`}>`;
}

/**
 * A sharding as MLIR text, without `#sdy.sharding`.
 * @example
 * hlo.sharding.printSharding(hlo.sharding.shardingOf('mesh', [['data'], []])) // '<@mesh, [{"data"}, {}]>'
 */
export function printSharding({ mesh, dims, replicated, unreduced, reduction }: Sharding): string {
  const where = typeof mesh === 'string' ? symbol(mesh) : `mesh${printMesh(mesh)}`;
  const parts = [where, `[${dims.map(printDim).join(', ')}]`];
  if (replicated.length > 0) parts.push(`replicated=${printAxes(replicated)}`);
  if (unreduced.length > 0) parts.push(`unreduced=${reduction === 'sum' ? '' : reduction}${printAxes(unreduced)}`);
  return `<${parts.join(', ')}>`;
}

/**
 * The shardings of several values as MLIR text.
 * @example
 * hlo.sharding.printShardings([hlo.sharding.shardingOf('mesh', [['data']])]) // '[<@mesh, [{"data"}]>]'
 */
export const printShardings = (shardings: readonly Sharding[]): string =>
  `[${shardings.map(printSharding).join(', ')}]`;
/**
 * Names of axes as MLIR text: `{"data", "tensor"}`.
 * @example
 * hlo.sharding.printAxisNames(['data', 'tensor']) // '{"data", "tensor"}'
 */
export const printAxisNames = (names: readonly string[]): string => `{${names.map(quoted).join(', ')}}`;

const printDim = ({ axes, isOpen, priority }: DimSharding): string =>
  `{${[...axes.map(printAxisRef), ...(isOpen ? ['?'] : [])].join(', ')}}${priority === undefined ? '' : `p${priority}`}`;

const printAxes = (axes: readonly AxisRef[]): string => `{${axes.map(printAxisRef).join(', ')}}`;

const printAxisRef = ({ name, subAxis }: AxisRef): string =>
  `${quoted(name)}${subAxis === undefined ? '' : `:(${subAxis.preSize})${subAxis.size}`}`;
