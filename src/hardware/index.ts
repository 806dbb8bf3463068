export type { Chip, ChipName, GpuChip, NeuronChip, PeakFormat } from './chips/chip.ts';
export { chips } from './chips/index.ts';
export { type Claim, type JudgedClaim, judge } from './claims/claim.ts';
export { claims, judgedClaims } from './claims/index.ts';
export { type Alternative, type Fact, factUnder, listFacts, valueUnder } from './fact.ts';
export { findInstance, instances, machineNames } from './instances/index.ts';
export type { FabricFacts, Instance, NetworkFacts } from './instances/instance.ts';
export type {
  CpuDevice,
  CpuRates,
  Device,
  Fabric,
  FactProfile,
  Gpu,
  Machine,
  MultiplyLayout,
  MultiplyRates,
  MultiplyType,
  Network,
  NeuronCore,
  PeakFlops,
  Price,
  PurchaseKind,
} from './machine.ts';
export { type MachineOptions, machineOf } from './machine-of.ts';
export { pricedNames, priceOf } from './price-of.ts';
export type { PriceFact } from './prices.ts';
export { type PublishedRun, publishedBertRuns } from './published.ts';
export { torusNeighbors } from './torus.ts';
export { capacityBlocks, ultraCluster } from './ultracluster.ts';
