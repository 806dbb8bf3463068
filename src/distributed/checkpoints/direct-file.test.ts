// Every byte of a file is written, for any file system and memory alignment.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allocate } from '../../runtime/execution/memory.ts';
import { writeDirectly } from './direct-file.ts';
import { blockBytes, wholeBlocks } from './save-plan.ts';

describe.each([tmpdir(), '/dev/shm'].filter(existsSync))('in %s', root => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'trenio-direct-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  // Memory that does not begin at a block cannot be written directly.
  test.each([
    [0, 0],
    [1, 0],
    [blockBytes, 0],
    [3 * blockBytes + 17, 0],
    [(1 << 24) + (1 << 23) + 5, 0],
    [3 * blockBytes + 17, 8],
    [(1 << 23) + 1, 64],
  ])('%d bytes, %d after the start of a block', async (bytes, skew) => {
    const block = allocate(wholeBlocks(bytes) + 2 * blockBytes, 'a test');
    const from = Number(-block.address & BigInt(blockBytes - 1)) + skew;
    const memory = block.bytes.subarray(from, from + bytes);
    for (let i = 0; i < bytes; i += 7) memory[i] = i % 251;
    const progress = { bytes: 0 };
    const path = join(folder, 'file');
    await writeDirectly(path, memory, progress);
    expect(Buffer.compare(readFileSync(path), memory)).toBe(0);
    expect(progress.bytes).toBe(bytes);
  });

  test('a missing folder is an error', async () => {
    const writing = writeDirectly(join(folder, 'none', 'file'), new Uint8Array(4), { bytes: 0 });
    await expect(writing).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
