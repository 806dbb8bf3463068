// A capacity block: instances of one type that are reserved for a period and paid for in advance. Its state follows from the
// clock; no process has to run for a block to start or expire.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html
import { costOf, type MicroUsd } from '../../base/money.ts';
import { findInstance, type PriceFact } from '../../hardware/index.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Instances in one block. */
export const blockSizes: readonly number[] = [1, 2, 4, 8, 16, 32, 64];
/** Days up to two weeks, then weeks. */
export const blockDays: readonly number[] = [
  ...Array.from({ length: 14 }, (_, i) => i + 1),
  ...Array.from({ length: 24 }, (_, i) => (i + 3) * 7),
];
export const MAX_WEEKS_AHEAD = 8;
/** A block can be extended until an hour before its end. */
export const EXTENSION_CLOSES_MS = HOUR_MS;
export const EXTENSION_OPENS_MS = 56 * DAY_MS;

/** The purpose that a block was bought for. `cluster`: reserved for a cluster's scheduler. */
export type BlockPurpose = 'training-plan' | 'capacity-block' | 'cluster';

export interface BlockExtension {
  readonly offeringId: string;
  readonly purchasedMs: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly fee: MicroUsd;
}

export interface CapacityBlock {
  /** 17 hexadecimal digits. */
  readonly id: string;
  readonly purpose: BlockPurpose;
  /** Unique within a purpose. */
  readonly name: string;
  /** As in the catalog, such as `trn1.32xlarge`. */
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly zone: string;
  readonly startMs: number;
  /** With all extensions. */
  readonly endMs: number;
  readonly createdMs: number;
  /** Without extensions. */
  readonly fee: MicroUsd;
  readonly extensions: readonly BlockExtension[];
  readonly tags: Readonly<Record<string, string>>;
}

export type BlockState = 'scheduled' | 'active' | 'expired';

export const stateAt = ({ startMs, endMs }: CapacityBlock, nowMs: number): BlockState =>
  nowMs < startMs ? 'scheduled' : nowMs < endMs ? 'active' : 'expired';

/** How long an expired block is still listed. */
const LISTED_MS = 7 * DAY_MS;

/** Whether a block is listed by default: those that have ended long ago are not. */
export const isListed = ({ endMs }: CapacityBlock, nowMs: number): boolean => nowMs < endMs + LISTED_MS;

/** The total fee. */
export const totalFee = ({ fee, extensions }: CapacityBlock): MicroUsd =>
  extensions.reduce((sum, one) => sum + one.fee, fee as number) as MicroUsd;

/**
 * The price of an instance hour: that of capacity blocks, or the on-demand price if none is published. Undefined without either.
 */
export function hourlyPrice(instanceType: string, service: PriceFact['service']): MicroUsd | undefined {
  const prices = findInstance(instanceType)?.prices ?? [];
  const price =
    prices.find(({ kind }) => kind === 'capacity-block') ??
    prices.find(one => one.kind === 'on-demand' && one.service === service) ??
    prices.find(({ kind }) => kind === 'on-demand');
  return price?.perHour.value;
}

export const feeOf = (pricePerHour: MicroUsd, instanceCount: number, durationMs: number): MicroUsd =>
  costOf((pricePerHour * instanceCount) as MicroUsd, durationMs / 1000);

/** The shortest length for sale that is at least this long; undefined beyond the longest. */
export function lengthFor(hours: number): number | undefined {
  const days = blockDays.find(one => one * 24 >= hours);
  return days === undefined ? undefined : days * DAY_MS;
}
