// Ranks that do not reach a barrier, each for a different reason: ranks 1 to 5 of six. Rank 0 reaches it once each of them has
// written a file to the folder of the argument.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
const folder = process.argv[2]!;
if (rank() > 0) writeFileSync(join(folder, String(rank())), '');
if (rank() === 1) spin();
if (rank() === 2) block();
if (rank() === 3) execFileSync('sleep', ['1000']);
if (rank() === 4) await sleep(1_000_000);
if (rank() === 5) process.kill(process.pid, 'SIGSTOP');
while (readdirSync(folder).length < 5) await sleep(50);
barrier();
