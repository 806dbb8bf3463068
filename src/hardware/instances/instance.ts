// What an instance (or an UltraServer) is: chips, how they are joined, the host around them, the network, and prices.
import type { ChipName, PeakFormat } from '../chips/chip.ts';
import type { Fact } from '../fact.ts';
import type { PriceFact } from '../prices.ts';

/** How the chips are joined. Bandwidths are GB/s in one direction; latencies are of one hop, in microseconds. */
export type FabricFacts =
  | {
      readonly kind: 'torus';
      readonly name: string;
      readonly shape: Fact<readonly number[]>;
      /** One link, for each dimension. */
      readonly linkGBs: Fact<readonly number[]>;
      readonly latencyUs: Fact<number>;
    }
  | {
      readonly kind: 'switch' | 'none';
      readonly name: string;
      /** Of one chip. */
      readonly chipGBs: Fact<number>;
      readonly latencyUs: Fact<number>;
    };

/** To other instances. */
export interface NetworkFacts {
  readonly name: string;
  readonly gbps: Fact<number>;
  /** Network cards that software can address at once. */
  readonly interfaces?: Fact<number>;
  readonly latencyUs: Fact<number>;
}

/** An instance that can be rented. */
export interface Instance {
  readonly name: string;
  /** Other names of the same thing. */
  readonly aliases?: readonly string[];
  /** What of it is noteworthy and no figure. */
  readonly note?: string;
  readonly chip: ChipName;
  readonly chips: Fact<number>;
  /** The separate machines that it consists of. */
  readonly hosts: number;
  readonly vcpus: Fact<number>;
  readonly hostMemoryGib: Fact<number>;
  /** All chips together, as published. */
  readonly acceleratorMemoryGib: Fact<number>;
  readonly acceleratorMemoryGBs?: Fact<number>;
  readonly peakPflops?: Readonly<Partial<Record<PeakFormat, Fact<number>>>>;
  readonly fabric: FabricFacts;
  /** Undefined: none is published, and it is used alone. */
  readonly network?: NetworkFacts;
  readonly localStorageGb?: Fact<number>;
  /** To block storage. */
  readonly ebsGbps?: Fact<number>;
  readonly regions?: Fact<string>;
  readonly prices: readonly PriceFact[];
}
