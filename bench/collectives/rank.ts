// One of two ranks that all-reduce arrays of several sizes inside compiled steps; rank 0 prints a line of JSON for each size.
// Started by ../collectives.ts.
import { buildFunc } from '../../src/hlo/builder.ts';
import { moduleOf, type Value } from '../../src/hlo/program.ts';
import { tensorType } from '../../src/hlo/types.ts';
import { defaultBackend, defaultRuntime } from '../../src/runtime/index.ts';

const runtime = defaultRuntime();
const { rank, worldSize } = runtime.ranks;
const group = { replicaGroups: [Array.from({ length: worldSize }, (_, i) => i)] };
const rounds = Number(process.argv[2] ?? 15);

for (const bytes of (process.argv[3] ?? '').split(',').map(Number)) {
  const type = tensorType('f32', [bytes / 4]);
  // Several in a step, so that queueing a step costs next to nothing.
  const repeats = bytes <= 65_536 ? 200 : bytes <= 1 << 20 ? 20 : bytes <= 10 << 20 ? 5 : 2;
  const main = buildFunc('main', [type], (b, [x]) => {
    let value: Value = x!;
    for (let i = 0; i < repeats; i++) value = b.emit1('all_reduce', [value], group, [b.combiner('add', 'f32')]);
    return [value];
  });
  const { executable } = defaultBackend().compile(moduleOf(main, { numReplicas: worldSize }));
  const times: number[] = [];
  const x = defaultBackend().upload(type, new Uint8Array(bytes));
  for (let round = -2; round < rounds; round++) {
    runtime.barrier();
    const start = performance.now();
    for (const result of executable.run([x])) (result as typeof x).wait();
    if (round >= 0) times.push((performance.now() - start) / repeats);
  }
  times.sort((a, b) => a - b);
  if (rank === 0) console.log(JSON.stringify({ bytes, ms: times[times.length >> 1], best: times[0] }));
}
