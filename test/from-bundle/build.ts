// Before the first test: the bundle of the sources as they are now, with the console.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleForTests } from '../../scripts/bundle.ts';
import { isForTests } from '../../scripts/test-files.ts';
import { consoleFolder } from '../../src/api/console/console-build.ts';
import { bundled, sources } from './folder.ts';

const root = join(sources, '..');
const state = 'sources.txt';

/** @param built the folder of the console, whose name changes with its sources */
function sourcesHash(built: string): string {
  const files = globSync('src/**/*.{ts,c,h}', { cwd: root }).filter(file => !isForTests(file));
  const hash = createHash('sha256').update(`${built}\0`);
  for (const file of [...files.sort(), 'scripts/bundle.ts', 'package-lock.json'])
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function builtFrom(): string | undefined {
  try {
    return readFileSync(join(bundled, state), 'utf8');
  } catch {
    return undefined;
  }
}

async function build(): Promise<void> {
  const built = await consoleFolder();
  const hash = sourcesHash(built);
  if (builtFrom() === hash) return;
  const folder = mkdtempSync(`${bundled}-`);
  // Programs of jobs of a server that is root read it as another user.
  chmodSync(folder, 0o755);
  try {
    await bundleForTests(folder);
    symlinkSync(built, join(folder, 'console'));
    writeFileSync(join(folder, state), hash);
    rmSync(bundled, { recursive: true, force: true });
    renameSync(folder, bundled);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export default async function setup(project: TestProject): Promise<void> {
  await build();
  project.onTestsRerun(build);
}
