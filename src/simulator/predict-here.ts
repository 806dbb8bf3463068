// One step of a recorded program on this machine: the prediction of `trenio run --plan`.
import { TrenioError } from '../base/errors.ts';
import type { LocalMachine } from './calibration/local-machine.ts';
import { layoutsOf } from './plan/layouts.ts';
import { predict } from './predict.ts';
import type { Prediction } from './prediction.ts';
import type { RecordedProgram } from './workload.ts';

/** @throws {LAYOUT_IMPOSSIBLE} for a program of another number of ranks than the machine is divided among */
export function predictHere(model: RecordedProgram, machine: LocalMachine): Prediction {
  const run = { kind: 'training', sequence: 1, optimizer: 'adamw' } as const;
  const workload = { model, run, precision: 'f32', attention: 'unfused' } as const;
  const space = { microBatches: 1, zero1: false };
  for (const layout of layoutsOf(workload, machine.devices, space))
    return predict({ workload, machine, nodes: 1, layout });
  const problem = `${model.name} is not a program of ${machine.devices} ranks`;
  throw new TrenioError('LAYOUT_IMPOSSIBLE', { problem, instead: 'record it for this number of ranks' });
}
