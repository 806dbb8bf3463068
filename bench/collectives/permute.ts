// One of several ranks. Two ranks on different cores exchange an array by collective_permute inside compiled steps; rank 0
// prints a line of JSON. Started by ../collectives.ts with several numbers of ranks: the cost of a permute should depend only
// on its pairs.
import { buildFunc } from '../../src/hlo/builder.ts';
import { moduleOf, type Value } from '../../src/hlo/program.ts';
import { tensorType } from '../../src/hlo/types.ts';
import { defaultBackend, defaultRuntime } from '../../src/runtime/index.ts';

const runtime = defaultRuntime();
const { rank, worldSize } = runtime.ranks;
const bytes = Number(process.argv[3]);
const repeats = 20;
const type = tensorType('f32', [bytes / 4]);
const partner = worldSize / 2;
const pairs: { readonly sourceTargetPairs: readonly (readonly [number, number])[] } = {
  sourceTargetPairs: [
    [0, partner],
    [partner, 0],
  ],
};
const main = buildFunc('main', [type], (b, [x]) => {
  let value: Value = x!;
  for (let i = 0; i < repeats; i++) value = b.emit1('collective_permute', [value], pairs);
  return [value];
});
const { executable } = defaultBackend().compile(moduleOf(main, { numReplicas: worldSize }));
const times: number[] = [];
const x = defaultBackend().upload(type, new Uint8Array(bytes));
for (let round = -2; round < Number(process.argv[2]); round++) {
  runtime.barrier();
  if (rank !== 0 && rank !== partner) {
    runtime.barrier();
    continue;
  }
  const start = performance.now();
  for (const result of executable.run([x])) (result as typeof x).wait();
  if (round >= 0) times.push((performance.now() - start) / repeats);
  runtime.barrier();
}
times.sort((a, b) => a - b);
if (rank === 0) console.log(JSON.stringify({ bytes, ms: times[times.length >> 1], best: times[0] }));
