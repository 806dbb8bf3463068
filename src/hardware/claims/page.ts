// docs/figures.md: every printed figure next to the computed one.
import { claimSections, type JudgedClaim, type Verdict, verdicts } from './claim.ts';
import { judgedClaims } from './index.ts';
import { formatClaimed, formatComputed, formatDifference } from './text.ts';

const many: Readonly<Record<Verdict, string>> = {
  holds: 'hold',
  'holds at launch': 'hold at launch',
  close: 'are close',
  'close at launch': 'are close at launch',
  'more than claimed': 'more than claimed',
  'does not hold': 'do not hold',
  'not derivable': 'are not derivable',
};

/** The whole text of docs/figures.md. */
export function figuresMarkdown(): string {
  const judged = judgedClaims();
  const count = (verdict: string): number => judged.filter(j => j.verdict === verdict).length;
  const contradictions = judged.filter(j => j.claim.contradiction !== undefined);
  return [
    '# Published figures compared with computed ones',
    '',
    'Generated from `src/hardware` by `node scripts/write-docs.ts`. `trenio hardware claims` prints the same list: every figure in the',
    'announcements of Trn1, Trn2 and UltraClusters, compared with the value computed from the catalog. Computed values use today’s',
    'documents and, where it makes a difference, the figures of the launch.',
    '',
    'A figure *holds* if the computed value rounds to it, and is *close* within 5 %; *at launch* means with the figures of the launch.',
    'A published range holds if the computed value is in it; above it, the verdict is *more than claimed*. The difference is that of',
    'the nearer computed value.',
    '',
    `${judged.length} figures: ${verdicts.map(v => `${count(v)} ${many[v]}`).join(', ')}.`,
    '',
    '## Contradictions',
    '',
    ...contradictions.map(({ claim }) => `- **${claim.what}**, ${claim.where}: ${claim.contradiction}`),
    '',
    ...claimSections.flatMap(section => [
      `## ${section}`,
      '',
      '| figure | published in | claimed | computed | difference | verdict | how |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...judged.filter(j => j.claim.section === section).map(row),
      '',
    ]),
  ].join('\n');
}

function row(judged: JudgedClaim): string {
  const { claim, verdict } = judged;
  const cells = [
    claim.what,
    claim.where,
    formatClaimed(judged),
    formatComputed(judged),
    formatDifference(judged),
    verdict.startsWith('does not') ? `**${verdict}**` : verdict,
    claim.how,
  ];
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
