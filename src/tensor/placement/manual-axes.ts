// The axes that the function of a `shardMap` handles itself, while it is recorded.
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { wrongArgument } from '../check-arguments.ts';
import type { Device } from '../device.ts';

interface ManualAxes {
  readonly device: Device;
  readonly mesh: DeviceMesh;
  readonly axes: readonly string[];
}
/** Those of the functions that are being recorded, the innermost last. */
const open: ManualAxes[] = [];

export function withinManual<T>(manual: ManualAxes, body: () => T): T {
  open.push(manual);
  try {
    return body();
  } finally {
    open.pop();
  }
}

/** The function that is being recorded, if these are axes of it. @throws {WRONG_ARGUMENT} */
export function manualOf(call: string, axes: readonly string[]): ManualAxes {
  const manual = open.at(-1);
  const where = { call: `collectives.${call}`, argument: 'the axis' };
  if (manual === undefined) throw wrongArgument(where, axes.join(), 'a call within the function of shardMap');
  if (axes.length === 0 || axes.some(axis => !manual.axes.includes(axis)))
    throw wrongArgument(where, axes.join(), `one of the axes of shardMap, ${manual.axes.join(', ')}`);
  return manual;
}
