// All ranks divide a model in the same way: a call compares what each rank gives it, before anything is divided or compiled.
// Ranks of different programs would wait for one another, or exchange tensors that do not fit.
import { createHash } from 'node:crypto';
import { TrenioError } from '../../base/errors.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { defaultRuntime } from '../../runtime/index.ts';
import { userLocation } from '../../tensor/index.ts';

/** Ranks exchange as many bytes: a hash of all that was given, and its start. */
const hashBytes = 32;
const textBytes = 512;

/** Returns the bytes of all ranks. */
type Exchange = (mine: Uint8Array) => readonly Uint8Array[];

/** @throws {PLANS_DIFFER} on every rank, if one was given another plan than rank 0 */
export function checkSamePlan(
  call: string,
  mesh: DeviceMesh,
  plan: object,
  exchange: Exchange = mine => defaultRuntime().allGather(mine),
): void {
  if (mesh.size() === 1) return;
  const text = `${JSON.stringify(plan)} on ${mesh}`;
  const mine = new Uint8Array(hashBytes + textBytes);
  mine.set(createHash('sha256').update(text).digest());
  new TextEncoder().encodeInto(text, mine.subarray(hashBytes));
  const all = exchange(mine).map(bytes => Buffer.from(bytes));
  const other = all.findIndex(bytes => !bytes.subarray(0, hashBytes).equals(all[0]!.subarray(0, hashBytes)));
  if (other < 0) return;
  const textOf = (rank: number): string => all[rank]!.subarray(hashBytes).toString().replace(/\0+$/, '');
  const data = { call, plan: textOf(0), other, otherPlan: textOf(other) };
  throw new TrenioError('PLANS_DIFFER', data, { location: userLocation() });
}
