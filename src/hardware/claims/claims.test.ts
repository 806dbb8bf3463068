// The printed figures: every one is judged, and those that are known to be wrong are found wrong.
import { describe, expect, test } from 'vitest';
import { type Claim, claimSections, type JudgedClaim, judge, verdicts } from './claim.ts';
import { judgedClaims } from './index.ts';
import { figuresMarkdown } from './page.ts';
import { formatClaimed, formatComputed, formatDifference } from './text.ts';

const judged = judgedClaims();
const claimOf = (what: string): JudgedClaim => {
  const found = judged.filter(j => j.claim.what === what);
  expect(found.length, what).toBe(1);
  return found[0]!;
};
const shown = (what: string): readonly string[] => {
  const j = claimOf(what);
  return [formatClaimed(j), formatComputed(j), formatDifference(j), j.verdict];
};

const claim = (printed: string, value: number, more: Partial<Claim> = {}): Claim => ({
  section: 'Instances',
  what: 'a figure',
  where: 'a document',
  printed,
  unit: 'GB',
  compute: () => value,
  how: 'by reckoning',
  ...more,
});

describe('judging', () => {
  test('a figure holds if the computed one rounds to it, and is close within 5 %', () => {
    expect(judge(claim('3.4', 3.36)).verdict).toBe('holds');
    expect(judge(claim('3.4', 3.34)).verdict).toBe('close');
    expect(judge(claim('3.4', 3.04)).verdict).toBe('does not hold');
    expect(judge(claim('4', 3.6)).verdict).toBe('does not hold');
    expect(judge(claim('30,000', 30_000.4)).verdict).toBe('holds');
  });

  test('the figures of the launch are used if today’s do not match', () => {
    const compute: Claim['compute'] = profile => (profile === 'docs' ? 3.04 : 3.36);
    expect(judge(claim('3.4', 0, { compute }))).toMatchObject({
      verdict: 'holds at launch',
      computed: { docs: 3.04, launch: 3.36 },
    });
    expect(judge(claim('3.38', 0, { compute })).verdict).toBe('close at launch');
  });

  test('bounds', () => {
    expect(judge(claim('8', 5, { bound: 'less than' })).verdict).toBe('holds');
    expect(judge(claim('8', 8.1, { bound: 'less than' })).verdict).toBe('does not hold');
    expect(judge(claim('1', 1.5, { bound: 'at least' })).verdict).toBe('holds');
    expect(judge(claim('50', 39.6, { bound: 'up to' })).verdict).toBe('does not hold');
  });

  test('a range holds within it; above it is more than was claimed', () => {
    const range = (value: number) => judge(claim('30', value, { to: '40', unit: '%' }));
    expect(range(35).verdict).toBe('holds');
    expect(range(40.4).verdict).toBe('holds');
    expect(range(58.8).verdict).toBe('more than claimed');
    expect(range(20).verdict).toBe('does not hold');
    expect(formatClaimed(range(35))).toBe('30 to 40 %');
    expect(formatDifference(range(58.8))).toBe('+47 %');
  });

  test('a claim that cannot be derived', () => {
    expect(judge(claim('95', 0, { compute: undefined }))).toMatchObject({
      verdict: 'not derivable',
      computed: undefined,
    });
  });
});

describe('the claims', () => {
  test('are all computed, or have a reason why not', () => {
    expect(judged.length).toBeGreaterThan(70);
    for (const { claim: c, claimed, computed, verdict } of judged) {
      const at = `${c.what}, ${c.where}`;
      expect(claimed, at).toBeGreaterThan(0);
      expect(c.how.length, at).toBeGreaterThan(3);
      expect(verdicts, at).toContain(verdict);
      if (computed !== undefined) for (const value of Object.values(computed)) expect(value, at).toBeGreaterThan(0);
    }
    for (const section of claimSections)
      expect(
        judged.some(j => j.claim.section === section),
        section,
      ).toBe(true);
    const keys = judged.map(j => `${j.claim.what}, ${j.claim.where}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('a contradiction never holds today; a claim that does not hold has an explanation', () => {
    for (const { claim: c, verdict } of judged) {
      if (c.contradiction !== undefined) expect(verdict, c.what).not.toBe('holds');
      if (verdict === 'does not hold') expect(c.contradiction, c.what).toBeDefined();
    }
  });

  test('the contradictions, with their figures', () => {
    expect(shown('lower cost to train')).toEqual(['up to 50 %', '39.6 %', '−20.8 %', 'does not hold']);
    expect(shown('cost on ml.trn1.32xlarge')).toEqual(['$41.47', '$41.43', '−0.1 %', 'close']);
    expect(shown('cost on ml.p4d.24xlarge')).toEqual(['$68.6', '$68.61', '0', 'holds']);
    expect(shown('bandwidth between chips of trn2.48xlarge')).toEqual([
      '1 GB/s',
      '1,024 GB/s',
      '× 1,024',
      'does not hold',
    ]);
    expect(shown('tf32, f16 and bf16 of trn1.32xlarge')).toEqual([
      'up to 3.4 PFLOPS',
      '3.04 PFLOPS (launch: 3.36 PFLOPS)',
      '−1.2 %',
      'holds at launch',
    ]);
    expect(shown('network between instances, Trn1 over P4d')).toEqual(['4 ×', '2 ×', '−50 %', 'does not hold']);
    expect(shown('network between instances, trn1n.32xlarge over P4d').at(-1)).toBe('holds');
    expect(shown('sparse f8 of Trainium2').at(-1)).toBe('holds at launch');
    expect(shown('price-performance, Trn2 over P5e')).toEqual([
      '30 to 40 %',
      '58.81 % (launch: 58.93 %)',
      '+47 %',
      'more than claimed',
    ]);
    expect(shown('BERT-large, pre-training on 16 × trn1.32xlarge')).toEqual(['less than 8 h', '7.312 h', '-', 'holds']);
    expect(shown('chips of an UltraCluster on one network, “tens of thousands”').at(-1)).toBe('holds');
    expect(shown('local storage of trn1.32xlarge')).toEqual(['8,000 GB', '7,600 GB', '−5 %', 'close']);
    expect(shown('bf16 of 30,000 chips')).toEqual(['6 EFLOPS', '5.7 EFLOPS (launch: 6.3 EFLOPS)', '−5 %', 'holds']);
    expect(shown('lower cost to train, at today’s prices').at(1)).toBe('9.854 %');
  });

  test('equal work and equal overhead, as in the remark on iterations', () => {
    // 6033 = n ÷ 6.64 + overhead, 6553 = n ÷ 5.44 + overhead
    const iterations = (6553 - 6033) / (1 / 5.44 - 1 / 6.64);
    const { contradiction } = claimOf('iterations in the billable time, Trn1 over P4d').claim;
    expect(contradiction).toContain(Math.round(iterations).toLocaleString('en'));
    expect(contradiction).toContain(Math.round(6033 - iterations / 6.64).toLocaleString('en'));
  });
});

test('the page has a row for each, and no cell without text', () => {
  const text = figuresMarkdown();
  expect(text.match(/^\| (?!figure|---)/gm)?.length).toBe(judged.length);
  expect(text).not.toMatch(/undefined|NaN|\| {2}\|/);
});
