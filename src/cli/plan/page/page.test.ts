// The page on the real catalog and simulator: its structure, its answer, and that no row or name is lost or breaks it.
import { describe, expect, test } from 'vitest';
import { makeReport } from '../report.ts';
import { faultsOf, headlineOf, type Question, reportOf, sectionsOf, textOf } from './page.testing.ts';
import { pageOf } from './page.ts';

const DAY = 86_400;
const three: Question = {
  model: 'llama3-8b',
  machines: ['trn1.32xlarge', 'trn2.48xlarge', 'p5.48xlarge'],
  nodes: [1, 16],
  amount: { kind: 'tokens', tokens: 1e10 },
};
const large: Question = {
  model: 'llama3-70b',
  machines: ['p4d.24xlarge', 'p5.48xlarge'],
  nodes: [1, 16],
  amount: { kind: 'tokens', tokens: 1e9 },
};
const search: Question = { ...three, nodes: [4], search: { objective: 'time', top: 3, memoryBytes: undefined } };
const questions: readonly (readonly [string, Question])[] = [
  ['one machine', { model: 'bert-large', machines: ['trn1.32xlarge'], amount: { kind: 'steps', steps: 7000 } }],
  ['three machines', three],
  ['a search', search],
  ['a search in which nothing keeps the deadline', { ...search, deadlineSeconds: 60 }],
  ['layouts that do not fit', large],
  ['nothing that fits', { ...large, model: 'gpt3-175b', machines: ['g5.xlarge'], nodes: [1] }],
  ['experts', { ...three, model: 'mixtral-8x7b', machines: ['p5.48xlarge'] }],
  ['no amount', { ...three, amount: undefined }],
  ['failures', { ...three, machines: ['trn1.32xlarge'], failures: {} }],
  ['ways to buy', { ...three, nodes: [1], purchase: { kinds: undefined, compare: true, spot: {}, start: undefined } }],
  ['a machine that is not made for training', { ...three, machines: ['inf2.48xlarge', 'p5.48xlarge'], nodes: [1] }],
  ['one way to buy', { ...three, purchase: { kinds: ['capacity-block'], compare: false, spot: {}, start: undefined } }],
  ['no public price', { ...three, machines: ['trn2u.48xlarge'] }],
];

describe.each(questions)('a page about %s', (name, question) => {
  const report = reportOf(question);
  const page = pageOf(report);

  test('is well formed, needs nothing else and has names for its pictures', () => {
    expect(faultsOf(page)).toEqual([]);
  });

  test('has every row and every assumption', () => {
    const text = textOf(page);
    for (const row of report.rows) expect(text).toContain(`${row.nodes} × ${row.machine.name}`);
    for (const warning of report.warnings) expect(text).toContain(warning);
    for (const assumption of report.assumptions) expect(text).toContain(assumption);
  });

  test('draws nothing too thin to be seen', () => {
    const widths = [...page.matchAll(/<rect [^>]*width="([\d.]+)%"[^>]*class="f\d/g)].map(match => Number(match[1]));
    expect(widths.length).toBeGreaterThan(0);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(0.15);
    const sections = sectionsOf(page);
    for (const title of ['Where a step spends its time', 'Memory']) {
      const bars = [...sections.get(title)!.matchAll(/<rect [^>]*width="([\d.]+)%"[^>]*class="f\d/g)];
      expect(Math.min(...bars.map(match => Number(match[1])))).toBeGreaterThanOrEqual(0.5);
    }
  });

  test('answers in a sentence', () => {
    expect(`${name}: ${headlineOf(page)}`).toMatch(/: .+ with layout dp.+\.$/);
  });
});

describe('the answer', () => {
  const headline = (question: Question): string => headlineOf(pageOf(reportOf(question)));
  const bert: Question = {
    model: 'bert-large',
    machines: ['trn1.32xlarge', 'p4d.24xlarge'],
    nodes: [1, 4],
    amount: { kind: 'samples', samples: 1e8 },
  };

  test('without limits is the fastest; with a deadline the cheapest that keeps it', () => {
    expect(headline(bert)).toMatch(
      /^4 × \S+ with layout dp\d+.* train bert-large on 100M samples in .* for \$[\d,.]+, bought [a-z ]+ from EC2\.$/,
    );
    const { rows } = reportOf(bert);
    const plans = rows.flatMap(row => (row.kind === 'predicted' ? [row] : []));
    const cheapest = plans.reduce((least, row) => (row.plan!.cost! < least.plan!.cost! ? row : least));
    const within = headline({ ...bert, deadlineSeconds: 30 * DAY, dollars: 1e6 });
    expect(within).toContain(`${cheapest.nodes} × ${cheapest.machine.name} with layout`);
    expect(within).toMatch(/: within the deadline and the budget\.$/);
  });

  test('reports the missed limits if no row meets them', () => {
    const page = pageOf(reportOf({ ...bert, deadlineSeconds: 60, dollars: 1e6 }));
    expect(headlineOf(page)).toMatch(
      /^No row meets the deadline and the budget: the nearest, .* trains bert-large .*, and misses the deadline\.$/,
    );
    expect(page).toMatch(/<li class="bad"><span aria-hidden="true">✗<\/span> Deadline 1 min 00 s: .* too late/);
    expect(page).toMatch(/<li class="good"><span aria-hidden="true">✓<\/span> Budget \$1,000,000: \$[\d,.]+ left/);
  });

  test('reports the missing memory if nothing fits', () => {
    expect(headline({ ...large, model: 'gpt3-175b', machines: ['g5.xlarge'], nodes: [1] })).toMatch(
      /^Nothing fits in memory: the nearest, 1 × g5\.xlarge with layout .*, lacks [\d.]+ TiB on each device to train gpt3-175b on 1B tokens\.$/,
    );
  });

  test('is what the search found', () => {
    const report = reportOf(search);
    const page = pageOf(report);
    expect(headlineOf(page)).toContain(report.search!.best!.prediction.machine.name);
    expect(page).toMatch(/<p class="reason">The fastest of [\d,]+ feasible layouts searched<\/p>/);
  });

  test('is of a step where no amount was given', () => {
    expect(headline({ ...bert, amount: undefined })).toMatch(
      /take [\d.]+ m?s for a training step of bert-large: .* tokens\/s, \$[\d.]+ per million samples, bought [a-z ]+ from EC2\.$/,
    );
  });
});

describe('charts', () => {
  const sections = sectionsOf(pageOf(reportOf(three)));

  test.each(['Cost against deadline', 'Where a step spends its time', 'Memory', 'Scaling'])(
    '%s has every machine, also without an on-demand price',
    title => {
      for (const machine of three.machines) expect(sections.get(title)).toContain(machine);
    },
  );

  test('the cost chart has a mark for every row, with its purchase option', () => {
    const cost = sections.get('Cost against deadline')!;
    for (const machine of three.machines)
      for (const nodes of three.nodes!)
        expect(cost).toMatch(
          new RegExp(`<title>${nodes} × ${machine.replaceAll('.', '\\.')}: [^<]*, \\$[\\d,.]+, EC2 [a-z ]+</title>`),
        );
  });

  test('logarithmic scales are labeled', () => {
    expect(textOf(sections.get('Cost against deadline')!)).toContain('US dollars, logarithmic scale');
    expect(textOf(sections.get('Where a step spends its time')!)).toContain('time of a step, logarithmic scale');
    expect(textOf(sections.get('Scaling')!)).toContain('samples/s, logarithmic scale');
  });

  test('a machine without any price has a lane', () => {
    const page = pageOf(reportOf({ ...three, machines: ['trn2u.48xlarge', 'p5.48xlarge'], nodes: [1] }));
    const cost = sectionsOf(page).get('Cost against deadline')!;
    expect(cost).toContain('>no price</text>');
    expect(cost).toMatch(/<title>1 × trn2u\.48xlarge: [^<]*, no public price<\/title>/);
  });
});

test('layouts that do not fit are separate from those that fit', () => {
  const report = reportOf(large);
  const sections = sectionsOf(pageOf(report));
  const unfit = report.rows.filter(row => row.kind === 'predicted' && !row.prediction.memory.fits);
  expect(unfit.length).toBeGreaterThan(0);
  for (const [title, heading] of [
    ['Comparison', 'Does not fit in memory'],
    ['Memory', 'Does not fit in memory'],
    ['Where a step spends its time', 'Layouts that do not fit, if memory were sufficient'],
  ] as const) {
    const [fitting, apart] = sections.get(title)!.split(`<h3>${heading}</h3>`);
    for (const row of report.rows) {
      const header = `role="rowheader">${title === 'Comparison' ? '<span>' : ''}${row.nodes} × ${row.machine.name}<`;
      expect(fitting!.includes(header)).toBe(!unfit.includes(row));
      expect(apart!.includes(header)).toBe(unfit.includes(row));
    }
  }
});

test('names from outside are text: they open no tag, leave no attribute and are whole', () => {
  const hostile = `</title></style><script>alert("1")</script>" onload='x' & ${'long'.repeat(50)}`;
  const { request } = reportOf({ ...three, nodes: [1], deadlineSeconds: DAY });
  const [first, ...others] = request.machines;
  const { model } = request.workload;
  const report = makeReport(
    {
      ...request,
      workload: { ...request.workload, model: { ...model, name: hostile } },
      machines: [{ ...first!, name: hostile }, ...others],
      assumptions: [hostile],
    },
    new Date('2026-07-01T00:00:00Z'),
  );
  const page = pageOf(report);
  expect(faultsOf(page).filter(fault => fault !== 'not for a page:  onload=')).toEqual([]);
  expect(page).not.toMatch(/<script|<[^>]* onload=/);
  expect(textOf(page).split(hostile).length).toBeGreaterThan(5);
});

test('lists exactly the faster or cheaper rows below the answer', () => {
  const page = pageOf(reportOf({ ...three, deadlineSeconds: 300 * DAY }));
  const besides = [...page.matchAll(/<p class="beside">(.*?)<\/p>/g)].map(match => textOf(match[1]!));
  expect(besides).toEqual([expect.stringMatching(/^Faster: 16 × \S+, .*, \$[\d,.]+\.$/)]);
});
