// The console in Chromium, on a server with 10,000 jobs: first content, scrolling, a curve with a million points.
//
//   node bench/console.ts [--rounds 7]
import './help.ts';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { startTestServer } from '../src/api/aws/aws-server.testing.ts';
import { addSampleJobs } from '../src/api/console/sample-jobs.testing.ts';
import { bar } from './bars.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const rounds = Number(values.rounds);
const JOBS = 10_000;
const POINTS = 1_000_000;
const ROW_PIXELS = 40;
const SCROLL_MS = 4000;
const GIVE_UP_MS = 20_000;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const server = await startTestServer();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const { jobs, logs, metrics } = server.service;
  const job = addSampleJobs({ jobs, logs, metrics }, JOBS, Date.now()).at(-1)!.name;
  for (let from = 0; from < POINTS; from += 100_000)
    metrics.append(
      job,
      'long',
      Array.from({ length: 100_000 }, (_, i) => ({
        timeMs: from + i,
        value: Math.sin((from + i) / 9000) + Math.random() / 4,
      })),
    );
  const signedIn = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const first = await signedIn.newPage();
  await first.goto(server.service.consoleUrl('TRENIOTESTADMIN'));
  await first.waitForSelector('.stats');
  const session = await signedIn.storageState();

  const [paints, contents]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ storageState: session, viewport: { width: 1440, height: 900 } });
    const times = await firstContent(context);
    paints.push(times.paintMs);
    contents.push(times.contentMs);
    await context.close();
  }
  console.log(`complete overview, including its numbers from the server: ${median(contents).toFixed(0)} ms`);
  bar({ what: 'first content, nothing cached', unit: 'ms', measured: median(paints), limit: 300, kind: 'at most' });

  await first.goto(`${server.url}/_console/jobs`);
  await first.waitForSelector('.vrow');
  const frames = await scroll(first);
  console.log(
    `scrolling through ${JOBS.toLocaleString('en-US')} jobs: slowest frame ${frames.slowestMs.toFixed(0)} ms`,
  );
  bar({ what: 'scrolling 10,000 jobs', unit: 'frames/s', measured: frames.perSecond, limit: 59, kind: 'at least' });

  await first.goto(`${server.url}/_console/jobs/${job}?tab=metrics`);
  await first.waitForSelector(`figure[data-points="${POINTS}"]`);
  const draws: number[] = [];
  for (let round = 0; round < rounds; round++) draws.push(await drawAgain(first));
  bar({
    what: 'a curve of 1,000,000 points, from the request to the pixels',
    unit: 'ms',
    measured: median(draws),
    limit: 200,
    kind: 'at most',
  });
} finally {
  await browser.close();
  await server[Symbol.asyncDispose]();
}

async function firstContent(
  context: BrowserContext,
): Promise<{ readonly paintMs: number; readonly contentMs: number }> {
  const page = await context.newPage();
  await page.goto(`${server.url}/_console/`);
  await page.waitForSelector('.stats');
  const contentMs = Number(await page.evaluate('performance.now()'));
  const paintMs = Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
  await page.close();
  return { paintMs, contentMs };
}

/** Scrolls from the top to the end of the list, a step in each frame. */
async function scroll(page: Page): Promise<{ readonly perSecond: number; readonly slowestMs: number }> {
  return (await page.evaluate(`new Promise(done => {
    const list = document.querySelector('.vtable-scroll');
    const end = ${JOBS * ROW_PIXELS} - list.clientHeight;
    const times = [];
    const start = performance.now();
    const step = now => {
      times.push(now);
      list.scrollTop = Math.min(1, (now - start) / ${SCROLL_MS}) * end;
      if (now - start < ${SCROLL_MS}) return requestAnimationFrame(step);
      const gaps = times.slice(1).map((time, i) => time - times[i]);
      done({ perSecond: (gaps.length / (times.at(-1) - times[0])) * 1000, slowestMs: Math.max(...gaps) });
    };
    requestAnimationFrame(step);
  })`)) as { perSecond: number; slowestMs: number };
}

/** The other horizontal axis: the server reads and reduces the series again, the page draws it. */
async function drawAgain(page: Page): Promise<number> {
  return (await page.evaluate(`new Promise((done, fail) => {
    const start = performance.now();
    let answered = Infinity;
    new PerformanceObserver((list, self) => {
      const entry = list.getEntries().find(one => one.name.includes('metric=long'));
      if (entry === undefined) return;
      self.disconnect();
      answered = entry.responseEnd;
    }).observe({ type: 'resource' });
    const look = () => {
      // While the chart is recreated, there is none for a moment.
      const painted = Number(document.querySelector('figure[data-points="${POINTS}"] .uplot')?.dataset.paintedMs);
      if (painted > answered) done(painted - start);
      else if (performance.now() - start < ${GIVE_UP_MS}) requestAnimationFrame(look);
      else fail(new Error('no drawing: painted at ' + painted + ', answered at ' + answered + ', asked at ' + start));
    };
    document.querySelector('[aria-label="Horizontal axis"] button[aria-pressed="false"]').click();
    look();
  })`)) as number;
}
