// A rank must not outlive its launcher, even if that was killed with SIGKILL. On Linux the
// kernel takes care of it (PR_SET_PDEATHSIG); elsewhere a thread polls the parent process. A watch on the
// main thread is not enough: it is blocked while a step waits for a rank that has ended.
import { Worker } from 'node:worker_threads';
import koffi from 'koffi';

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/** Makes this process die when `parentPid` ends, or at once if it has already ended. */
export function dieWithParent(parentPid: number): void {
  if (process.platform !== 'linux' || !killedByKernel()) watchFromThread(parentPid);
  // The parent may have exited before the line above; then no signal is sent.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}

function killedByKernel(): boolean {
  // The process itself, where the C library's symbols are: its file has a different name in each distribution.
  const prctl = koffi
    .load(null)
    .func('int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)');
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) === 0;
}

/** The portable way: within half a second. Exported for its test. */
export function watchFromThread(parentPid: number): void {
  const watch = `setInterval(() => {
    if (process.ppid !== ${parentPid}) process.kill(process.pid, 'SIGKILL');
  }, 500);`;
  new Worker(watch, { eval: true, execArgv: [], stdin: false }).unref();
}
