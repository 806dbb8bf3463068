// Stages of layers on different ranks are not supported yet.
import { TrenioError } from '../../base/errors.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { userLocation } from '../../tensor/index.ts';

/** @throws {UNSUPPORTED} on a mesh with several coordinates on the axis `pp` */
export function refuseStages(mesh: DeviceMesh): void {
  const count = mesh.size('pp') * mesh.size('pipeline');
  if (count === 1) return;
  const what = `a pipeline of ${count} stages of layers on different ranks (the mesh axis pp)`;
  const instead = 'put the ranks on another axis, such as tp or dp_shard';
  throw new TrenioError(
    'UNSUPPORTED',
    { what, where: 'this version of Trenio', instead },
    { location: userLocation() },
  );
}
