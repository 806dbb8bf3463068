// Which programs run from their kernels first, in this process, and when the C compiler starts on them.
//
//   in the cache                its machine code is loaded; it never runs from its kernels
//   other bits, or long steps   waits for the C compiler
//   all others                  run from their kernels at once. The C compiler starts, in the background, with the third run, or
//                               earlier if the runs take a part of its time
//
// So a small program that runs once or twice, such as an initialization or a printed value, never gets to the C compiler.
import { type CpuTarget, hasSameBits, runsKernelsFor } from '../../../compiler/index.ts';
import { costOfModule } from '../../../hlo/cost.ts';
import { opTable } from '../../../hlo/op-table.ts';
import { bytesOfType } from '../../../hlo/ops/costs.ts';
import { type Module, mainOf } from '../../../hlo/program.ts';

/** The time of the C compiler for a small program. */
const compileMs = 3000;
/** The runs that the C compiler does not start with, as long as they take less than `freeMs`. */
const freeRuns = 2;
const freeMs = 0.1 * compileMs;

/** The time of kernels in this process: of additions, of those of a product, of functions such as exp. */
const nsPerOperation = 1;
const nsPerProductOperation = 0.1;
const nsPerFunction = 10;
/** For arguments, results and moved elements. */
const nsPerByte = 1;
const nsPerRandomByte = 5;
/** For results of the reference interpreter, which runs kernels of single ops. */
const nsPerScatteredByte = 40;
const bytesNs: { readonly [name in string]?: number } = { scatter: nsPerScatteredByte };
/** Planning and printing are most of the first run. */
const nsPerOp = 20_000;
/** For every loop: its number may be an input of the program. */
const assumedIterations = 100;

/** Arguments and results, which are in memory twice while kernels run. */
const maxBytes = 256 << 20;
function bytesOf(module: Module): number {
  const { body } = mainOf(module);
  return [...body.args, ...body.results].reduce((sum, { type }) => sum + bytesOfType(type), 0);
}

/** An estimate of the time of a step from its kernels. */
export function kernelsMs(module: Module): number {
  let ns = nsPerByte * bytesOf(module);
  for (const [name, cost] of costOfModule(module, { iterations: () => assumedIterations }).byOp) {
    const { kind } = opTable[name];
    const perFlop = kind === 'contraction' ? nsPerProductOperation : nsPerOperation;
    const perByte = bytesNs[name] ?? (kind === 'random' ? nsPerRandomByte : kind === 'movement' ? nsPerByte : 0);
    ns +=
      perFlop * cost.flops + nsPerFunction * cost.transcendentals + perByte * cost.bytesWritten + nsPerOp * cost.count;
  }
  return ns / 1e6;
}

/** Whether a program that is not in the cache runs from its kernels until it is compiled. */
export const startsFromKernels = (module: Module, target: CpuTarget): boolean =>
  bytesOf(module) < maxBytes && kernelsMs(module) < compileMs && hasSameBits(module) && runsKernelsFor(target);

/** Whether the C compiler starts before the next run. `spentMs`: the time of its runs so far, `nextMs`: that of the next. */
export const isWorthCompiling = (runs: number, spentMs: number, nextMs: number): boolean =>
  runs >= freeRuns || spentMs + nextMs >= freeMs;
