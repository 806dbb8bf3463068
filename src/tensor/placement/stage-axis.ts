// The axis of a mesh along which ranks have stages of a pipeline.
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';

/** The axis of the stages of a pipeline. */
export const stageAxisOf = (mesh: DeviceMesh): 'pp' | 'pipeline' => (mesh.size('pipeline') > 1 ? 'pipeline' : 'pp');
/** The coordinate of this rank along the pipeline. */
export const stageRank = (mesh: DeviceMesh): number => mesh.coordinate(stageAxisOf(mesh));
