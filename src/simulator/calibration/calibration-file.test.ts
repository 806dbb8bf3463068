// A stored calibration is only used for the same machine, and only if it is intact.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Calibration, calibrate } from './calibrate.ts';
import { calibrationIdentity, findCalibration, keepCalibration } from './calibration-file.ts';
import { localMachine } from './local-machine.ts';
import { cpuRates } from './rates.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const variables = { PATH: process.env.PATH, TRENIO_CACHE_DIR: join(folder, 'cache'), TRENIO_NUM_THREADS: '3' };
const calibration: Calibration = {
  threads: 3,
  rates: cpuRates,
  peakFlops: { f32: 1e11, bf16: 2e11 },
  memoryBandwidth: 4e10,
  error: 0.02,
};

test('is stored, and loaded as a machine', () => {
  expect(localMachine(variables)).toBeUndefined();
  const path = keepCalibration(calibration, new Date('2026-01-02'), variables);
  expect(findCalibration(variables)).toEqual({ kind: 'current', path, calibration, date: '2026-01-02T00:00:00.000Z' });
  expect(localMachine(variables)).toMatchObject({
    devices: 1,
    prices: [],
    device: { kind: 'cpu', threads: 3, rates: cpuRates, peakFlops: { f32: 1e11 } },
  });
  expect(localMachine({ ...variables, TRENIO_NUM_THREADS: '2' })).toBeUndefined();
  expect(localMachine({ ...variables, PATH: '' })).toBeUndefined();
});

test('measuring needs a C compiler', async () => {
  await expect(calibrate({ variables: { ...variables, PATH: '' } })).rejects.toMatchObject({ code: 'NO_C_COMPILER' });
});

test('rejects another machine, another version and a damaged file, with the reason', () => {
  const path = keepCalibration(calibration, new Date(0), variables);
  const identity = calibrationIdentity(variables);
  const problem = (change: (file: Record<string, unknown>) => unknown): unknown => {
    const file = JSON.parse(readFileSync(keepCalibration(calibration, new Date(0), variables), 'utf8'));
    writeFileSync(path, JSON.stringify(change(file)));
    expect(() => localMachine(variables)).toThrow(expect.objectContaining({ code: 'CALIBRATION_UNUSABLE' }));
    return findCalibration(variables);
  };
  const unusable = (text: string) =>
    expect.objectContaining({ kind: 'unusable', problem: expect.stringContaining(text) });
  const of = (own: object) => (file: object) => ({ ...file, identity: { ...identity, ...own } });
  expect(problem(of({ processor: 'another' }))).toEqual(unusable('another processor'));
  expect(problem(of({ threads: 8 }))).toEqual(unusable('with 8 threads, there are 3'));
  expect(problem(of({ compilers: 'gcc 1' }))).toEqual(unusable('another compiler'));
  expect(problem(file => ({ ...file, version: 0 }))).toEqual(unusable('format 0'));
  expect(problem(() => [])).toEqual(unusable('damaged'));
  const without = { ...calibration, rates: { ...cpuRates, copy: [] } };
  expect(problem(file => ({ ...file, calibration: without }))).toEqual(unusable('rates.copy'));
  writeFileSync(path, '{"version": 1, "iden');
  expect(findCalibration(variables)).toEqual(unusable('not JSON'));
  keepCalibration(calibration, new Date(0), variables);
  expect(findCalibration(variables)).toMatchObject({ kind: 'current' });
});
