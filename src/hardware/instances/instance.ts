// The description of an instance (or an UltraServer): its chips and their interconnect, the host, the network, and prices.
import type { ChipName, PeakFormat } from '../chips/chip.ts';
import type { Fact } from '../fact.ts';
import type { PriceFact } from '../prices.ts';

/** The interconnect of the chips. Bandwidths are GB/s in one direction; latencies are of one hop, in microseconds. */
export type FabricFacts =
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'torus';
      /** The name of the fabric. */
      readonly name: string;
      /** The number of chips along each dimension. */
      readonly shape: Fact<readonly number[]>;
      /** One link, for each dimension. */
      readonly linkGBs: Fact<readonly number[]>;
      /** The latency of a small message in microseconds. */
      readonly latencyUs: Fact<number>;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'switch' | 'none';
      /** The name of the fabric. */
      readonly name: string;
      /** The bandwidth of one chip. */
      readonly chipGBs: Fact<number>;
      /** The latency of a small message in microseconds. */
      readonly latencyUs: Fact<number>;
    };

/** To other instances. */
export interface NetworkFacts {
  /** The name of the network. */
  readonly name: string;
  /** The bandwidth in Gbit/s. */
  readonly gbps: Fact<number>;
  /** Network cards that software can address at once. */
  readonly interfaces?: Fact<number>;
  /** The latency of a small message in microseconds. */
  readonly latencyUs: Fact<number>;
}

/** An instance that can be rented. */
export interface Instance {
  /** The name of the instance type. */
  readonly name: string;
  /** Other names of the same thing. */
  readonly aliases?: readonly string[];
  /** Notes on it, without figures. */
  readonly note?: string;
  /** The chip. */
  readonly chip: ChipName;
  /** The number of chips. */
  readonly chips: Fact<number>;
  /** The separate machines that it consists of. */
  readonly hosts: number;
  /** The number of virtual CPUs. */
  readonly vcpus: Fact<number>;
  /** The host memory in GiB. */
  readonly hostMemoryGib: Fact<number>;
  /** All chips together, as published. */
  readonly acceleratorMemoryGib: Fact<number>;
  /** The memory bandwidth of all accelerators in GB/s. */
  readonly acceleratorMemoryGBs?: Fact<number>;
  /** The peak rate of all accelerators in PFLOP/s, by format. */
  readonly peakPflops?: Readonly<Partial<Record<PeakFormat, Fact<number>>>>;
  /** How its chips are connected. */
  readonly fabric: FabricFacts;
  /** Undefined: none is published, and it is used alone. */
  readonly network?: NetworkFacts;
  /** The local storage in GB. */
  readonly localStorageGb?: Fact<number>;
  /** To block storage. */
  readonly ebsGbps?: Fact<number>;
  /** The regions. */
  readonly regions?: Fact<string>;
  /** The published prices. */
  readonly prices: readonly PriceFact[];
}
