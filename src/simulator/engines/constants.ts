// The global constants of the engine models: what data sheets do not say. Each has one meaning; docs/simulator.md lists
// them, and `node bench/simulator.ts --fit` shows what the published rows say about each.

/** What software makes of the hardware: the compiler's schedule and the runtime's overheads. */
export interface NeuronConstants {
  /** Cycles that each tile of a multiply costs beyond its rows: loading weights, starting the instruction. */
  readonly tileOverheadCycles: number;
  /** Cycles that the vector and scalar engines take for each cycle of useful work: dependencies, semaphores, small instructions. */
  readonly vectorStall: number;
  /** Share of the HBM bandwidth that the compiler's moves reach. */
  readonly memoryEfficiency: number;
  /** How much of the time of the engines that are not the busiest hides behind it: 0 none, 1 all. */
  readonly overlap: number;
  /** Seconds to start a program, each micro-batch. */
  readonly programStart: number;
  /** Seconds of host work each step that nothing hides: reading the loss, feeding the step, waiting for all ranks. */
  readonly hostStep: number;
  /** Seconds more for each doubling of the nodes: barriers and small exchanges among the hosts, each step. */
  readonly hostStepPerDoubling: number;
  /** Relative standard deviation of the nodes' step times. All wait for the slowest: 1 + deviation × √(2 ln nodes). */
  readonly nodeDeviation: number;
}
export interface GpuConstants {
  /** Share of the peak that a large multiply reaches with full waves. */
  readonly multiplyEfficiency: number;
  /** A multiply's work is cut into tiles of this many rows and columns; a wave is one tile on each multiprocessor. */
  readonly tile: readonly [number, number];
  /** Steps along k that a tile's start and end cost. */
  readonly tileStartK: number;
  readonly memoryEfficiency: number;
  /** Seconds to start a kernel. */
  readonly kernelStart: number;
  /** Seconds of host work each step that nothing hides. */
  readonly hostStep: number;
  readonly nodeDeviation: number;
}
export const neuronConstants: NeuronConstants = {
  tileOverheadCycles: 94,
  vectorStall: 1.92,
  memoryEfficiency: 0.51,
  overlap: 0.9,
  programStart: 8.4e-3,
  hostStep: 0.09,
  hostStepPerDoubling: 0.026,
  nodeDeviation: 0.028,
};
export const gpuConstants: GpuConstants = {
  multiplyEfficiency: 0.95,
  tile: [256, 128],
  tileStartK: 76,
  memoryEfficiency: 0.58,
  kernelStart: 2.4e-6,
  hostStep: 21e-3,
  nodeDeviation: 0,
};
