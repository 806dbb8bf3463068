// A published figure, compared with the value computed from the catalog. Published figures are rounded: `3.4` means anything
// from 3.35 to 3.45, so a claim holds if the computed value rounds to it. But `4 ×` does not hold for 3.5, although 3.5 rounds to
// 4: a figure with one digit must also be close.
import { factProfiles } from '../fact.ts';
import type { FactProfile } from '../machine.ts';

export const claimSections = [
  'The accelerator',
  'Instances',
  'Trn1 against P4d',
  'Trn2 and UltraServers',
  'UltraClusters and buying',
  'The worked example',
  'Training on a cluster',
] as const;
export type ClaimSection = (typeof claimSections)[number];

/** A figure that AWS printed, and how to compute it from the catalog. */
export interface Claim {
  /** The section of the source. */
  readonly section: ClaimSection;
  /** The subject of the claim. */
  readonly what: string;
  /** Which document printed it. */
  readonly where: string;
  /** The figure as printed, without its unit: `3.4`, `512`. */
  readonly printed: string;
  /** The other end, if a range was printed: `30 to 40 %`. */
  readonly to?: string;
  /** The unit of the value. */
  readonly unit: string;
  /** The unit of the computed figure, if the printed one has the wrong unit. */
  readonly computedUnit?: string;
  /**
   * `up to 50 %`, `less than 8 hours`: whether the printed figure is an upper or a lower bound. Without: it is the figure itself.
   */
  readonly bound?: 'up to' | 'less than' | 'at least';
  /** The same figure from the catalog, in the same unit. Undefined if it cannot be derived from the catalog. */
  readonly compute: ((profile: FactProfile) => number) | undefined;
  /** The formula with its numbers, or why there is none. */
  readonly how: string;
  /** The problem, if the claim contradicts another one or is an obvious mistake. */
  readonly contradiction?: string;
}

export const verdicts = [
  'holds',
  'holds at launch',
  'close',
  'close at launch',
  'more than claimed',
  'does not hold',
  'not derivable',
] as const;
export type Verdict = (typeof verdicts)[number];

/** A claim compared with the catalog. */
export interface JudgedClaim {
  /** The claim. */
  readonly claim: Claim;
  /** The claimed value. */
  readonly claimed: number;
  /** By today's documents, and with the figures of the launch. Undefined: not derivable. */
  readonly computed: Readonly<Record<FactProfile, number>> | undefined;
  /** The closer computed value minus the published one, as a fraction of the published one. */
  readonly difference: number | undefined;
  /** How the claim compares with the computed value. */
  readonly verdict: Verdict;
}

/** The largest difference that counts as close: the sources of the catalog differ by as much. */
const CLOSE = 0.05;

/**
 * Computes the figure of a claim and compares it with the printed one.
 * @example
 * hardware.judge(hardware.claims[0]!).verdict // 'holds'
 */
export function judge(claim: Claim): JudgedClaim {
  const { compute } = claim;
  const claimed = numberOf(claim.printed);
  if (compute === undefined)
    return { claim, claimed, computed: undefined, difference: undefined, verdict: 'not derivable' };
  const computed = { docs: compute('docs'), launch: compute('launch') };
  // For a range: the difference to the nearer end.
  const relative = (profile: FactProfile): number => {
    const value = computed[profile];
    const end =
      claim.to === undefined || value < claimed ? claimed : Math.max(claimed, Math.min(value, numberOf(claim.to)));
    return (value - end) / end;
  };
  const tests: readonly (readonly ['holds' | 'close', (profile: FactProfile) => boolean])[] = [
    ['holds', profile => holds(claim, computed[profile], claimed)],
    [
      'close',
      profile => claim.bound !== 'at least' && claim.bound !== 'less than' && Math.abs(relative(profile)) <= CLOSE,
    ],
  ];
  for (const [verdict, test] of tests) {
    const profile = factProfiles.find(test);
    if (profile === undefined) continue;
    const at = profile === 'launch' ? (`${verdict} at launch` as const) : verdict;
    return { claim, claimed, computed, difference: relative(profile), verdict: at };
  }
  if (claim.to !== undefined && factProfiles.every(profile => computed[profile] > claimed))
    return { claim, claimed, computed, difference: relative('docs'), verdict: 'more than claimed' };
  const nearer = Math.abs(relative('launch')) < Math.abs(relative('docs')) ? 'launch' : 'docs';
  return { claim, claimed, computed, difference: relative(nearer), verdict: 'does not hold' };
}

const numberOf = (printed: string): number => Number(printed.replaceAll(',', ''));

function holds(claim: Claim, value: number, claimed: number): boolean {
  if (claim.to !== undefined) return Math.round(value) >= claimed && Math.round(value) <= numberOf(claim.to);
  if (claim.bound === 'less than') return value < claimed;
  if (claim.bound === 'at least') return value >= claimed;
  // `up to` promises that the figure is reached somewhere, so it is compared as an exact figure.
  const decimals = claim.printed.split('.')[1]?.length ?? 0;
  const half = 0.5 * 10 ** -decimals;
  const off = Math.abs(value - claimed);
  return off <= half * (1 + 1e-9) && off <= CLOSE * claimed * (1 + 1e-9);
}
