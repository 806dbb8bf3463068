// A compiled step with a collective inside it, on real ranks, started like those of `trenio run`.
import { expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import { temporaryCache } from '../engine.testing.ts';
import { startScript } from '../processes.testing.ts';
import { createLaunchMemory } from './launch-memory.ts';

test('a step with a sum over ranks gives the same result on all ranks', async () => {
  using directory = temporaryCache();
  const common = { TRENIO_CACHE_DIR: directory.path, WORLD_SIZE: '2', LOCAL_WORLD_SIZE: '2', TRENIO_NUM_THREADS: '1' };
  const hlo = (file: string): string => `${new URL(`../../hlo/${file}`, import.meta.url)}`;
  const script = `
    import { defaultBackend, defaultRuntime } from '../index.ts';
    import { buildFunc } from '${hlo('builder.ts')}';
    import { moduleOf } from '${hlo('program.ts')}';
    import { tensorType } from '${hlo('types.ts')}';
    const type = tensorType('f32', [3000]);
    const sum = { replicaGroups: [[0, 1]], channelId: 1, useGlobalDeviceIds: true };
    const main = buildFunc('main', [type, type], (b, [w, g]) => {
      const total = b.emit1('all_reduce', [b.multiply(g, g)], sum, [b.combiner('add', 'f32')]);
      return [b.subtract(w, b.multiply(total, b.like(total, 0.5)))];
    }, [0]);
    const backend = defaultBackend();
    const { rank } = defaultRuntime().ranks;
    const { executable } = backend.compile(moduleOf(main, { numReplicas: 2 }));
    const upload = values => backend.upload(type, new Uint8Array(Float32Array.from(values).buffer));
    let w = upload(Array.from({ length: 3000 }, (_, i) => i));
    for (let step = 0; step < 50; step++) [w] = executable.run([w, upload(Array.from({ length: 3000 }, (_, i) => (i % 7) * (rank + 1)))]);
    await w.ready;
    defaultRuntime().barrier();
    console.log(JSON.stringify([...new Float32Array(w.bytes.buffer, w.bytes.byteOffset, 3000)]));`;
  const memory = createLaunchMemory(2, { ...inheritedVariables(), ...common });
  try {
    const outcomes = await Promise.all(
      [0, 1].map(
        rank =>
          startScript(import.meta.url, script, {
            ...common,
            RANK: `${rank}`,
            LOCAL_RANK: `${rank}`,
            TRENIO_SHM: memory.name,
          }).outcome,
      ),
    );
    for (const { stdout, stderr } of outcomes) {
      expect(stderr).toBe('');
      // g² + (2g)² = 5g², halved at each step.
      expect(JSON.parse(stdout)).toEqual(Array.from({ length: 3000 }, (_, i) => i - 50 * 2.5 * (i % 7) ** 2));
    }
  } finally {
    memory.unlink();
  }
});
