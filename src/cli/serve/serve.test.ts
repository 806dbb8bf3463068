import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runWords } from '../run-cli.testing.ts';

test.each([
  [['--host', '0.0.0.0'], '--host is 0.0.0.0, expected a loopback address, --api-key, or --insecure'],
  [['--dtype', 'int4'], '--dtype is int4, expected auto or float32 or bfloat16'],
  [['--quantization', 'awq'], '--quantization is awq, expected none or q8_0 or q4_0'],
  [['--kv-cache-dtype', 'int8'], '--kv-cache-dtype is int8, expected auto or float32 or bfloat16'],
  [['--check-invariance', '2'], '--check-invariance is 2, expected a share of the requests, 0 to 1'],
  [['--generation-config', 'x'], '--generation-config is x, expected auto or vllm'],
])('%j is refused before anything is loaded', async (words, message) => {
  const { exitCode, stderr } = await runWords(['serve', 'nowhere', ...words]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('loading');
});

test('a file without keys is refused, and so is a folder without a model', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trenio-serve-'));
  try {
    const file = join(folder, 'keys');
    await writeFile(file, '\n \n');
    const { stderr } = await runWords(['serve', folder, '--api-key-file', file]);
    expect(stderr).toContain('which has none, expected a key in each line');
    const none = await runWords(['serve', folder, '--port', '0']);
    expect(none).toMatchObject({ exitCode: 1, stdout: '' });
    expect(none.stderr).toContain(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
});
