// Asks Linux to let this process use AMX's tiles. They are 8 KiB of registers that the kernel saves for each thread, so it
// wants to be asked, once a process and before the first of its instructions: without that they are illegal.
import koffi from 'koffi';

/** Of x86-64, from <asm/unistd_64.h>, <asm/prctl.h> and the processor's list of state components. */
const archPrctl = 158;
const requestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
const tileData = 18; // XFEATURE_XTILEDATA

let answer: boolean | undefined;
/**
 * Whether this process, all of its threads, may use tiles from now on. False where the system does not know them, a sandbox
 * refuses, or some thread's stack for signals is too small for them. Asks once.
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
    return false; // no such function in this C library
  }
}
