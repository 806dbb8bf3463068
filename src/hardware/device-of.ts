// A chip's facts as the devices that programs run on: one NeuronCore (or two as one logical core), or one GPU.
import type { Chip, GpuChip, NeuronChip } from './chips/chip.ts';
import { type Fact, valueUnder } from './fact.ts';
import type { Device, FactProfile, Gpu, MultiplyType, NeuronCore, PeakFlops } from './machine.ts';

const TERA = 1e12;
const GIGA = 1e9;
const GIB = 2 ** 30;
const MIB = 2 ** 20;

const multiplyTypes = ['f32', 'tf32', 'bf16', 'f16', 'f8'] as const satisfies readonly MultiplyType[];

/** The known properties of each format; unknown formats are omitted. */
function byType(of: (type: MultiplyType) => number | undefined): Readonly<Partial<Record<MultiplyType, number>>> {
  const known: Partial<Record<MultiplyType, number>> = {};
  for (const type of multiplyTypes) {
    const value = of(type);
    if (value !== undefined) known[type] = value;
  }
  return known;
}

/** A chip's peaks, divided among its devices. They count all its engines, as the documents do. */
function peaksOf(chip: Chip, profile: FactProfile, devices: number): PeakFlops {
  const share = (fact: Fact<number>): number => (valueUnder(fact, profile) * TERA) / devices;
  const peaks = byType(type => chip.peakTflops[type] && share(chip.peakTflops[type]));
  return { ...peaks, f32: share(chip.peakTflops.f32) };
}

export interface DeviceOptions {
  readonly profile: FactProfile;
  /** Physical cores that are used as one. */
  readonly coresPerDevice: number;
}

/** One device of the chip. GPUs have no logical cores: `coresPerDevice` is 1. */
export function deviceOf(chip: Chip, options: DeviceOptions): Device {
  return chip.kind === 'gpu' ? gpuOf(chip, options.profile) : neuronCoreOf(chip, options);
}

export const devicesPerChip = (chip: Chip, { profile, coresPerDevice }: DeviceOptions): number =>
  chip.kind === 'gpu' ? 1 : valueUnder(chip.cores, profile) / coresPerDevice;

function neuronCoreOf(chip: NeuronChip, options: DeviceOptions): NeuronCore {
  const { profile, coresPerDevice } = options;
  const devices = devicesPerChip(chip, options);
  const of = <T>(fact: Fact<T>): T => valueUnder(fact, profile);
  const { tensorPerCore: tensor, vectorPerCore: vector, scalarPerCore: scalar } = chip;
  return {
    kind: 'neuron-core',
    name: coresPerDevice === 1 ? chip.core : `${coresPerDevice} × ${chip.core}`,
    peakFlops: peaksOf(chip, profile, devices),
    memoryBytes: (of(chip.memoryGib) * GIB) / devices,
    memoryBandwidth: (of(chip.memoryGBs) * GIGA) / devices,
    watts: chip.watts && of(chip.watts) / devices,
    tensor: {
      rows: of(tensor.rows),
      // A logical core of two has two arrays, each with half of the columns of the stationary operand.
      columns: of(tensor.columns) * coresPerDevice,
      moving: of(tensor.moving),
      clock: of(tensor.clockGhz) * GIGA,
      slowdown: byType(type => (type === 'bf16' ? 1 : tensor.slowdown[type] && of(tensor.slowdown[type]))),
    },
    // The rate of f32, which is the lower one: 16-bit elements pass faster only through some instructions.
    vector: {
      elementsPerCycle: of(vector.elementsPerCycle) * coresPerDevice,
      clock: of(vector.clockGhz) * GIGA,
    },
    scalar: {
      elementsPerCycle: of(scalar.elementsPerCycle) * coresPerDevice,
      clock: of(scalar.clockGhz) * GIGA,
    },
    sbufBytes: of(chip.sbufMibPerCore) * MIB * coresPerDevice,
    psumBytes: of(chip.psumMibPerCore) * MIB * coresPerDevice,
  };
}

function gpuOf(chip: GpuChip, profile: FactProfile): Gpu {
  const of = (fact: Fact<number>): number => valueUnder(fact, profile);
  return {
    kind: 'gpu',
    name: chip.title,
    peakFlops: peaksOf(chip, profile, 1),
    memoryBytes: of(chip.memoryGib) * GIB,
    memoryBandwidth: of(chip.memoryGBs) * GIGA,
    watts: chip.watts && of(chip.watts),
    multiprocessors: of(chip.multiprocessors),
    clock: of(chip.clockGhz) * GIGA,
    sustained: chip.sustained === undefined ? 1 : of(chip.sustained),
    vectorFlops: of(chip.vectorTflops) * TERA,
    cacheBytes: of(chip.cacheMib) * MIB,
  };
}
