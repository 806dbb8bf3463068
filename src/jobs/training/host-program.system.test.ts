import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { HostProgram, watchPrograms } from './host-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'host-program-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a program that is told to end while its view is set up ends, and does not wait for SIGKILL', async () => {
  const view = { folder, hostName: 'algo-1', networkOf: undefined, expose: [], hidden: [] };
  for (const name of ['ml', 'tmp']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n');
  // The setup of a view takes some 50 ms, more on a busy machine.
  for (let afterMs = 0; afterMs < 100; afterMs += 4) {
    const program = HostProgram.start('algo-1', {
      ...{ folder, view, command: ['sleep', '600'], environment: process.env, onLine: () => {} },
    });
    await sleep(afterMs);
    program.signal('SIGTERM');
    await program.ended;
    expect(program.exit, `after ${afterMs} ms`).toBeGreaterThan(128);
  }
});

test('the program that failed first is named, not the first of those that failed', async () => {
  const view = { folder, hostName: 'algo-1', networkOf: undefined, expose: [], hidden: [] };
  const start = (host: string, script: string): HostProgram<string> =>
    HostProgram.start(host, {
      folder,
      view,
      command: ['sh', '-c', script],
      environment: process.env,
      onLine: () => {},
    });
  // The other one waits for a file of the first, and so ends after it.
  const programs = [start('algo-1', 'until [ -e tmp/gone ]; do sleep 0.01; done; exit 2'), start('algo-2', 'exit 3')];
  void programs[1]!.ended.then(() => writeFileSync(join(folder, 'tmp/gone'), ''));
  const { ending, failed } = await watchPrograms(programs, {
    graceMs: 10_000,
    now: Date.now,
    look: async () => undefined,
  });
  expect([ending, failed?.host, failed?.exit]).toEqual(['host failed', 'algo-2', 3]);
});
