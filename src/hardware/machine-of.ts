// From a name to numbers: the catalog's facts under one profile, in base units, as the simulator takes them.
import { TrenioError } from '../base/errors.ts';
import { nearestNames } from '../base/nearest.ts';
import type { Chip } from './chips/chip.ts';
import { chipOf } from './chips/index.ts';
import { deviceOf, devicesPerChip } from './device-of.ts';
import { type Fact, factUnder, valueUnder } from './fact.ts';
import { findInstance, isManaged, machineNames } from './instances/index.ts';
import type { FabricFacts, Instance, NetworkFacts } from './instances/instance.ts';
import type { Fabric, FactProfile, Machine, Network, Price } from './machine.ts';
import { dateUnder } from './prices.ts';

/** Options of `machineOf`. */
export interface MachineOptions {
  /** Default: `docs`, the figures of today's documents. */
  readonly profile?: FactProfile;
  /** Physical NeuronCores per logical core (LNC): 1, or 2 on Trainium2 and 3. Default: 2 there, as in the runtime. */
  readonly lnc?: 1 | 2;
}

const GIGA = 1e9;
const GIB = 2 ** 30;
const MICRO = 1e-6;
const BITS_PER_BYTE = 8;

/**
 * A machine of the catalog. `ml.` before the name means the managed service: its prices come first.
 * @throws {UNKNOWN_MACHINE} with the nearest names
 * @throws {BAD_LOGICAL_CORE} if its chip has no such logical cores
 * @example
 * const machine = hardware.machineOf('trn1.32xlarge');
 * Object.keys(machine).length > 3 // true
 */
export function machineOf(name: string, options: MachineOptions = {}): Machine {
  const { profile = 'docs' } = options;
  const instance = findInstance(name);
  if (!instance) throw new TrenioError('UNKNOWN_MACHINE', { name, nearest: nearestNames(name, machineNames) });
  const chip = chipOf(instance.chip);
  const lnc = logicalCores(chip, options.lnc, profile);
  const device = { profile, coresPerDevice: lnc };
  const chips = valueUnder(instance.chips, profile);
  const perChip = devicesPerChip(chip, device);
  return {
    name,
    profile,
    ...(chip.madeFor === undefined ? {} : { madeFor: chip.madeFor }),
    device: deviceOf(chip, device),
    chips,
    devicesPerChip: perChip,
    devices: chips * perChip,
    fabric: fabricOf(instance.fabric, profile),
    network: instance.network && networkOf(instance.network, profile),
    hostCpus: valueUnder(instance.vcpus, profile),
    hostMemoryBytes: valueUnder(instance.hostMemoryGib, profile) * GIB,
    prices: pricesOf(instance, isManaged(name) ? 'sagemaker' : 'ec2', profile),
  };
}

function logicalCores(chip: Chip, asked: number | undefined, profile: FactProfile): number {
  const possible: readonly number[] =
    chip.kind === 'neuron' && chip.coresPerLogicalCore ? valueUnder(chip.coresPerLogicalCore, profile) : [1];
  const lnc = asked ?? Math.max(...possible);
  if (!possible.includes(lnc)) throw new TrenioError('BAD_LOGICAL_CORE', { chip: chip.title, got: lnc, possible });
  return lnc;
}

function fabricOf(facts: FabricFacts, profile: FactProfile): Fabric {
  const of = <T>(fact: Fact<T>): T => valueUnder(fact, profile);
  const { name } = facts;
  const latency = of(facts.latencyUs) * MICRO;
  if (facts.kind !== 'torus') return { kind: facts.kind, name, bandwidth: of(facts.chipGBs) * GIGA, latency };
  return {
    kind: 'torus',
    name,
    shape: of(facts.shape),
    linkBandwidth: of(facts.linkGBs).map(gb => gb * GIGA),
    latency,
  };
}

function networkOf(facts: NetworkFacts, profile: FactProfile): Network {
  return {
    name: facts.name,
    bandwidth: (valueUnder(facts.gbps, profile) * GIGA) / BITS_PER_BYTE,
    latency: valueUnder(facts.latencyUs, profile) * MICRO,
  };
}

/** All published prices, those of the named service first. */
function pricesOf(instance: Instance, first: Price['service'], profile: FactProfile): readonly Price[] {
  const prices = instance.prices.map(price => {
    const { value, source, uncertain = false } = factUnder(price.perHour, profile);
    return {
      kind: price.kind,
      service: price.service,
      perHour: value,
      date: dateUnder(price, profile),
      source,
      uncertain,
    };
  });
  return [...prices.filter(p => p.service === first), ...prices.filter(p => p.service !== first)];
}
