export { Checkpointer, type SavedCheckpoint } from './checkpointer.ts';
export type { CheckpointerOptions } from './checkpointer-options.ts';
export { type Converted, type ConvertOptions, convertCheckpoint } from './convert.ts';
export { type CheckpointDifference, diffCheckpoints } from './diff.ts';
export {
  type CheckpointEntry,
  type IntactCheckpoint,
  latestIntactCheckpoint,
  listCheckpoints,
} from './folder.ts';
export type { Manifest as CheckpointManifest } from './manifest.ts';
export { CheckpointReader } from './read-checkpoint.ts';
export type { CheckpointPart, CheckpointParts, Stateful } from './stateful.ts';
export type { CheckpointFormat } from './tensor-files.ts';
export { type VerifyOptions, verifyCheckpoint } from './verify.ts';
