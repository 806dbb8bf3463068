// One step of a recorded program on this machine: what `trenio run --plan` says before it runs.
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
  /** Resident memory of the process: what the program holds, the runtime, Node. */
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
  const held = Object.values(model.memory).reduce((sum, bytes) => sum + bytes, 0);
  return {
    seconds: Object.values(byPhase).reduce((sum, s) => sum + s, 0),
    byPhase,
    byBound: boundRecord(all),
    memoryBytes: held + processBytes(model, rates),
  };
}

/** What a process takes besides what its program holds: the runtime, Node, the recorded ops. */
export const processBytes = ({ ops }: RecordedProgram, rates: Pick<CpuRates, 'processBytes' | 'opBytes'>): number =>
  rates.processBytes + rates.opBytes * ops;
