// Compilations in the background end with the process that started them.
import type { BackgroundCompilation } from './c-compiler.ts';

const underWay = new Set<BackgroundCompilation>();
/** Ends compilers with this process; one listener for any number of programs. */
export function cancelAtExit(compilation: BackgroundCompilation): void {
  if (underWay.size === 0) process.once('exit', cancelAll);
  underWay.add(compilation);
}
function cancelAll(): void {
  for (const compilation of underWay) compilation.cancel();
}
/** The compilation has ended, or is being waited for. */
export function forgetCompilation(compilation: BackgroundCompilation): void {
  underWay.delete(compilation);
  if (underWay.size === 0) process.off('exit', cancelAll);
}
