// An explanation as text: a paragraph per kernel, the ops that are recomputed, and the memory.
import { formatLocation, type SourceLocation } from '../../base/errors.ts';
import { formatBytes } from '../../base/units.ts';
import type { ExplainedKernel, ExplainedOp, ExplainedValue, Explanation } from '../../compiler/index.ts';
import { limitsText } from '../../runtime/index.ts';
import type { FoundOp } from './explain-op.ts';
import type { MeasuredKernel, MeasuredProgram } from './explain-profile.ts';

const maxLines = 8;

/** `name`: of the program. */
export function explanationText(name: string, explanation: Explanation, measured: MeasuredProgram | undefined): string {
  const { isa, recorded, scheduled, kernels, computedAgain } = explanation;
  const calls = kernels.reduce((n, k) => n + k.calls.length, 0);
  const head = [
    `${name}: ${recorded.length} ops, ${scheduled} after the passes, in ${count(kernels.length, 'kernel')} called ${calls} times (${isa})`,
  ];
  if (measured !== undefined) {
    const inKernels = measured.kernels.reduce((n, k) => n + k.nanoseconds, 0);
    head.push(
      `a step takes ${time(measured.nanoseconds)} (${measured.steps} measured), ${percent(inKernels / measured.nanoseconds)} of it in kernels`,
      limitsText(measured.limits),
    );
  }
  const measuredOf = new Map(measured?.kernels.map(k => [k.name, k]));
  const order = new Map(measured?.kernels.map((k, i) => [k.name, i]));
  const last = order.size;
  const sorted = [...kernels].sort((a, b) => (order.get(a.name) ?? last) - (order.get(b.name) ?? last));
  const parts = [head.join('\n'), ...sorted.map(k => kernelText(k, measuredOf.get(k.name)))];
  if (computedAgain.length > 0) {
    const lines = computedAgain.map(op => `${opLine(op)}: in ${op.kernels.join(', ')}; ${op.why}`);
    parts.push(['recomputed instead of stored', ...shortened(lines)].join('\n'));
  }
  parts.push(memoryText(explanation));
  return parts.join('\n\n');
}

function kernelText(kernel: ExplainedKernel, measured: MeasuredKernel | undefined): string {
  const { name, kind, shape, why, ops, views, reads, writes, flops } = kernel;
  const lines = [`${name}  ${kind} ${shape}`, ...why.map(text => `  ${text}`)];
  if (measured !== undefined) lines.push(`  ${measuredText(measured)}`);
  const work = flops === 0 ? 'no arithmetic' : `${amount(flops)}FLOP`;
  lines.push(`  a call: ${work}, ${formatBytes(kernel.bytesRead)} read, ${formatBytes(kernel.bytesWritten)} written`);
  lines.push('  ops', ...shortened(ops.map(opLine)).map(indent));
  if (views.length > 0) lines.push(`  only as indices: ${[...new Set(views.map(v => v.name))].join(', ')}`);
  lines.push('  reads', ...shortened(reads.map(valueLine)).map(indent));
  lines.push('  writes', ...shortened(writes.map(v => `${valueLine(v)}: ${v.why.join('; ')}`)).map(indent));
  return lines.join('\n');
}

function measuredText({
  nanoseconds,
  calls,
  shareOfStep,
  gflopPerSecond,
  gbPerSecond,
  roofline,
}: MeasuredKernel): string {
  const bound = {
    compute: 'compute-bound',
    memory: 'memory-bound',
    overhead: 'dominated by launch overhead',
    other: 'far from both limits: latency, or functions with many instructions',
  }[roofline.bound];
  const rates = `${gflopPerSecond.toFixed(1)} GFLOP/s, ${gbPerSecond.toFixed(1)} GB/s`;
  return `${time(nanoseconds / calls)} a call, ${percent(shareOfStep)} of the step: ${rates}, ${percent(roofline.share)} of the limit; ${bound}`;
}

function memoryText({ memory }: Explanation): string {
  const { arenaBytes, liveBytes, liveAt, argumentBytes, resultBytes, donatedBytes, constantBytes, largest } = memory;
  const at = liveAt === undefined ? '' : ` (at call ${liveAt})`;
  const donated = donatedBytes === 0 ? '' : `, ${formatBytes(donatedBytes)} of it over arguments`;
  const lines = [
    `memory: ${formatBytes(memory.totalBytes)}`,
    `  arguments ${formatBytes(argumentBytes)}, results ${formatBytes(resultBytes)}${donated}, constants ${formatBytes(constantBytes)}`,
    `  temporaries ${formatBytes(arenaBytes)}; at most ${formatBytes(liveBytes)} are in use at once${at}`,
  ];
  if (largest.length > 0)
    lines.push('  largest', ...largest.map(v => indent(`${valueLine(v)}, calls ${v.firstCall} to ${v.lastCall}`)));
  return lines.join('\n');
}

/** The answer to --op. */
export function opText(op: string, found: readonly FoundOp[]): string {
  const lines = found.map(({ as, kernels, type, location, ops }) => {
    const what = `${op}${type === undefined ? '' : ` ${type}`}${at(location)}`;
    const where = kernels.join(', ');
    if (as === 'computed')
      return `${what}: computed in ${where}${kernels.length > 1 ? ' (recomputed in each, or by identical steps)' : ''}`;
    if (as === 'index')
      return `${what}: free, only changes which elements ${where} ${kernels.length > 1 ? 'read' : 'reads'}`;
    if (as === 'replaced') return `${what}: became ${ops.join(', ')} in ${where}`;
    return `${what}: gone; it was folded, simplified, merged with an identical op, or unused`;
  });
  return lines.join('\n');
}

const indent = (line: string): string => `    ${line}`;
const at = (location: SourceLocation | undefined): string =>
  location === undefined ? '' : ` at ${formatLocation(location).split('/').at(-1)}`;
const opLine = (op: ExplainedOp): string => `${op.name} ${op.type}${at(op.location)}`;
const valueLine = ({ value, from, type, bytes, memory }: ExplainedValue): string =>
  `${value} ${from} ${type}, ${formatBytes(bytes)}${memory === from ? '' : `, ${memory}`}`;
const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
const percent = (share: number): string => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;

function shortened(lines: readonly string[]): readonly string[] {
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), `… ${lines.length - maxLines + 1} more`];
}
/** `12.3 µs`, `4.56 ms` */
function time(nanoseconds: number): string {
  return nanoseconds < 1e6 ? `${(nanoseconds / 1e3).toFixed(1)} µs` : `${(nanoseconds / 1e6).toFixed(2)} ms`;
}
/** `512 `, `1.34 G`, followed by a unit. */
function amount(value: number): string {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  const step = Math.min(Math.floor(Math.log10(value) / 3), prefixes.length - 1);
  return step === 0 ? `${value} ` : `${(value / 10 ** (3 * step)).toFixed(2)} ${prefixes[step]}`;
}
