/** The exit code of ranks that have saved their state and want to be started again (EX_TEMPFAIL; Slurm: RequeueExit=75). */
export const EXIT_REQUEUE = 75;
