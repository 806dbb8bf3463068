// docs/figures.md: every printed figure beside the computed one.
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
    '# Printed figures, computed',
    '',
    'Made from `src/hardware` by `node scripts/write-docs.ts`; a test keeps the two equal. `trenio hardware claims` prints the same.',
    'Every figure that the announcements of Trn1, Trn2 and UltraClusters print, beside what follows from the catalogue:',
    'from today’s documents and, where it differs, from the figures of the launch.',
    '',
    'A figure *holds* if the computed one rounds to it, is *close* within 5 %, and does so *at launch* if it needs the figures of',
    'the launch. A range that was printed holds within it; above it the figure is *more than claimed*. The difference is that of the',
    'computed value which comes nearer.',
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
      '| figure | printed in | claimed | computed | difference | verdict | how |',
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
