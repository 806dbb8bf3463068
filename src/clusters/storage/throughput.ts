// Measures the throughput of a shared folder: a file is written to disk and read back from disk, not from memory.
import { execFile } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

export const throughputSchema = z.object({
  writeMBps: z.number(),
  /** Undefined if the file system does not support direct reads, such as tmpfs. */
  readMBps: z.number().optional(),
  measuredAt: z.iso.datetime(),
});
export type Throughput = Readonly<z.output<typeof throughputSchema>>;

const BLOCK = 4 * 2 ** 20;
const BLOCKS = 8;
const run = promisify(execFile);

export async function measureThroughput(folder: string): Promise<Throughput> {
  const path = join(folder, `.trenio-throughput-${process.pid}`);
  const block = Buffer.alloc(BLOCK, 'trenio');
  try {
    let start = performance.now();
    const file = openSync(path, 'w', 0o600);
    try {
      for (let i = 0; i < BLOCKS; i++) writeSync(file, block);
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    const writeMBps = speed(start);
    start = performance.now();
    const isRead = await readDirect(path);
    return {
      writeMBps,
      ...(isRead ? { readMBps: speed(start) } : {}),
      measuredAt: new Date().toISOString(),
    };
  } finally {
    rmSync(path, { force: true });
  }
}

const speed = (start: number): number => Math.round((BLOCK * BLOCKS) / 1000 / (performance.now() - start));

/** Reads without the page cache; dd aligns its memory as required. False if the file system does not support it. */
function readDirect(path: string): Promise<boolean> {
  return run('dd', [`if=${path}`, 'of=/dev/null', `bs=${BLOCK}`, 'iflag=direct']).then(
    () => true,
    () => false,
  );
}
