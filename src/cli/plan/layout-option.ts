// --layout of `trenio plan`, and this machine as the ranks of a layout share it.
import { availableParallelism } from 'node:os';
import { TrenioError } from '../../base/errors.ts';
import { parseLayout } from '../../base/layout-text.ts';
import type { Machine } from '../../hardware/machine.ts';
import { DeviceMesh, meshSizesFor } from '../../hlo/sharding/device-mesh.ts';
import { localMachine } from '../../simulator/calibration/index.ts';
import type { CliContext } from '../command/command.ts';
import type { PlanInput } from './plan-options.ts';
import { isProgram, type NamedProgram } from './script.ts';

export const bad = (argument: string, got: string, expected: string): TrenioError =>
  new TrenioError('BAD_ARGUMENT', { command: 'plan', argument, got, expected });

/** The layout of a script; undefined for a model, whose layouts are searched. */
export function readLayout({ options, positionals }: PlanInput, program: NamedProgram | undefined): string | undefined {
  const { layout } = options;
  if (layout === undefined) return undefined;
  const [script] = positionals;
  const others = [
    'dp',
    'tp',
    'pp',
    'ep',
    'interleave',
    'zero1',
    'shard',
    'replicas',
    'sequence-parallel',
    'search',
  ] as const;
  for (const name of others)
    if (options[name] !== undefined && options[name] !== false)
      throw bad(`--${name}`, 'given together with --layout', 'one of the two');
  if (script === undefined) {
    if (layout !== 'auto')
      throw bad('--layout', `'${layout}' for a model`, 'auto, or --dp, --tp, --pp and --ep with the sizes');
    return undefined;
  }
  if (program !== undefined || isProgram(script))
    throw bad('--layout', `'${layout}' for a program`, 'no value: a program has the layout it was made with');
  for (const name of ['global-batch', 'micro-batch', 'recompute'] as const)
    if (options[name] !== undefined)
      throw bad(`--${name}`, `'${options[name]}' for a script with --layout`, 'no value: the script defines it');
  if (layout !== 'auto' && parseLayout(layout) === undefined)
    throw bad('--layout', `'${layout}'`, 'auto, or axes and their sizes, such as dp_shard=-1,tp=8');
  return layout;
}

/** This machine, as measured, and shared by the ranks of the layout: with `auto`, by one, two, four … */
export function localMachines(layout: string | undefined, context: CliContext): readonly Machine[] {
  const ranks =
    layout === undefined ? [1] : layout === 'auto' ? powersOfTwo(availableParallelism()) : [ranksOf(layout)];
  return ranks.map(count => {
    const machine = localMachine(context.environment, count);
    if (machine === undefined)
      throw bad('--on', "'local', which has not been measured", 'trenio hardware calibrate to be run first');
    return machine;
  });
}
const powersOfTwo = (most: number): readonly number[] =>
  Array.from({ length: Math.floor(Math.log2(most)) + 1 }, (_, i) => 2 ** i);
/** @throws {INVALID_MESH} @throws {UNKNOWN_MESH_AXIS} */
function ranksOf(layout: string): number {
  const sizes = parseLayout(layout)!;
  return Object.values(sizes).includes(-1)
    ? new DeviceMesh(meshSizesFor(sizes, availableParallelism())).size()
    : new DeviceMesh(sizes).size();
}
