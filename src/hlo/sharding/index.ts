// The public part of meshes and shardings: hlo.sharding.shardingOf, hlo.sharding.groupsAlong, hlo.sharding.readGspmd …
export * from './device-mesh.ts';
export * from './gspmd.ts';
export * from './gspmd-mesh.ts';
export * from './mesh.ts';
export { type MeshAxes, printMeshAxes } from './mesh-axes.ts';
export * from './sharding.ts';
export * from './shardy-printer.ts';
export type { OpaqueSharding, StatedSharding } from './stated.ts';
