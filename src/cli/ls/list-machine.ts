// The output of `trenio ls`.
import { basename } from 'node:path';
import { formatTable } from '../../base/table.ts';
import { formatBytes, formatDuration } from '../../base/units.ts';
import { type CoreRow, coreRows } from '../../distributed/launch/core-rows.ts';
import { formatCpuList } from '../../distributed/launch/core-shares.ts';
import { machineCpus } from '../../distributed/launch/machine-cpus.ts';
import { LocalSource, type ProcessIdentityCard } from '../../observe/index.ts';
import { type Machine, machineInfo } from '../../runtime/execution/cores.ts';
import { type RunningProcess, runningProcesses } from '../../runtime/profiling/running-processes.ts';
import type { CliContext, OptionValues } from '../command/command.ts';
import { describeTopology, neuronDevices, numaNodes } from './ls-devices.ts';
import { type Gpu, listGpus } from './ls-gpus.ts';
import type { lsOptions } from './ls-options.ts';

export async function listMachine(
  options: OptionValues<typeof lsOptions>,
  { stdout, environment }: CliContext,
): Promise<number> {
  const machine = machineInfo();
  const processes = runningProcesses();
  const cores = coreRows(machineCpus().cpus, processes);
  const nodes = numaNodes(machine);
  if (options['json-output']) {
    stdout.write(`${JSON.stringify(neuronDevices(nodes, processes))}\n`);
    return 0;
  }
  const gpus = listGpus(environment);
  const training = (await new LocalSource(environment).processes(0)).map(({ identity }) => identity);
  const parts = [
    describeMachine(machine, cores, processes, training, options.wide),
    ...(gpus.length === 0 ? [] : [describeGpus(gpus)]),
    ...(options.topology ? [describeTopology(nodes)] : []),
  ];
  stdout.write(
    options.json ? `${JSON.stringify({ machine, cores, gpus, processes, training })}\n` : `${parts.join('\n\n')}\n`,
  );
  return 0;
}

/** Exported for its test. */
export function describeMachine(
  machine: Machine,
  cores: readonly CoreRow[],
  processes: readonly RunningProcess[],
  training: readonly ProcessIdentityCard[] = [],
  isWide = false,
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
    describeProcesses(processes, training, isWide),
  ].join('\n');
}

const describeGpus = (gpus: readonly Gpu[]): string =>
  formatTable(
    [
      { header: 'GPU', align: 'right' },
      { header: 'name' },
      { header: 'memory', align: 'right' },
      { header: 'used', align: 'right' },
      { header: 'busy', align: 'right' },
    ],
    gpus.map(({ index, name, memoryBytes, usedBytes, utilizationPercent: busy }) => [
      `${index}`,
      name,
      formatBytes(memoryBytes),
      formatBytes(usedBytes),
      busy === undefined ? '-' : `${busy} %`,
    ]),
  );

function describeProcesses(
  processes: readonly RunningProcess[],
  training: readonly ProcessIdentityCard[],
  isWide: boolean,
): string {
  const cards = new Map(training.map(card => [card.pid, card]));
  if (processes.length === 0) return 'No Trenio processes are running.';
  return formatTable(
    [
      { header: 'process', align: 'right' },
      { header: 'rank', align: 'right' },
      { header: 'CPUs' },
      { header: 'threads', align: 'right' },
      { header: 'memory', align: 'right' },
      { header: 'CPU time', align: 'right' },
      { header: 'user' },
      { header: 'script', ...(isWide ? {} : { maxWidth: 30 }) },
      { header: 'command', ...(isWide ? {} : { maxWidth: 60 }) },
    ],
    processes.map(p => [
      `${p.pid}`,
      p.rank === undefined ? '-' : `${p.rank} of ${p.worldSize ?? '?'}`,
      formatCpuList(p.cpus),
      `${p.threads}`,
      formatBytes(p.residentBytes),
      formatDuration(p.cpuSeconds),
      p.user,
      basename(cards.get(p.pid)?.script ?? p.script ?? '-'),
      p.command.join(' '),
    ]),
  );
}
