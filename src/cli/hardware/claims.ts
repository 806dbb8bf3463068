// `trenio hardware claims`
import { formatTable } from '../../base/table.ts';
import type { JudgedClaim } from '../../hardware/claims/claim.ts';
import { judgedClaims } from '../../hardware/claims/index.ts';
import { formatClaimed, formatComputed, formatDifference } from '../../hardware/claims/text.ts';
import type { CliContext } from '../command/command.ts';
import type { ClaimsInput } from './hardware-options.ts';

export async function showClaims({ options }: ClaimsInput, { stdout }: Pick<CliContext, 'stdout'>): Promise<number> {
  const judged = judgedClaims().filter(({ claim }) => !options.contradictions || claim.contradiction !== undefined);
  stdout.write(
    options.json
      ? `${JSON.stringify({ claims: judged.map(toJson) })}\n`
      : `${describe(judged, options.contradictions)}\n`,
  );
  return 0;
}

function describe(judged: readonly JudgedClaim[], contradictions: boolean): string {
  return formatTable(
    [
      { header: 'figure' },
      { header: 'published in' },
      { header: 'claimed', align: 'right' },
      { header: 'computed', align: 'right' },
      { header: 'difference', align: 'right' },
      { header: 'verdict' },
      { header: contradictions ? 'contradiction' : 'derivation' },
    ],
    judged.map(row => [
      row.claim.what,
      row.claim.where,
      formatClaimed(row),
      formatComputed(row),
      formatDifference(row),
      row.verdict,
      (contradictions ? row.claim.contradiction : row.claim.how) ?? '',
    ]),
  );
}

const toJson = ({ claim, claimed, computed, difference, verdict }: JudgedClaim): object => ({
  section: claim.section,
  claim: claim.what,
  where: claim.where,
  claimed,
  unit: claim.unit,
  computedUnit: claim.computedUnit ?? claim.unit,
  bound: claim.bound ?? null,
  computed: computed ?? null,
  how: claim.how,
  difference: difference ?? null,
  verdict,
  contradiction: claim.contradiction ?? null,
});
