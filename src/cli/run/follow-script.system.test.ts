// The output of a traced script is hidden unless it fails; progress is shown if it takes long.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import type { CliContext } from '../command/command.ts';
import { followScript } from './follow-script.ts';

function contextOf(): { readonly context: CliContext; readonly said: string[] } {
  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text) > 0, once: () => undefined };
  const context: CliContext = {
    stdin: Readable.from([]),
    stdout: stream,
    stderr: stream,
    cwd: process.cwd(),
    environment: inheritedVariables(),
    signal: new AbortController().signal,
    endAtOnce: async () => {},
    commands: [],
  };
  return { context, said };
}
const fixture = fileURLToPath(new URL('../plan/fixtures/train.ts', import.meta.url));

test('its output is hidden while it is traced: its losses are meaningless', {
  timeout: 180_000,
}, async () => {
  const { context, said } = contextOf();
  const { steps } = await followScript(fixture, [], context, { progressAfterMs: 3_600_000 });
  expect([steps, said]).toEqual([3, []]);
});

test('progress is shown if it takes long', async () => {
  const { context, said } = contextOf();
  await followScript(fixture, [], context, { progressAfterMs: 0 });
  expect(said[0]).toContain(`tracing ${fixture} up to its training step without running it: `);
  expect(said.join('')).not.toContain('loss');
});

test('if it fails, its output is shown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-follow-'));
  try {
    const script = join(folder, 'broken.ts');
    writeFileSync(script, "console.log('reading the data');\nthrow new Error('no such dataset');\n");
    const { context, said } = contextOf();
    const options = { progressAfterMs: 3_600_000 };
    await expect(followScript(script, [], context, options)).rejects.toThrow(/broken\.ts/);
    expect(said.join('')).toMatch(/reading the data[\s\S]*no such dataset/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
