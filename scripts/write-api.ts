// Writes the API reference, from the JSDoc of everything that `trenio` exports, to docs/api/index.html. With --check it writes
// nothing and fails for exports without documentation, types that are used in public signatures but not exported, and broken
// links.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const site = join(import.meta.dirname, '..', 'docs', 'site');
const run = (command: string, args: readonly string[]): void => {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

const typedoc = join(site, 'node_modules', 'typedoc', 'bin', 'typedoc');
if (!existsSync(typedoc)) run('npm', ['ci', '--no-audit', '--no-fund']);
run(process.execPath, [
  typedoc,
  ...(process.argv.includes('--check')
    ? ['--emit', 'none', '--treatValidationWarningsAsErrors', '--logLevel', 'Warn']
    : []),
]);
