// For tests: C compiled to a shared object, all files at once. Objects are kept between runs, in trenio-tests in the user's cache
// folder, since most programs of most runs are those of the run before. TRENIO_TEST_COLD=1 compiles everything again.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIfThere } from '../../base/file-error.ts';
import { linkerFlags } from '../index.ts';
import { testCompiler } from './c-compiler.testing.ts';

export interface TestSource {
  readonly name: string;
  readonly source: string;
}

const testObjects = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'trenio-tests');

const unusedMs = 14 * 24 * 3600 * 1000;
/** Removes what no test has used for two weeks. */
function prune(): void {
  for (const name of readdirSync(testObjects)) {
    const file = join(testObjects, name);
    // Another process may prune, too.
    const used = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - used > unusedMs) rmSync(file, { recursive: true, force: true });
  }
}

const identities = new Map<string, string>();
/** The other things on which the machine code depends: the version of the compiler, and this CPU, for -march=native. */
function identityOf(compiler: string): string {
  let identity = identities.get(compiler);
  if (identity === undefined) {
    const cpu = readIfThere('/proc/cpuinfo')?.match(/^(?:model name|flags)\s*:.*$/gm) ?? [];
    identity = [execFileSync(compiler, ['--version'], { encoding: 'utf8' }), ...cpu.slice(0, 2)].join('\n');
    identities.set(compiler, identity);
  }
  return identity;
}

/** The path of the object. */
export function objectFor(sources: readonly TestSource[], flags: readonly string[], compiler = testCompiler): string {
  const hash = createHash('sha256').update(JSON.stringify([identityOf(compiler), flags, linkerFlags, sources]));
  const object = join(testObjects, `${hash.digest('hex')}.so`);
  if (process.env.TRENIO_TEST_COLD !== '1' && existsSync(object)) {
    const now = new Date();
    utimesSync(object, now, now);
    return object;
  }
  const folder = mkdtempSync(join(tmpdir(), 'trenio-compiler-'));
  try {
    const files = sources.map(({ name, source }) => {
      const file = join(folder, `${name}.c`);
      writeFileSync(file, source);
      return file;
    });
    const compile = files.map(f => `${compiler} ${flags.join(' ')} -c ${f} -o ${f}.o & pids="$pids $!";`).join(' ');
    const made = join(folder, 'program.so');
    const link = `${compiler} ${files.map(f => `${f}.o`).join(' ')} -o ${made} ${linkerFlags.join(' ')}`;
    execFileSync('sh', ['-c', `${compile} for p in $pids; do wait $p || exit 1; done; ${link}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (!existsSync(testObjects)) mkdirSync(testObjects, { recursive: true });
    else if (Math.random() < 0.01) prune();
    const temporary = mkdtempSync(join(testObjects, 'new-'));
    writeFileSync(join(temporary, 'object'), readFileSync(made));
    renameSync(join(temporary, 'object'), object);
    rmSync(temporary, { recursive: true });
    return object;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
