// Files that were made to break a reader (bench/file-fuzz/hostile-files.ts): each is refused with its code, or read, in time.
// Their memory is measured by bench/file-fuzz.ts, in processes of its own.
// starts: bench/file-fuzz/hostile-files.ts
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formats } from '../bench/file-fuzz/formats.ts';
import { hostileFiles } from '../bench/file-fuzz/hostile-files.ts';

/** CPU time; a template may take 10 seconds. */
const mostMs = 12_000;

test.each(hostileFiles)('$format: $what', async ({ format, code, bytes }) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-hostile-'));
  const { name, beside, read } = formats[format]!;
  for (const [other, content] of Object.entries(beside?.() ?? {})) writeFileSync(join(folder.path, other), content);
  const file = join(folder.path, name);
  writeFileSync(file, bytes());
  const start = process.cpuUsage();
  const result = await Promise.resolve()
    .then(() => read(file))
    .then(
      () => null,
      (error: { readonly code?: string; readonly stack?: string }) => error.code ?? error.stack,
    );
  const { user, system } = process.cpuUsage(start);
  expect(result).toBe(code);
  expect((user + system) / 1000).toBeLessThan(mostMs);
});
