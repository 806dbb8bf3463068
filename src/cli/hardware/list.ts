// `trenio hardware ls`
import { isTrenioError } from '../../base/errors.ts';
import { formatUsd } from '../../base/money.ts';
import { formatTable } from '../../base/table.ts';
import { findInstance, instances } from '../../hardware/instances/index.ts';
import type { Machine, MultiplyType } from '../../hardware/machine.ts';
import { machineOf } from '../../hardware/machine-of.ts';
import { localMachine } from '../../simulator/calibration/index.ts';
import type { CliContext } from '../command/command.ts';
import { type LsInput, profileNamed } from './hardware-options.ts';
import { machineJson, peaksOf } from './machine-json.ts';

type Streams = Pick<CliContext, 'stdout' | 'stderr' | 'environment'>;

export async function listHardware({ options }: LsInput, context: Streams): Promise<number> {
  const profile = profileNamed('hardware ls', options.profile);
  const machines = [...measured(context), ...instances.map(({ name }) => machineOf(name, { profile }))];
  context.stdout.write(
    options.json
      ? `${JSON.stringify({ profile, machines: machines.map(machineJson) })}\n`
      : `${describeMachines(machines)}\n`,
  );
  return 0;
}

/** This machine, if it has been measured. An unusable calibration prints a notice; the other machines are still listed. */
function measured({ stderr, environment }: Omit<Streams, 'stdout'>): readonly Machine[] {
  try {
    const local = localMachine(environment);
    return local === undefined ? [] : [local];
  } catch (error) {
    if (!isTrenioError(error)) throw error;
    stderr.write(`this machine is not listed: ${error.message}\n`);
    return [];
  }
}

/** Exported for its test. */
export function describeMachines(machines: readonly Machine[]): string {
  return formatTable(
    [
      { header: 'machine' },
      { header: 'chips' },
      { header: 'f32', align: 'right' },
      { header: 'tf32', align: 'right' },
      { header: 'bf16', align: 'right' },
      { header: 'f8', align: 'right' },
      { header: 'memory', align: 'right' },
      { header: 'bandwidth', align: 'right' },
      { header: 'fabric' },
      { header: 'network' },
      { header: 'price/h', align: 'right' },
    ],
    machines.map(machine => {
      const { device, devices, fabric, network } = machine;
      const peak = (type: MultiplyType): string => formatPeak(peaksOf(machine)[type]);
      return [
        machine.name,
        `${machine.chips} × ${findInstance(machine.name)?.chip ?? device.name}`,
        peak('f32'),
        peak('tf32'),
        peak('bf16'),
        peak('f8'),
        `${Math.round((device.memoryBytes * devices) / 2 ** 30).toLocaleString('en')} GiB`,
        formatBandwidth(device.memoryBandwidth * devices),
        fabric.name,
        network === undefined ? '-' : `${((network.bandwidth * 8) / 1e9).toLocaleString('en')} Gbps ${network.name}`,
        formatPrice(machine),
      ];
    }),
  );
}

function formatPeak(flops: number | undefined): string {
  if (flops === undefined) return '-';
  return flops >= 1e15 ? `${(flops / 1e15).toFixed(2)} PF` : `${(flops / 1e12).toFixed(flops < 1e13 ? 2 : 0)} TF`;
}
const formatBandwidth = (bytes: number): string =>
  bytes >= 1e12 ? `${(bytes / 1e12).toFixed(1)} TB/s` : `${(bytes / 1e9).toFixed(0)} GB/s`;

function formatPrice({ prices }: Machine): string {
  const [own] = prices;
  const onDemand = prices.find(p => p.kind === 'on-demand' && p.service === own?.service);
  if (onDemand) return formatUsd(onDemand.perHour, { maxDecimals: 6 });
  const block = prices.find(p => p.kind === 'capacity-block');
  return block ? `${formatUsd(block.perHour, { maxDecimals: 6 })} (block)` : 'no public price';
}
