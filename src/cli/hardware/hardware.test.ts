// `trenio hardware …` without a process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { instances, machineNames } from '../../hardware/instances/index.ts';
import { machineOf } from '../../hardware/machine-of.ts';
import { runWords } from '../run-cli.testing.ts';
import { describeMachines } from './list.ts';

// An empty cache: this machine has not been measured there.
const cache = mkdtempSync(join(tmpdir(), 'trenio-hardware-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const cli = (...words: readonly string[]) =>
  runWords(['hardware', ...words], { environment: { ...process.env, TRENIO_CACHE_DIR: cache } });

describe('ls', () => {
  test('has a line for every machine', async () => {
    const { exitCode, stdout, stderr } = await cli('ls');
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const { name } of instances) expect(stdout).toMatch(new RegExp(`^${name.replaceAll('.', '\\.')} `, 'm'));
    expect(stdout).not.toMatch(/undefined|NaN/);
  });

  test('a few lines, whole', () => {
    const machines = ['trn1.32xlarge', 'trn2.48xlarge', 'trn2u.48xlarge', 'p4d.24xlarge'].map(name => machineOf(name));
    expect(describeMachines(machines)).toMatchInlineSnapshot(`
      "machine         chips               f32      tf32      bf16        f8     memory  bandwidth  fabric                      network                    price/h
      ──────────────  ──────────────  ───────  ────────  ────────  ────────  ─────────  ─────────  ──────────────────────────  ────────────────  ────────────────
      trn1.32xlarge   16 × trainium1   760 TF   3.04 PF   3.04 PF   3.04 PF    512 GiB  13.1 TB/s  NeuronLink-v2, 4 × 4 torus  800 Gbps EFA                $21.50
      trn2.48xlarge   16 × trainium2  2.90 PF  10.67 PF  10.67 PF  20.78 PF  1,536 GiB  46.4 TB/s  NeuronLink-v3, 4 × 4 torus  3,200 Gbps EFAv3  $35.7608 (block)
      trn2u.48xlarge  16 × trainium2  2.90 PF  10.67 PF  10.67 PF  20.78 PF  1,536 GiB  46.4 TB/s  NeuronLink-v3, 4 × 4 torus  3,200 Gbps EFAv3   no public price
      p4d.24xlarge    8 × a100-40gb    156 TF   1.25 PF   2.50 PF         -    320 GiB  12.4 TB/s  NVLink 3 with NVSwitch      400 Gbps EFA            $21.957642"
    `);
  });

  test('JSON in base units, under a profile', async () => {
    const machines = async (profile: string) =>
      JSON.parse((await cli('ls', '--json', '--profile', profile)).stdout).machines as {
        name: string;
        peakFlops: Record<string, number>;
        prices: { kind: string; service: string; usdPerHour: number }[];
      }[];
    const peak = async (profile: string) =>
      (await machines(profile)).find(m => m.name === 'trn1.32xlarge')?.peakFlops.bf16;
    expect(await peak('docs')).toBe(3.04e15);
    expect(await peak('launch')).toBe(3.36e15);
    const prices = (await machines('launch')).find(m => m.name === 'p4d.24xlarge')?.prices ?? [];
    expect(prices.find(p => p.kind === 'on-demand' && p.service === 'ec2')?.usdPerHour).toBe(32.7726);
  });

  test('an unknown profile is named', async () => {
    const { exitCode, stderr } = await cli('ls', '--profile', 'lunch');
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--profile is 'lunch', expected docs or launch");
  });
});

describe('show', () => {
  test.each([...machineNames, 'trainium1', 'trainium2', 'trainium3', 'inferentia2', 'a100-40gb', 'h200', 'a10g'])(
    '%s: figures and sources',
    async name => {
      const { exitCode, stdout } = await cli('show', name);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^\[1\] .{10}/m);
      expect(stdout).not.toMatch(/undefined|NaN|\[object/);
    },
  );

  test('both figures where documents disagree, the profile’s first', async () => {
    expect((await cli('show', 'trainium1')).stdout).toMatch(/peak: bf16 +190 TFLOPS .*\n +or 210 TFLOPS/);
    const launch = await cli('show', 'trainium1', '--profile', 'launch');
    expect(launch.stdout).toMatch(/peak: bf16 +210 TFLOPS .*\n +or 190 TFLOPS/);
  });

  test('prices of the service that the name means, and none where none is public', async () => {
    const managed = (await cli('show', 'ml.trn1.32xlarge')).stdout;
    expect(managed).toContain('price: SageMaker: on-demand (2023)');
    expect(managed).not.toContain('price: EC2');
    expect((await cli('show', 'trn2u.48xlarge')).stdout).toContain('no public price');
  });

  test('JSON: each fact with its source, unit and alternatives; dollars as numbers', async () => {
    const shown = JSON.parse((await cli('show', 'p4d.24xlarge', '--json')).stdout);
    expect(shown).toMatchObject({ kind: 'machine', name: 'p4d.24xlarge', profile: 'docs' });
    const price = shown.facts.find((f: { path: string[] }) => f.path.join(' ').startsWith('price EC2 on-demand'));
    expect(price).toMatchObject({ value: 21.957642, unit: '$/h', alternatives: [{ value: 32.7726 }] });
    expect(shown.machine).toMatchObject({ devices: 8, hostCpus: 96 });
  });

  test('an unknown name is met with near ones', async () => {
    const { exitCode, stderr } = await cli('show', 'trainum2');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('did you mean trainium2');
    expect((await cli('show')).exitCode).toBe(2);
    // This machine has not been measured in the test's cache.
    expect((await cli('show', 'local')).exitCode).toBe(1);
  });
});

describe('claims', () => {
  test('all, and those that contradict', async () => {
    const all = await cli('claims');
    const some = await cli('claims', '--contradictions');
    expect([all.exitCode, some.exitCode]).toEqual([0, 0]);
    expect(some.stdout).toContain('39.5 % is not “up to 50 %”');
    expect(some.stdout.split('\n').length).toBeLessThan(all.stdout.split('\n').length);
  });

  test('JSON', async () => {
    const { claims } = JSON.parse((await cli('claims', '--json')).stdout) as { claims: Record<string, unknown>[] };
    expect(claims.find(c => c.claim === 'tf32, f16 and bf16 of trn1.32xlarge')).toMatchObject({
      claimed: 3.4,
      unit: 'PFLOPS',
      verdict: 'holds at launch',
    });
  });
});
