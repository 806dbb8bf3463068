// Every figure in the announcements, compared with the catalog.
import { acceleratorClaims } from './accelerator.ts';
import { type Claim, type JudgedClaim, judge } from './claim.ts';
import { clusterAndBuyingClaims } from './clusters.ts';
import { comparisonClaims } from './comparisons.ts';
import { instanceClaims } from './instances.ts';
import { workedExampleClaims } from './worked-example.ts';

/** All claims, in the order of the documents. */
export const claims: readonly Claim[] = [
  ...acceleratorClaims,
  ...instanceClaims,
  ...comparisonClaims,
  ...clusterAndBuyingClaims,
  ...workedExampleClaims,
];

/**
 * All claims, each compared with the catalog.
 * @example
 * hardware.judgedClaims().length === hardware.claims.length // true
 */
export const judgedClaims = (): readonly JudgedClaim[] => claims.map(judge);
