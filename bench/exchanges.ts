// What exchanges within compiled steps cost, by kind and group: medians of the ranks' times.
//
//   trenio run --nproc_per_node 4 bench/exchanges.ts [--bytes 4194304] [--rounds 40]
import { parseArgs } from 'node:util';
import { type Builder, buildFunc } from '../src/hlo/builder.ts';
import { moduleOf, type Value } from '../src/hlo/program.ts';
import { tensorType } from '../src/hlo/types.ts';
import { defaultBackend, defaultRuntime } from '../src/runtime/index.ts';

const { values } = parseArgs({
  options: { bytes: { type: 'string', default: `${4 << 20}` }, rounds: { type: 'string', default: '40' } },
});
const runtime = defaultRuntime();
const { rank, worldSize } = runtime.ranks;
const count = Number(values.bytes) / 4;
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const all = upTo(worldSize);
const pairs = upTo(worldSize / 2).map(i => [2 * i, 2 * i + 1]);
const type = tensorType('f32', [count]);
/** Exchanges in one step, so that what queueing a step costs does not count. */
const repeats = 10;

const kinds: Readonly<Record<string, (b: Builder, x: Value) => Value>> = {
  'all_reduce of all': (b, x) => b.emit1('all_reduce', [x], { replicaGroups: [all] }, [b.combiner('maximum', 'f32')]),
  'all_reduce of all, another order': (b, x) =>
    b.emit1('all_reduce', [x], { replicaGroups: [all.toReversed()] }, [b.combiner('maximum', 'f32')]),
  'all_reduce of pairs': (b, x) => b.emit1('all_reduce', [x], { replicaGroups: pairs }, [b.combiner('maximum', 'f32')]),
  'permute around a ring': (b, x) =>
    b.emit1('collective_permute', [x], { sourceTargetPairs: all.map(p => [p, (p + 1) % worldSize]) }),
  'all_to_all of all': (b, x) =>
    b.emit('all_to_all', [x], {
      replicaGroups: [all],
      splitDimension: 0,
      concatDimension: 0,
      splitCount: worldSize,
    })[0]!,
  'all_to_all of pairs': (b, x) =>
    b.emit('all_to_all', [x], { replicaGroups: pairs, splitDimension: 0, concatDimension: 0, splitCount: 2 })[0]!,
};

for (const [name, emit] of Object.entries(kinds)) {
  const main = buildFunc('main', [type], (b, [x]) => [upTo(repeats).reduce(v => emit(b, v), x!)]);
  const { executable } = defaultBackend().compile(moduleOf(main, { numReplicas: worldSize }));
  let x = defaultBackend().upload(type, new Uint8Array(4 * count).fill(rank + 1));
  const times: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    runtime.barrier();
    const start = performance.now();
    [x] = executable.run([x]) as [typeof x];
    x.wait();
    times.push((performance.now() - start) / repeats);
  }
  times.sort((a, b) => a - b);
  const [best, median] = [times[0]!, times[times.length >> 1]!];
  if (rank === 0) console.log(`${name.padEnd(36)} median ${median.toFixed(3)} ms, best ${best.toFixed(3)} ms`);
}
