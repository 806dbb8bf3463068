// The cost of collectives inside compiled steps, by kind and group: medians of the ranks' times.
//
//   trenio run --nproc_per_node 4 bench/collectives/kinds.ts [--bytes 4194304] [--rounds 40]
import { parseArgs } from 'node:util';
import { type Builder, buildFunc } from '../../src/hlo/builder.ts';
import { moduleOf, shapeOf, type Value } from '../../src/hlo/program.ts';
import { elementCount, tensorType } from '../../src/hlo/types.ts';
import { defaultBackend, defaultRuntime } from '../../src/runtime/index.ts';

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
/** Collectives per step; several, so that the cost of queueing a step is negligible. */
const repeats = 10;

const kinds: Readonly<Record<string, (b: Builder, x: Value) => Value>> = {
  'all_reduce of all': (b, x) => b.emit1('all_reduce', [x], { replicaGroups: [all] }, [b.combiner('maximum', 'f32')]),
  'all_reduce of all, another order': (b, x) =>
    b.emit1('all_reduce', [x], { replicaGroups: [all.toReversed()] }, [b.combiner('maximum', 'f32')]),
  'all_reduce of pairs': (b, x) => b.emit1('all_reduce', [x], { replicaGroups: pairs }, [b.combiner('maximum', 'f32')]),
  'reduce_scatter of all': (b, x) =>
    b.emit1('reduce_scatter', [x], { replicaGroups: [all], scatterDimension: 0 }, [b.combiner('maximum', 'f32')]),
  'reduce_scatter of pairs': (b, x) =>
    b.emit1('reduce_scatter', [x], { replicaGroups: pairs, scatterDimension: 0 }, [b.combiner('maximum', 'f32')]),
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

/** Chained if the result has the operand's shape, so that each collective depends on the previous one. */
function repeated(b: Builder, x: Value, emit: (b: Builder, x: Value) => Value): readonly Value[] {
  let value = x;
  const parts: Value[] = [];
  for (let i = 0; i < repeats; i++) {
    const result = emit(b, value);
    if (elementCount(shapeOf(result)) === count) value = result;
    else parts.push(result);
  }
  return [value, ...parts];
}

for (const [name, emit] of Object.entries(kinds)) {
  const main = buildFunc('main', [type], (b, [x]) => repeated(b, x!, emit));
  const { executable } = defaultBackend().compile(moduleOf(main, { numReplicas: worldSize }));
  let x = defaultBackend().upload(type, new Uint8Array(4 * count).fill(rank + 1));
  const times: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    runtime.barrier();
    const start = performance.now();
    const results = executable.run([x]);
    x = results[0] as typeof x;
    for (const result of results) (result as typeof x).wait();
    times.push((performance.now() - start) / repeats);
  }
  times.sort((a, b) => a - b);
  const [best, median] = [times[0]!, times[times.length >> 1]!];
  if (rank === 0) console.log(`${name.padEnd(36)} median ${median.toFixed(3)} ms, best ${best.toFixed(3)} ms`);
}
