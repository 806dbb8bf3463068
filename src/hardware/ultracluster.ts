// UltraClusters: instances of one placement group on a non-blocking network. And capacity blocks,
// the reservations with which large numbers of instances are bought for a limited time.
import { atLaunch, factsOf } from './fact.ts';
import { sources } from './sources.ts';

/** The published figures of EC2 UltraClusters of Trainium. */
export const ultraCluster = {
  /** The chip. */
  chip: 'trainium1',
  /** The instance type. */
  instance: 'trn1.32xlarge',
  /** Maximum number of instances. */
  chips: factsOf('AWS pages on EC2 UltraClusters (2026)')(100_000, 'chips', {
    uncertain: true,
    alternatives: [atLaunch(30_000, sources.ultraCluster)],
  }),
  /** The shared file system. */
  storage: factsOf(sources.ultraCluster)('FSx for Lustre'),
} as const;

const userGuide = factsOf('EC2 user guide, Capacity Blocks for ML (2026)');

/** The limits of EC2 capacity blocks. */
export const capacityBlocks = {
  /** Maximum number of instances per block. */
  instances: userGuide(64, 'instances'),
  /** In days up to 14 days, then in weeks. */
  days: userGuide(182, 'days', { alternatives: [atLaunch(28, 'at the launch of capacity blocks (2023)')] }),
  /** How many weeks ahead a block can be reserved. */
  weeksAhead: userGuide(8, 'weeks'),
} as const;
