// What a plan asks of the simulator: one function. It is passed in, so that a plan can be made with another one.
import type { Machine } from '../../hardware/machine.ts';
import type { Job } from '../job.ts';
import type { Layout } from '../layout.ts';
import type { Prediction } from '../prediction.ts';

/** One step of the job on `nodes` machines. @throws {LAYOUT_IMPOSSIBLE} */
export type Predict = (job: Job, machine: Machine, nodes: number, layout: Layout) => Prediction;
