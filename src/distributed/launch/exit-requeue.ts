// Which ends of a run make Slurm start the job again (RequeueExit=75).
import { readVariable, type Variables } from '../../base/environment.ts';
import { exitCodeOfSignal } from '../../base/interrupted.ts';
import type { Ending } from './messages.ts';

/** The exit code of ranks that have saved their state and want to be started again (EX_TEMPFAIL; Slurm: RequeueExit=75). */
export const EXIT_REQUEUE = 75;

/**
 * The exit code of a run. In a job of Slurm, a run that was asked to stop by SIGTERM before its ranks could save anything, and
 * one that has lost a machine, are started again like one that has saved its state. Slurm signals ranks and launchers at once,
 * so the launcher may see the end of a rank first.
 */
export function exitCodeOf(
  { exitCode, hasLostNode = false }: Omit<Ending, 'reason' | 'failure'>,
  variables: Variables,
): number {
  const isRestartable = hasLostNode || exitCode === exitCodeOfSignal('SIGTERM');
  return isRestartable && readVariable('SLURM_JOB_ID', variables) !== undefined ? EXIT_REQUEUE : exitCode;
}
