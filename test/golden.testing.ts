// The golden files of a family are one tar archive (test/golden/README.md), written by scripts/golden/family.py.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extract } from 'tar';

const cache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'golden');
const folders = new Map<string, string>();

/** The path of golden files or folders, such as `decoders/llama`. Their family is unpacked once, and kept for the next runs. */
export function goldenPath(path: string): string {
  const [family, ...rest] = path.split('/');
  const folder = folders.get(family!) ?? unpacked(family!);
  folders.set(family!, folder);
  return join(folder, ...rest);
}

function unpacked(family: string): string {
  const file = join(import.meta.dirname, 'golden', `${family}.tar`);
  const folder = join(cache, createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16), family);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const started = mkdtempSync(join(cache, 'new-'));
  extract({ file, cwd: started, sync: true });
  try {
    renameSync(started, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    rmSync(started, { recursive: true });
  }
  return folder;
}
