// The figures of the host, which one page lists for all instances.
import { type Fact, factsOf } from '../fact.ts';
import { sources } from '../sources.ts';

export const karpenter = factsOf(sources.karpenter);

export interface HostFacts {
  readonly vcpus: Fact<number>;
  readonly hostMemoryGib: Fact<number>;
  readonly localStorageGb?: Fact<number>;
  readonly ebsGbps: Fact<number>;
}

/** `localStorageGb` 0: none. */
export function host(vcpus: number, memoryGib: number, localStorageGb: number, ebsGbps: number): HostFacts {
  return {
    vcpus: karpenter(vcpus),
    hostMemoryGib: karpenter(memoryGib, 'GiB'),
    ...(localStorageGb === 0 ? {} : { localStorageGb: karpenter(localStorageGb, 'GB') }),
    ebsGbps: karpenter(ebsGbps, 'Gbps'),
  };
}
