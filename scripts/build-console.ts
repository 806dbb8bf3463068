// Builds console/ with Vite into the given folder, atomically: it is built in a temporary folder and renamed when it is complete.
//
//   node scripts/build-console.ts dist/console
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'vite';

export async function buildConsole(folder: string): Promise<void> {
  const partial = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  try {
    await build({
      configFile: join(import.meta.dirname, '..', 'console', 'vite.config.ts'),
      root: join(import.meta.dirname, '..', 'console'),
      logLevel: 'warn',
      build: { outDir: partial, emptyOutDir: true },
    });
    try {
      renameSync(partial, folder);
    } catch (error) {
      // Another process has finished the same build.
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

if (import.meta.main) await buildConsole(resolve(process.argv[2] ?? 'dist/console'));
