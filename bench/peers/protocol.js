// The protocol of JavaScript peers: take the first step, report readiness, and take steps on request (bench/peer.ts).
import { createInterface } from 'node:readline';

export const settings = JSON.parse(process.argv[2]);

/** `step()` takes one step, waits for it, and returns its loss (or any number that depends on all of it). */
export async function serve(name, step) {
  const from = performance.now();
  await step();
  console.log(JSON.stringify({ ready: name, firstMs: performance.now() - from }));
  for await (const line of createInterface({ input: process.stdin })) {
    const count = Number(/^steps (\d+)$/.exec(line)?.[1]);
    if (!(count > 0)) break;
    const start = performance.now();
    const busy = process.cpuUsage();
    let loss = 0;
    for (let i = 0; i < count; i++) loss = await step();
    const ms = (performance.now() - start) / count;
    const { user, system } = process.cpuUsage(busy);
    const cpuMs = (user + system) / 1e3 / count;
    console.log(JSON.stringify({ ms, cpuMs, loss, peakBytes: process.resourceUsage().maxRSS * 1024 }));
  }
  process.exit();
}
