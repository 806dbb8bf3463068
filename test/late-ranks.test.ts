// Ranks that do not reach a collective: the run ends, and the error reports what each rank was doing.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { comparable, leftovers, scripts, startTrenio, workFolder } from './system.ts';

test('in a loop, blocked, in a native call, in the event loop, and stopped', async () => {
  using folder = workFolder();
  const script = join(scripts, 'late.ts');
  const running = startTrenio(['run', '--nproc_per_node=6', '--no-pin', '--timeout=15', script, folder.path]);
  const { exitCode, stderr } = await running.ended;
  expect(exitCode).toBe(1);
  // The reported position is one of the two lines of the loop.
  const report = comparable(stderr.slice(stderr.indexOf('trenio run: rank 0 of 6'))).replace(
    /(at spin .*):\d+:\d+/,
    '$1:LOOP',
  );
  expect(report).toMatch(/not arrived: rank 1 \(process \d+, running; .*; arrived: rank 0\n/);
  expect(report.slice(report.indexOf('\n  rank 1'))).toMatchInlineSnapshot(`
    "
      rank 1 is at
        at spin (file://TRENIO/test/scripts/late.ts:LOOP)
        at file://TRENIO/test/scripts/late.ts:23:19
      rank 2 is at
        at block (file://TRENIO/test/scripts/late.ts:15:11)
        at file://TRENIO/test/scripts/late.ts:24:19
      rank 3 is in a native call that does not return; the last line of the script that used the library:
        at TRENIO/test/scripts/late.ts:19:3
      rank 4 waits in the event loop for Timeout; the last line of the script that used the library:
        at TRENIO/test/scripts/late.ts:19:3
      rank 5 is stopped
      fix: see the output of rank 0; to debug with a single rank, run the script with --nproc_per_node=1
    "
  `);
  expect(leftovers(running.child.pid)).toEqual({ processes: [], memory: [] });
});
