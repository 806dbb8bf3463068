// For tests of compilations that are under way: a C compiler that waits.
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCompiler } from './c-compiler.ts';

/** A compiler that reports when it has started, and waits while a file exists. */
export function slowCompiler(directory: string): {
  readonly path: string;
  readonly begun: () => boolean;
  readonly goOn: () => void;
} {
  const compiler = findCompiler();
  const path = join(directory, 'slow-cc');
  const [hold, begun] = [join(directory, 'hold'), join(directory, 'begun')];
  writeFileSync(hold, '');
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = --version ] && exec ${compiler.path} "$@"\ntouch ${begun}\nwhile [ -e ${hold} ]; do sleep 0.02; done\nexec ${compiler.path} "$@"\n`,
  );
  chmodSync(path, 0o755);
  return { path, begun: () => existsSync(begun), goOn: () => rmSync(hold) };
}
