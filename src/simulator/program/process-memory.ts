// The peak memory of a process on this machine that runs a program.
import type { CpuRates } from '../../hardware/machine.ts';
import type { RecordedProgram } from '../workload.ts';

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
