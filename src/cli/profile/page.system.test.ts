// The page of a profile in a browser, opened as a file: clicks lead from a span of a kernel to its row and back, also where
// several programs have kernels of the same name, and ranks list their programs in another order.
import { existsSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Timeline } from '../../runtime/profiling/timeline.ts';
import { profilePage } from './page.ts';

const CHROMIUM = '/usr/bin/chromium';

const kernel = (ops: string, line: string): Timeline['programs'][number]['kernels'][number] => ({
  ...{ name: 'k0', kind: 'fused', shape: 'f32[8]', ops, line, flops: 1, bytes: 1 },
});
const programs = [
  { name: 'evaluate', kernels: [kernel('negate', 'train.ts:5:3')] },
  {
    name: 'step',
    kernels: [
      kernel('exponential', 'train.ts:7:9'),
      {
        ...kernel('all_gather', 'train.ts:8:1'),
        kind: 'collective',
        sent: { bytes: 4096, devices: 2, times: 1 },
      } as const,
    ],
  },
];
const timeline = (rank: number): Timeline => ({
  ...{ format: 'trenio-profile', version: 1, rank, worldSize: 2, host: 'here', pid: 1, script: 'train.ts' },
  ...{ startNs: '0', startMs: 0, durationNs: 1000, threads: 1, loop: [[0, 1000]], workers: [], collectives: [] },
  ...{
    spans: [],
    pipeline: [[{ at: 0, ns: 400, kind: 'F', stage: 2, microBatch: 1 }]],
    replicated: ['withShardingConstraint avoids it'],
    dropped: 0,
  },
  programs: rank === 0 ? programs : programs.toReversed(),
  // The step takes the second half of the time.
  steps: [
    [0, 400, rank === 0 ? 0 : 1],
    [500, 500, rank === 0 ? 1 : 0],
  ],
  kernels: [
    [0, 400, rank === 0 ? 0 : 1, 0],
    [500, 400, rank === 0 ? 1 : 0, 0],
    [900, 100, rank === 0 ? 1 : 0, 1],
  ],
});

test.skipIf(!existsSync(CHROMIUM))('clicks', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-page-'));
  const file = join(folder.path, 'index.html');
  writeFileSync(file, profilePage([timeline(0), timeline(1)]));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', error => faults.push(error.message));
    page.on('console', message => faults.push(message.text()));
    // The texts of the charts, and where they are.
    await page.addInitScript(`globalThis.texts = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        texts.push({ text, x, y, end: x + this.measureText(text).width });
        return fillText.call(this, text, x, y);
      };`);
    await page.goto(pathToFileURL(file).href);
    const texts = (await page.evaluate('texts')) as { text: string; x: number; y: number; end: number }[];
    const ticks = texts.filter(({ y }) => y === 10).slice(0, texts.filter(({ y }) => y === 10).length / 2);
    expect(ticks.length).toBeGreaterThan(2);
    for (const [i, { x }] of ticks.slice(1).entries()) expect(x).toBeGreaterThan(ticks[i]!.end);
    // Names of rows are not written over the spans.
    const names = texts.filter(({ text }) => ['steps', 'programs', 'kernels'].includes(text));
    const spans = texts.filter(({ text }) => text.startsWith('step '));
    expect(Math.max(...names.map(({ end }) => end))).toBeLessThan(Math.min(...spans.map(({ x }) => x)));
    expect(texts.some(({ text }) => text === 'F2 1')).toBe(true);
    expect(await page.locator('#sent tbody tr').allTextContents()).toEqual(['train.ts:8all_gather214.0 KiB0.00']);
    expect(await page.locator('#sent + p').textContent()).toBe('withShardingConstraint avoids it');
    const chosen = () => page.locator('tr.chosen').allTextContents();
    const details = () => page.locator('#details').textContent();
    for (const rank of [0, 1]) {
      const chart = page.locator(`canvas[data-rank="${rank}"]`);
      const { width } = (await chart.boundingBox())!;
      // The third row, below steps and programs.
      const y = 16 + 18 * 2.5;
      await chart.click({ position: { x: width * 0.75, y } });
      expect(await details()).toContain('exponential');
      expect(await details()).toContain('train.ts:7:9');
      expect(await chosen()).toEqual([expect.stringContaining('exponential')]);
      await chart.click({ position: { x: width * 0.2, y } });
      expect(await details()).toContain('negate');
      expect(await chosen()).toEqual([expect.stringContaining('negate')]);
    }
    await page.locator('tr', { hasText: 'exponential' }).click();
    expect(await details()).toContain('exponential');
    expect(await details()).toContain('train.ts:7:9');
    expect(await chosen()).toEqual([expect.stringContaining('exponential')]);
    await page.locator('tr', { hasText: 'negate' }).click();
    expect(await details()).toContain('negate');
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
