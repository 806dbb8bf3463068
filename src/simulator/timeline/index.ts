// One training step in time.
export * from './chrome-trace.ts';
export * from './closed-form.ts';
export * from './exposed.ts';
export { playStages } from './play-stages.ts';
export { simulateStep, stepSeconds } from './simulate-step.ts';
export { type Chunk, idleChunk, type Step } from './step.ts';
export * from './timeline.ts';
