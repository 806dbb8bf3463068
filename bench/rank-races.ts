// Races of collectives: all ranks of several hosts as threads of one process, more of them than cores, with random delays before
// each atomic operation, and under ThreadSanitizer.
//
//   node bench/rank-races.ts [--hosts 2,2 …] [--rounds 2000] [--seeds 1] [--plain]
//
// Each round is a collective of random kind, group and size, whose results are checked. A wait of 150 s fails with the names of
// the late ranks. --plain: without ThreadSanitizer, which is ten times as fast.
import './help.ts';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nativeRequest } from '../src/runtime/toolchain/native-sources.ts';

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', multiple: true, default: ['2,2', '1,3', '4', '1,1,1', '2,2,2,2', '8'] },
    rounds: { type: 'string', default: '2000' },
    seeds: { type: 'string', default: '1' },
    plain: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'trenio-races-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const { units, headers, flags } = nativeRequest();
for (const { name, source } of [...units, ...headers]) writeFileSync(join(folder, name), source);
// Two benign races: the state that a rank waits for is read again after it changes; the name of its work is for messages only.
writeFileSync(
  join(folder, 'suppressions'),
  'race:reason_of\nrace:is_deadlocked\nrace:segment_says_program\nrace:append_process\n',
);
const program = join(folder, 'ranks');
const compiled = spawnSync(
  'gcc',
  [
    ...['-std=gnu11', '-D_GNU_SOURCE', '-g', ...flags, ...(values.plain ? [] : ['-fsanitize=thread', '-Wno-tsan'])],
    ...[
      `-I${folder}`,
      '-o',
      program,
      join(import.meta.dirname, 'rank-races', 'ranks.c'),
      '-lm',
      '-lpthread',
      '-ldl',
      '-lrt',
    ],
  ],
  { stdio: 'inherit' },
);
if (compiled.status !== 0) process.exit(1);
// A suppression names a function, whose call must still be in the history of its thread.
const options = `suppressions=${join(folder, 'suppressions')} halt_on_error=0 exitcode=66 history_size=7`;
for (let seed = 1; seed <= Number(values.seeds); seed++) {
  for (const hosts of values.hosts) {
    const since = performance.now();
    const { status, signal } = spawnSync(program, [hosts, values.rounds, `${seed}`, '1'], {
      stdio: 'inherit',
      env: { ...process.env, TSAN_OPTIONS: options },
    });
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    console.log(
      `hosts of ${hosts} ranks, seed ${seed}: ${status === 0 ? 'fine' : `failed (${signal ?? status})`}, ${seconds} s`,
    );
    if (status !== 0) process.exit(1);
  }
}
