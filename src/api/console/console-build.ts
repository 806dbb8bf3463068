// The location of the built console. The package contains it. In the repository it is built on first use, and again when
// its sources have changed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TrenioError } from '../../base/errors.ts';

const packaged = fileURLToPath(new URL('../../console', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));
const isSource = import.meta.url.endsWith('.ts');

/** The folder with the console's files. @throws {CONSOLE_NOT_BUILT} */
export async function consoleFolder(): Promise<string> {
  if (!isSource) {
    if (existsSync(packaged)) return packaged;
    throw new TrenioError('CONSOLE_NOT_BUILT', { reason: `${packaged} does not exist` });
  }
  const folder = join(root, 'node_modules', '.cache', 'trenio', `console-${sourceHash()}`);
  if (existsSync(folder)) return folder;
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build-console.ts'), folder], { cwd: root });
  } catch (cause) {
    const { stderr = '', message } = cause as Error & { readonly stderr?: string };
    throw new TrenioError('CONSOLE_NOT_BUILT', { reason: stderr.trim() || message }, { cause });
  }
  return folder;
}

function sourceHash(): string {
  const hash = createHash('sha256');
  const sources = join(root, 'console');
  const names = readdirSync(sources, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const files = [...names.map(entry => join(entry.parentPath, entry.name)), join(root, 'package-lock.json')];
  for (const file of files.toSorted()) hash.update(file).update('\0').update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
