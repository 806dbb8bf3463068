// Ranks that do not reach a barrier, each for a different reason: ranks 1 to 5 of six.
import { execFileSync } from 'node:child_process';
import { barrier, rank, tensor } from 'trenio';

function spin(): void {
  for (;;) {
    if (performance.now() < 0) return;
  }
}
function block(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const x = tensor([1, 2]).add(1);
x.toArray();
barrier();
if (rank() === 1) spin();
if (rank() === 2) block();
if (rank() === 3) execFileSync('sleep', ['1000']);
if (rank() === 4) await new Promise(resolve => setTimeout(resolve, 1_000_000));
if (rank() === 5) process.kill(process.pid, 'SIGSTOP');
barrier();
