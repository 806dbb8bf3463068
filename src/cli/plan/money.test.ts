// Every machine is judged by its cheapest purchasable price, and no machine disappears from the answer.
import { describe, expect, test } from 'vitest';
import { plan, planJson, rowsOf } from './plan.testing.ts';

const llama = ['--model', 'llama3-8b', '--tokens', '1T', '--global-batch', '1024'];

describe('a machine without an on-demand price', () => {
  test('is bought in another way, and the answer says in which', async () => {
    const words = [...llama, '--on', 'trn2.48xlarge', '--nodes', '1..64', '--budget', '100k', '--deadline', '30d'];
    const { search } = await planJson(...words, '--search');
    expect(search!.feasible).toBeGreaterThan(100);
    expect(search!.best!.usd!).toBeLessThanOrEqual(100_000);
    expect(search!.best!.seconds!).toBeLessThanOrEqual(30 * 86_400);
    expect(['capacity-block', 'spot']).toContain(search!.best!.purchase);
    const { stdout, exitCode } = await plan(...words, '--search');
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('no public price');
    expect(rowsOf(stdout)[0]).toMatch(/\$[\d,.]+ (spot|capacity-block) /);
  });

  test('can be the cheapest: of a comparison and of a search', async () => {
    const words = [...llama, '--on', 'trn2.48xlarge,p5.48xlarge', '--nodes', '4', '--purchase', 'capacity-block'];
    const { rows } = await planJson(...words);
    const [trn2, p5] = rows;
    expect(rows.map(row => row.training!.purchase)).toEqual(['capacity-block', 'capacity-block']);
    expect(trn2!.training!.usd!).toBeLessThan(p5!.training!.usd!);
    expect([trn2!.cheapest, p5!.cheapest]).toEqual([true, false]);
    const { search } = await planJson(...words, '--by', 'cost', '--search');
    expect(search!.best).toMatchObject({ machine: 'trn2.48xlarge', purchase: 'capacity-block' });
  });
});

describe('the best of every machine', () => {
  const three = [...llama, '--on', 'trn1.32xlarge,trn2.48xlarge,p5.48xlarge', '--nodes', '1..16', '--search'];

  test.each(['time', 'cost'])('by %s is shown', async by => {
    const { search } = await planJson(...three, '--by', by);
    const shown = new Set([search!.best!, ...search!.runnersUp].map(row => row.machine));
    expect([...shown].toSorted()).toEqual(['p5.48xlarge', 'trn1.32xlarge', 'trn2.48xlarge']);
    const { stdout } = await plan(...three, '--by', by);
    for (const machine of shown) expect(rowsOf(stdout).some(line => line.startsWith(machine))).toBe(true);
  });

  test('or why there is none', async () => {
    const words = ['--model', 'llama3-70b', '--tokens', '1B', '--on', 'p5.48xlarge,g5.xlarge,trn2u.48xlarge'];
    const asked = [...words, '--nodes', '4', '--search', '--by', 'cost'];
    const { search } = await planJson(...asked);
    expect(search!.best!.machine).toBe('p5.48xlarge');
    const why = new Map(search!.withoutAny.map(none => [none.machine, none.why]));
    expect(why.get('g5.xlarge')).toMatch(/does not fit by [\d.]+ GiB/);
    expect(why.get('trn2u.48xlarge')).toMatch(/no public price/);
    const { stdout } = await plan(...asked);
    expect(stdout).toMatch(/\ng5\.xlarge: .*does not fit by/);
    expect(stdout).toMatch(/\ntrn2u\.48xlarge: .*no public price/);
  });
});
