// `trenio ls`: the cores and memory of this machine, and the Trenio processes that use them.

import { formatTable } from '../base/table.ts';
import { formatBytes, formatDuration } from '../base/units.ts';
import { type CoreRow, coreRows } from '../distributed/launch/core-rows.ts';
import { formatCpuList } from '../distributed/launch/core-shares.ts';
import { machineCpus } from '../distributed/launch/machine-cpus.ts';
import { type Machine, machineInfo } from '../runtime/execution/cores.ts';
import { type RunningProcess, runningProcesses } from '../runtime/profiling/running-processes.ts';
import { defineCommand } from './command.ts';

export const lsCommand = defineCommand({
  name: 'ls',
  summary: 'Show cores, instruction sets, memory, and the Trenio processes that use them.',
  description: [
    'Lists the cores available on this machine with their vector and bf16 instructions, the memory, and the Trenio processes',
    'running on them.',
  ].join('\n'),
  positionals: [],
  options: { json: { kind: 'flag', description: 'One JSON object: {"machine", "cores", "processes"}.' } },
  examples: [
    { command: 'trenio ls', explanation: 'a table' },
    { command: 'trenio ls --json | jq .machine.bf16', explanation: 'the bf16 instructions, for scripts' },
  ],
  run: async ({ options }, { stdout }) => {
    const machine = machineInfo();
    const processes = runningProcesses();
    const cores = coreRows(machineCpus().cpus, processes);
    stdout.write(
      options.json
        ? `${JSON.stringify({ machine, cores, processes })}\n`
        : `${describeMachine(machine, cores, processes)}\n`,
    );
    return 0;
  },
});

/** Exported for its test. */
export function describeMachine(
  machine: Machine,
  cores: readonly CoreRow[],
  processes: readonly RunningProcess[],
): string {
  const plural = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;
  const vectors = machine.vectors === undefined ? 'unknown' : `${machine.vectors.name} (${machine.vectors.bits} bit)`;
  const bf16 = machine.bf16.length === 0 ? 'none' : machine.bf16.join(', ');
  const clock = machine.maxClockMHz ?? machine.clockMHz;
  const facts: readonly (readonly [string, string])[] = [
    [
      'processor',
      `${machine.model} (${machine.architecture})${clock === undefined ? '' : `, ${(clock / 1000).toFixed(2)} GHz`}`,
    ],
    ['cores', `${plural(machine.cores, 'core')}, ${plural(machine.cpus, 'CPU')}, ${plural(machine.sockets, 'socket')}`],
    ['vectors', vectors],
    ['bf16', bf16],
    [
      'caches',
      machine.caches
        .map(c => `L${c.level}${{ data: 'd', instruction: 'i', unified: '' }[c.kind]} ${formatBytes(c.bytes)}`)
        .join(', ') || 'unknown',
    ],
    ['memory', `${formatBytes(machine.memoryBytes)}, ${formatBytes(machine.availableBytes)} available`],
  ];
  const coreTable = formatTable(
    [
      { header: 'core', align: 'right' },
      { header: 'socket', align: 'right' },
      { header: 'CPUs' },
      { header: 'vectors' },
      { header: 'bf16' },
      { header: 'processes' },
    ],
    cores.map(core => [
      `${core.core}`,
      `${core.socket}`,
      formatCpuList(core.cpus),
      machine.vectors?.name ?? 'unknown',
      bf16,
      core.processes.length === 0 ? '-' : core.processes.join(', '),
    ]),
  );
  return [
    ...facts.map(([name, value]) => `${name.padEnd(10)} ${value}`),
    '',
    coreTable,
    '',
    describeProcesses(processes),
  ].join('\n');
}

function describeProcesses(processes: readonly RunningProcess[]): string {
  if (processes.length === 0) return 'No Trenio processes are running.';
  return formatTable(
    [
      { header: 'process', align: 'right' },
      { header: 'rank', align: 'right' },
      { header: 'CPUs' },
      { header: 'threads', align: 'right' },
      { header: 'memory', align: 'right' },
      { header: 'CPU time', align: 'right' },
      { header: 'command', maxWidth: 60 },
    ],
    processes.map(p => [
      `${p.pid}`,
      p.rank === undefined ? '-' : `${p.rank} of ${p.worldSize ?? '?'}`,
      formatCpuList(p.cpus),
      `${p.threads}`,
      formatBytes(p.residentBytes),
      formatDuration(p.cpuSeconds),
      p.command.join(' '),
    ]),
  );
}
