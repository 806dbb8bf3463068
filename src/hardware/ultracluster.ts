// UltraClusters: instances of one placement group on a network that no pattern of traffic slows down. And capacity blocks,
// the reservations by which large numbers of instances are bought for a time.
import { atLaunch, factsOf } from './fact.ts';
import { sources } from './sources.ts';

/** The published figures of EC2 UltraClusters of Trainium. */
export const ultraCluster = {
  chip: 'trainium1',
  instance: 'trn1.32xlarge',
  /** At most. */
  chips: factsOf('AWS pages on EC2 UltraClusters (2026)')(100_000, 'chips', {
    uncertain: true,
    alternatives: [atLaunch(30_000, sources.ultraCluster)],
  }),
  storage: factsOf(sources.ultraCluster)('FSx for Lustre'),
} as const;

const userGuide = factsOf('EC2 user guide, Capacity Blocks for ML (2026)');

/** The limits of EC2 capacity blocks. */
export const capacityBlocks = {
  /** In one block, at most. */
  instances: userGuide(64, 'instances'),
  /** By the day to 14 days, then by the week. */
  days: userGuide(182, 'days', { alternatives: [atLaunch(28, 'at the launch of capacity blocks (2023)')] }),
  weeksAhead: userGuide(8, 'weeks'),
} as const;
