// --layout of `trenio run`, and of commands that run a script like it: how the ranks are arranged. The launcher checks it before
// any rank starts; ranks read TRENIO_LAYOUT.
import { TrenioError } from '../../base/errors.ts';
import { parseLayout } from '../../base/layout-text.ts';
import type { LaunchOptions } from '../../distributed/launch/launch.ts';
import { DeviceMesh, meshSizesFor } from '../../hlo/sharding/device-mesh.ts';
import { countRanks } from './ranks-option.ts';

interface Place extends Required<Pick<LaunchOptions, 'oneRankEach' | 'nprocPerNode' | 'nnodes'>> {
  /** Whether --nproc-per-node was given: without it, the layout says how many ranks there are. */
  readonly isCounted: boolean;
  /** The command, for errors: `run` by default. */
  readonly command?: string;
}

/**
 * The number of ranks of each machine for this layout.
 * @throws {BAD_ARGUMENT} @throws {UNKNOWN_MESH_AXIS} @throws {INVALID_MESH}
 */
export function ranksForLayout(layout: string, place: Place): number {
  const { oneRankEach, nprocPerNode, nnodes, command = 'run' } = place;
  const bad = (expected: string): TrenioError =>
    new TrenioError('BAD_ARGUMENT', { command, argument: '--layout', got: `'${layout}'`, expected });
  const sizes = parseLayout(layout);
  if (sizes === undefined) throw bad('axes and their sizes, each axis once, such as dp_shard=2,tp=2');
  const isOpen = Object.values(sizes).includes(-1);
  const { min, max } = typeof nnodes === 'number' ? { min: nnodes, max: nnodes } : nnodes;
  if (min !== max && !isOpen) throw bad('the size -1 for one axis, as the number of machines may change');
  if (oneRankEach || place.isCounted) {
    if (nprocPerNode === 'auto') throw bad('a number of ranks, not --nproc-per-node=auto, or no --nproc-per-node');
    const ranks = oneRankEach ? 1 : nprocPerNode;
    meshSizesFor(sizes, ranks * min);
    return ranks;
  }
  if (isOpen) throw bad('sizes of 1 or more, or --nproc-per-node with the number of ranks, which -1 depends on');
  const ranks = new DeviceMesh(sizes).size();
  if (ranks % min !== 0) throw bad(`sizes whose product is a multiple of ${min}, the number of machines`);
  return countRanks(command, `${ranks / min}`) as number;
}
