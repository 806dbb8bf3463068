// Requests permission from Linux to use AMX's tiles. They are 8 KiB of registers that the kernel saves per thread, so permission
// is required once per process, before the first of its instructions: without it they are illegal.
import koffi from 'koffi';

/** Constants of x86-64, from <asm/unistd_64.h>, <asm/prctl.h> and the processor's list of state components. */
const archPrctl = 158;
const requestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
const tileData = 18; // XFEATURE_XTILEDATA

let answer: boolean | undefined;
/**
 * Whether this process, with all of its threads, may use tiles from now on. False if the system does not support them, a sandbox
 * denies it, or some thread's signal stack is too small for them. Requests permission once.
 */
export function mayUseTiles(): boolean {
  answer ??= process.platform === 'linux' && process.arch === 'x64' && request();
  return answer;
}

function request(): boolean {
  try {
    const syscall = koffi.load(null).func('long syscall(long number, long a, long b)') as unknown as (
      number: number,
      a: number,
      b: number,
    ) => number;
    return syscall(archPrctl, requestPermission, tileData) === 0;
  } catch {
    // The C library has no such function: use programs without tiles.
    return false;
  }
}
