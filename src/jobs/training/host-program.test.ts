import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { HostProgram } from './host-program.ts';

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
