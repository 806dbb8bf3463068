// What a plan asks of the simulator: one function. It is passed in, so that a plan can be made with another one.
import type { Machine } from '../../hardware/machine.ts';
import type { Layout } from '../layout.ts';
import type { Prediction } from '../prediction.ts';
import type { Workload } from '../workload.ts';

/** One step of the workload on `nodes` machines. Throws a TrenioError where the layout is impossible. */
export type Predict = (workload: Workload, machine: Machine, nodes: number, layout: Layout) => Prediction;
