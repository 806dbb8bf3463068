// One step of a recorded program on this machine: the prediction of `trenio run --plan`.
import type { CpuDevice, CpuRates } from '../../hardware/machine.ts';
import { timeOnCpu } from '../engines/cpu.ts';
import { addSpent, boundRecord, nothing, scaleSpent, spend } from '../engines/spent.ts';
import type { Bound } from '../prediction.ts';
import type { WorkList } from '../work.ts';
import type { RecordedProgram } from '../workload.ts';
import type { AssumedProgram } from './recorded-program.ts';

export interface LocalStep {
  readonly seconds: number;
  readonly byPhase: Readonly<Record<'forward' | 'backward' | 'optimizer' | 'start', number>>;
  readonly byBound: Readonly<Record<Bound, number>>;
  /** The peak resident memory of the process: the program's memory, the runtime, Node. */
  readonly memoryBytes: number;
}

export function localStep(model: AssumedProgram, device: CpuDevice): LocalStep {
  const { rates } = device;
  let all = spend('host', rates.programStart);
  const secondsOf = (lists: readonly WorkList[]): number => {
    const spent = lists.reduce(
      (sum, { work, times }) => addSpent(sum, scaleSpent(timeOnCpu(work, device), times)),
      nothing,
    );
    all = addSpent(all, spent);
    return spent.seconds;
  };
  const byPhase = {
    forward: secondsOf(model.forward),
    backward: secondsOf(model.backward),
    optimizer: secondsOf(model.optimizer),
    start: rates.programStart,
  };
  return {
    seconds: Object.values(byPhase).reduce((sum, s) => sum + s, 0),
    byPhase,
    byBound: boundRecord(all),
    memoryBytes: heldBytes(model) + processBytes(model, device),
  };
}

/**
 * The peak memory of a process besides that of its program: the runtime, Node, the recorded ops, garbage. For a small model, the
 * peak may come before the first step, when only the weights are allocated.
 */
export function processBytes(model: RecordedProgram, { threads, rates }: ProcessParts): number {
  const { memory, ops, scratchBytes, isRecordedAnew } = model;
  const garbage = isRecordedAnew ? rates.tracingBytes : 0;
  const training = rates.processBytes + rates.opBytes * ops + garbage + threads * scratchOf(scratchBytes);
  return Math.max(training, rates.startBytes + (memory.weights ?? 0) - heldBytes(model));
}
interface ProcessParts {
  readonly threads: number;
  readonly rates: Pick<CpuRates, 'processBytes' | 'opBytes' | 'tracingBytes' | 'startBytes'>;
}

/** As allocated by pool.c: in whole huge pages if it is large. */
function scratchOf(bytes: number): number {
  const unit = bytes >= 1 << 20 ? 2 << 20 : 4096;
  return Math.ceil(bytes / unit) * unit;
}
const heldBytes = ({ memory }: RecordedProgram): number => Object.values(memory).reduce((sum, bytes) => sum + bytes, 0);
