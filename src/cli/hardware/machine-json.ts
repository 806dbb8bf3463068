// A machine as JSON: base units (bytes, FLOP/s, bytes/s, seconds), dollars, null for unknown values.
import { toDollars } from '../../base/money.ts';
import type { Machine, MultiplyType } from '../../hardware/machine.ts';

export function machineJson(machine: Machine): object {
  const { device, devices } = machine;
  return {
    name: machine.name,
    chips: machine.chips,
    devicesPerChip: machine.devicesPerChip,
    devices,
    device: device.name,
    peakFlops: peaksOf(machine),
    memoryBytes: device.memoryBytes * devices,
    memoryBandwidth: device.memoryBandwidth * devices,
    watts: device.watts === undefined ? null : device.watts * devices,
    fabric: machine.fabric,
    network: machine.network ?? null,
    hostCpus: machine.hostCpus,
    hostMemoryBytes: machine.hostMemoryBytes,
    prices: machine.prices.map(({ perHour, ...price }) => ({ ...price, usdPerHour: toDollars(perHour) })),
  };
}

/** The peaks of all devices together, in FLOP/s. */
export function peaksOf({ device, devices }: Machine): Partial<Record<MultiplyType, number>> {
  return Object.fromEntries(Object.entries(device.peakFlops).map(([type, peak]) => [type, peak * devices]));
}
