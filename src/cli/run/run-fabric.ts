// `trenio run --show-fabric`: what ranks would reach each other through, as a text.
import { formatTable } from '../../base/table.ts';
import type { Fabric } from '../../distributed/launch/fabric.ts';

export function describeFabric(fabric: Fabric): string {
  const { withinHost, betweenHosts, mpiJob, mpi, libfabric, ucx, rdmaDevices, interfaces } = fabric;
  const found = (name: string, program: string, { tool, library, version, providers }: Fabric['ucx']): string => {
    if (tool === undefined)
      return library === undefined ? 'not found' : `${library}; install ${program} to see its providers here`;
    const known = version === undefined ? name : `${name} ${version}`;
    return `${known}: ${providers.length === 0 ? 'no providers' : providers.join(', ')} (${tool})`;
  };
  const implementation =
    mpi.compiler === undefined ? 'not found: no mpicc on PATH' : `${mpi.implementation ?? 'unknown'} (${mpi.compiler})`;
  const rows: readonly (readonly [string, string])[] = [
    ['ranks of one host', `${withinHost.transport}: ${withinHost.why}`],
    ['ranks of several hosts', `${betweenHosts.transport}: ${betweenHosts.why}`],
    ['mpirun, srun without trenio run', `${mpiJob.transport}: ${mpiJob.why}`],
    ['MPI', mpi.transports.length === 0 ? implementation : `${implementation}: ${mpi.transports.join(', ')}`],
    ['libfabric', found('libfabric', 'fi_info', libfabric)],
    ['UCX', found('UCX', 'ucx_info', ucx)],
    ['RDMA devices', rdmaDevices.length === 0 ? 'none' : rdmaDevices.join(', ')],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = formatTable(
    [
      { header: 'interface' },
      { header: 'addresses' },
      { header: 'MTU', align: 'right' },
      { header: 'speed', align: 'right' },
      { header: '' },
    ],
    interfaces.map(one => [
      one.name,
      one.addresses.join(', '),
      one.mtu === undefined ? '' : `${one.mtu}`,
      one.megabitsPerSecond === undefined ? 'unknown' : speed(one.megabitsPerSecond),
      one.isUsed ? 'used' : one.isUp ? '' : 'down',
    ]),
  );
  return `${rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n')}\n\n${table}\n`;
}

const speed = (megabits: number): string => (megabits >= 1000 ? `${megabits / 1000} Gbit/s` : `${megabits} Mbit/s`);
