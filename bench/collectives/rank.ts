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
  // Several per step, so that the cost of queueing it and of copying its argument and result is small.
  const repeats = bytes <= 65_536 ? 200 : 20;
  const main = buildFunc('main', [type], (b, [x]) => {
    let value: Value = x!;
    for (let i = 0; i < repeats; i++) value = b.emit1('all_reduce', [value], group, [b.combiner('add', 'f32')]);
    return [value];
  });
  // In place, as gradients are reduced.
  const inPlace = { ...main, aliases: [0] };
  const { executable } = defaultBackend().compile(moduleOf(inPlace, { numReplicas: worldSize }));
  const times: number[] = [];
  let x = defaultBackend().upload(type, new Uint8Array(bytes));
  // Steps of small arrays are so short that the first ones mostly measure JavaScript that V8 has not compiled yet.
  for (let round = bytes <= 65_536 ? -30 : -2; round < rounds; round++) {
    runtime.barrier();
    const start = performance.now();
    x = executable.run([x])[0] as typeof x;
    x.wait();
    if (round >= 0) times.push((performance.now() - start) / repeats);
  }
  times.sort((a, b) => a - b);
  if (rank === 0) console.log(JSON.stringify({ bytes, ms: times[times.length >> 1], best: times[0] }));
}
