// Finds a machine or chip by name, with all its facts: from the catalog, or this machine if it has been measured.
import { hostname } from 'node:os';
import type { Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { nearestNames } from '../../base/nearest.ts';
import { chipNames } from '../../hardware/chips/chip.ts';
import { chips } from '../../hardware/chips/index.ts';
import { type Fact, factsOf, listFacts } from '../../hardware/fact.ts';
import { findInstance, isManaged, machineNames } from '../../hardware/instances/index.ts';
import type { Instance } from '../../hardware/instances/instance.ts';
import type { FactProfile, Machine } from '../../hardware/machine.ts';
import { machineOf } from '../../hardware/machine-of.ts';
import { dateUnder } from '../../hardware/prices.ts';
import { torusNeighbors } from '../../hardware/torus.ts';
import { type LocalMachine, localMachine } from '../../simulator/calibration/index.ts';

export interface NamedFact {
  readonly path: readonly string[];
  readonly fact: Fact<unknown>;
}
export interface Named {
  readonly kind: 'chip' | 'machine';
  readonly name: string;
  /** One line of description. */
  readonly title: string;
  readonly facts: readonly NamedFact[];
  /** The same in base units; undefined for a chip. */
  readonly machine?: Machine;
}

/**
 * `local` is this machine.
 * @throws {UNKNOWN_MACHINE} with the nearest names; for this machine what `localMachine` throws
 */
export function findHardware(name: string, profile: FactProfile, environment: Variables): Named {
  const chip = chips.find(c => c.name === name);
  if (chip) {
    const title = chip.kind === 'neuron' ? `${chip.title}, of ${chip.core}` : chip.title;
    return { kind: 'chip', name, title, facts: listFacts(chip) };
  }
  const found = findInstance(name);
  if (!found) {
    // Read the calibration only if this machine is meant: an unusable one is not the right error for a misspelled name.
    const here = name === 'local' || name === hostname() ? localMachine(environment) : undefined;
    if (here !== undefined) return localNamed(here);
    throw new TrenioError('UNKNOWN_MACHINE', { name, nearest: nearestNames(name, [...machineNames, ...chipNames]) });
  }
  const parts = [`${found.chips.value} × ${found.chip}`, found.fabric.name, found.network?.name, found.note];
  return {
    kind: 'machine',
    name,
    title: parts.filter(part => part !== undefined).join('; '),
    facts: machineFacts(found, name, profile),
    machine: machineOf(name, { profile }),
  };
}

function machineFacts(found: Instance, name: string, profile: FactProfile): readonly NamedFact[] {
  const { prices, ...rest } = found;
  const { fabric } = found;
  const service = isManaged(name) ? 'sagemaker' : undefined;
  const shown = prices.filter(price => service === undefined || price.service === service);
  return [
    ...listFacts(rest),
    ...(fabric.kind === 'torus'
      ? [
          {
            path: ['fabric', 'neighbors of chip 0'],
            fact: {
              value: torusNeighbors(fabric.shape.value, 0),
              source: fabric.shape.source,
              note: 'computed from the shape',
            },
          },
        ]
      : []),
    ...shown.map(price => ({
      path: ['price', price.service === 'ec2' ? 'EC2' : 'SageMaker', `${price.kind} (${dateUnder(price, profile)})`],
      fact: price.perHour,
    })),
  ];
}

function localNamed(machine: LocalMachine): Named {
  const { device } = machine;
  const measured = factsOf('measured here by trenio hardware calibrate');
  const reported = factsOf('reported by the operating system');
  const facts = {
    threads: measured(device.threads),
    peakTflops: {
      f32: measured(rounded(device.peakFlops.f32 / 1e12), 'TFLOPS', { note: 'multiply-adds in registers' }),
      ...(device.peakFlops.bf16 === undefined
        ? {}
        : { bf16: measured(rounded(device.peakFlops.bf16 / 1e12), 'TFLOPS') }),
    },
    memoryGib: reported(rounded(device.memoryBytes / 2 ** 30), 'GiB'),
    memoryGBs: measured(rounded(device.memoryBandwidth / 1e9), 'GB/s', { note: 'arrays larger than all caches' }),
  };
  return { kind: 'machine', name: machine.name, title: device.name, facts: listFacts(facts), machine };
}

/** Measurements have at most four significant digits. */
const rounded = (value: number): number => Number(value.toPrecision(4));
