// Totals of a machine, in the units of the published figures, from which claims are computed.

import { invariant } from '../../base/errors.ts';
import type { Chip, ChipName, PeakFormat } from '../chips/chip.ts';
import { chipOf } from '../chips/index.ts';
import { type Fact, valueUnder } from '../fact.ts';
import { findInstance } from '../instances/index.ts';
import type { Instance } from '../instances/instance.ts';
import type { FactProfile, MultiplyType } from '../machine.ts';
import { machineOf } from '../machine-of.ts';

export function instance(name: string): Instance {
  const found = findInstance(name);
  invariant(found !== undefined, `a claim about ${name}, which the catalog does not have`);
  return found;
}

/** A fact as a figure of a claim, times what converts its unit. */
export const figure =
  (fact: Fact<number> | undefined, factor = 1) =>
  (profile: FactProfile): number => {
    invariant(fact !== undefined, 'a claim about a fact that the catalog does not have');
    return valueUnder(fact, profile) * factor;
  };

/** All devices of a machine together, PFLOPS. */
export const machinePflops =
  (name: string, type: MultiplyType) =>
  (profile: FactProfile): number => {
    const { device, devices } = machineOf(name, { profile });
    return ((device.peakFlops[type] ?? Number.NaN) * devices) / 1e15;
  };

/** All chips of a machine together, PFLOPS: for formats that no device multiplies densely. */
export const chipsPflops =
  (name: string, format: PeakFormat) =>
  (profile: FactProfile): number => {
    const { chip, chips } = instance(name);
    return (chipFigure(chip, c => c.peakTflops[format])(profile) * valueUnder(chips, profile)) / 1000;
  };

export const chipFigure =
  (name: ChipName, pick: (chip: Chip) => Fact<number> | undefined, factor = 1) =>
  (profile: FactProfile): number =>
    figure(pick(chipOf(name)), factor)(profile);

/** All devices of a machine together, bytes/s ÷ 10¹². */
export const machineTBs =
  (name: string) =>
  (profile: FactProfile): number => {
    const { device, devices } = machineOf(name, { profile });
    return (device.memoryBandwidth * devices) / 1e12;
  };

export const machineMemoryGib =
  (name: string) =>
  (profile: FactProfile): number => {
    const { device, devices } = machineOf(name, { profile });
    return (device.memoryBytes * devices) / 2 ** 30;
  };

export const networkGbps =
  (name: string) =>
  (profile: FactProfile): number =>
    ((machineOf(name, { profile }).network?.bandwidth ?? Number.NaN) * 8) / 1e9;

export const ratio =
  (over: (profile: FactProfile) => number, under: (profile: FactProfile) => number) =>
  (profile: FactProfile): number =>
    over(profile) / under(profile);
