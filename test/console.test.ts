// The console in a browser, on a server started as users start it: what its pages show and do, live updates, and what the browser
// blocks. One server and one browser for all tests.
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CreateTrainingJobCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../src/api/access/audit-entry.ts';
import { readAudit } from '../src/api/access/read-audit.ts';
import { PROOF_HEADER } from '../src/api/console/messages.ts';
import { addSampleJobs } from '../src/api/console/sample-jobs.testing.ts';
import { addSampleTuning } from '../src/api/console/sample-tunings.testing.ts';
import { LogStore } from '../src/jobs/logs/log-store.ts';
import { MetricStore } from '../src/jobs/metrics/metric-store.ts';
import { JobStore } from '../src/jobs/store/job-store.ts';
import { ObjectStore } from '../src/objects/object-store.ts';
import { type Running, root, startTrenio, workFolder } from './system.ts';

const CHROMIUM = '/usr/bin/chromium';
const hasBrowser = existsSync(CHROMIUM);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const JOBS = 300;

interface Ready {
  readonly url: string;
  readonly console: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const folder = workFolder();
const data = join(folder.path, 'data');
let server: Running;
let ready: Ready;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Errors in the page since the last check. */
let faults: string[] = [];
const outside: string[] = [];
/** A job with metrics and log lines. */
let sample: string;
let others: string;
/** A script that prints each line added to the file. */
const feed = join(folder.path, 'feed.txt');

async function startServer(port: number): Promise<void> {
  server = startTrenio(
    ['server', '--port', `${port}`, '--json', '--data', data, '--images', join(folder.path, 'images.json')],
    {
      variables: { PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
    },
  );
  ready = JSON.parse((await server.says(/\{.*\}\n/))[0]) as Ready;
}
async function stopServer(): Promise<void> {
  server.child.kill('SIGTERM');
  await server.ended;
}

beforeAll(async () => {
  if (!hasBrowser) return;
  const stores = { jobs: new JobStore(data), logs: new LogStore(data), metrics: new MetricStore(data) };
  // In one transaction: each waits for the disk.
  const jobs = stores.jobs.transaction(() => addSampleJobs(stores, JOBS, Date.now()));
  const ended = jobs.filter(({ secondary }) => secondary === 'Completed');
  sample = ended.at(-1)!.name;
  others = ended
    .slice(-3)
    .map(({ name }) => name)
    .join(',');
  const trials = ended.slice(-24).map(({ name }) => name);
  addSampleTuning(stores.jobs, 'learning-rates', trials, Date.now());
  const objects = new ObjectStore(join(data, 'objects'));
  objects.createBucket('models');
  for (const store of [...Object.values(stores), objects]) store.close();
  writeFileSync(feed, '');
  writeFileSync(
    join(folder.path, 'train.mjs'),
    `import { readFileSync } from 'node:fs';
     let shown = 0;
     setInterval(() => {
       const lines = readFileSync(${JSON.stringify(feed)}, 'utf8').split('\\n').slice(0, -1);
       for (; shown < lines.length; shown++) console.log(lines[shown]);
     }, 50);
     process.on('SIGTERM', () => process.exit(0));`,
  );
  writeFileSync(
    join(folder.path, 'images.json'),
    JSON.stringify({
      'local/train:1': { kind: 'command', train: ['node', join(folder.path, 'train.mjs')] },
      'local/serve:1': {
        kind: 'command',
        serve: [process.execPath, join(root, 'src/api/aws/sagemaker/fixtures/serve.mjs')],
      },
    }),
  );
  await startServer(0);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  // A busy machine takes a while.
  context.setDefaultTimeout(300_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  page = await openPage();
  await page.goto(ready.console);
  await page.waitForSelector('.stats');
}, 600_000);
afterAll(async () => {
  if (!hasBrowser) return;
  await browser.close();
  await stopServer();
  folder[Symbol.dispose]();
});

async function openPage(): Promise<Page> {
  const opened = await context.newPage();
  opened.on('console', message => {
    // Other tests create networks for their jobs, and the browser aborts requests when the machine's networks change.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('ERR_NETWORK_CHANGED'))
      faults.push(message.text());
  });
  opened.on('pageerror', error => faults.push(error.stack ?? error.message));
  opened.on('request', request => {
    if (!request.url().startsWith(ready.url) && !request.url().startsWith('data:')) outside.push(request.url());
  });
  return opened;
}
function takeFaults(): readonly string[] {
  const found = faults;
  faults = [];
  return found;
}
const addressOf = (path: string): string => path.replace('SAMPLE', sample).replace('OTHERS', others);
const at = (path: string): string => `${ready.url}/_console${path}`;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}
/** The findings of axe that are serious or worse. */
async function seriousFindings(): Promise<readonly string[]> {
  // Through the DevTools protocol, to which the page's content security policy does not apply.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run(document)')) as { violations: readonly Violation[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
}

async function createJob(name: string): Promise<void> {
  const client = new SageMakerClient({
    endpoint: ready.url,
    region: 'us-east-1',
    credentials: { accessKeyId: ready.accessKeyId, secretAccessKey: ready.secretAccessKey },
  });
  await client.send(
    new CreateTrainingJobCommand({
      TrainingJobName: name,
      RoleArn: 'arn:aws:iam::123456789012:role/trainer',
      AlgorithmSpecification: {
        TrainingImage: 'local/train:1',
        TrainingInputMode: 'File',
        MetricDefinitions: [{ Name: 'loss', Regex: 'loss=([0-9.]+)' }],
      },
      HyperParameters: { lr: '0.1' },
      Environment: { API_TOKEN: 'never-shown-anywhere' },
      OutputDataConfig: { S3OutputPath: 's3://models/out' },
      ResourceConfig: { InstanceType: 'ml.trn1.2xlarge', InstanceCount: 1, VolumeSizeInGB: 1 },
      StoppingCondition: { MaxRuntimeInSeconds: 600 },
    }),
  );
  client.destroy();
}
/** The header that the page sends with each request. */
const proofOf = async (from: Page): Promise<Readonly<Record<string, string>>> => ({
  [PROOF_HEADER]: (await from.evaluate("localStorage.getItem('trenio-console-session')")) as string,
});
const print = (line: string): void => writeFileSync(feed, `${line}\n`, { flag: 'a' });

// In the order of a visit: later tests use the session and the jobs of earlier ones.
describe.skipIf(!hasBrowser && process.env.CI === undefined)('the console', () => {
  test('the printed address signs in once', async () => {
    expect(new URL(page.url()).hash).toBe('');
    expect(await page.textContent('h1')).toBe('Overview');
    const [cookie] = await context.cookies(at('/'));
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/_console' });
    const other = await browser.newContext();
    other.setDefaultTimeout(120_000);
    const second = await other.newPage();
    await second.goto(ready.console);
    await second.waitForSelector('form');
    await second.fill('input[autocomplete=username]', ready.accessKeyId);
    await second.fill('input[type=password]', 'wrong');
    await second.click('button[type=submit]');
    expect(await second.textContent('[role=alert]')).toContain('this access key is unknown');
    await second.fill('input[type=password]', ready.secretAccessKey);
    await second.click('button[type=submit]');
    await second.waitForSelector('.stats');
    await other.close();
  });

  const pages: readonly (readonly [path: string, shows: string])[] = [
    ['/', 'Spent today'],
    ['/jobs', `${JOBS} of ${JOBS}`],
    ['/jobs/SAMPLE', 'every rank computes the gather at train.py:52 whole'],
    ['/jobs/SAMPLE?tab=metrics', 'Claimed, predicted, measured'],
    ['/jobs/SAMPLE?tab=log', 'Follow'],
    ['/jobs/SAMPLE?tab=configuration', 'HF_TOKEN'],
    ['/jobs/SAMPLE?tab=artifacts', 'Nothing yet'],
    ['/jobs/SAMPLE?tab=code', 'No uploaded code'],
    ['/compare?jobs=OTHERS', 'Differences'],
    ['/compare', 'Select jobs to compare'],
    ['/tuning', 'learning-rates'],
    ['/tuning/learning-rates', 'Best trial'],
    ['/plan', 'Assumptions'],
    ['/processing', 'create-processing-job'],
    ['/transform', 'create-transform-job'],
    ['/models', 'create-model'],
    ['/endpoint-configs', 'create-endpoint-config'],
    ['/data', 'Created'],
    ['/data?bucket=models', 'Nothing here'],
    ['/capacity', 'Nothing is reserved'],
    ['/endpoints', 'No endpoint yet'],
    ['/clusters', 'No cluster yet'],
    ['/hardware?machine=trn1.32xlarge', 'accelerator memory'],
    ['/access', 'The last key of an admin'],
  ];
  test.each(pages)('%s renders in both themes, without errors or serious findings of axe', async (path, shows) => {
    takeFaults();
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(at(addressOf(path)));
    await page.getByText(shows).first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    expect(await seriousFindings()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.waitForSelector('html[data-theme="dark"]');
    expect(await seriousFindings()).toEqual([]);
    expect(await page.content()).not.toContain('a secret that no page shows');
    expect(takeFaults()).toEqual([]);
  });

  test('no page is wider than a phone screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, shows] of pages) {
      await page.goto(at(addressOf(path)));
      await page.getByText(shows).first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('jobs can be searched, filtered, sorted, and navigated by keyboard', async () => {
    await page.goto(at('/jobs'));
    await page.waitForSelector('.vrow');
    await page.keyboard.press('/');
    await page.keyboard.type('bert-large');
    await expect
      .poll(
        () =>
          page.evaluate(
            "[...document.querySelectorAll('.vrow .name')].every(name => name.textContent.includes('bert-large'))",
          ),
        { timeout: 120_000 },
      )
      .toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Failed/ }).click();
    await expect
      .poll(
        () =>
          page.evaluate("[...document.querySelectorAll('.vrow .badge')].every(one => one.textContent === 'Failed')"),
        { timeout: 120_000 },
      )
      .toBe(true);
    await page.goto(at('/jobs'));
    await page.waitForSelector('.vrow');
    await page.getByRole('button', { name: 'Cost' }).click();
    await page.waitForSelector('[aria-sort]');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const name = await page.textContent('.vrow[data-current="true"] .name');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: name! }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
  });

  test('a plan with large samples and slow storage waits for data, and shows its command line', async () => {
    await page.goto(at('/plan'));
    await page.locator('.answer').waitFor();
    const move = async (name: string, steps: number): Promise<void> => {
      const slider = page.locator('label.slider', { hasText: name }).locator('input');
      await slider.focus();
      await slider.press('Home');
      for (let i = 0; i < steps; i++) await slider.press('ArrowRight');
    };
    await move('Size of a sample on storage', 11);
    await move('Storage bandwidth', 1);
    await page.getByText(/^Waits for data \d+ % of the time\.$/).waitFor();
    await page.getByText('--sample-bytes 1GB --storage-bandwidth 1GB/s').waitFor();
    await page.locator('[title*="data loading"]').first().waitFor();
  });

  test('the layouts tried for a model, why they lost, and the calls that make the best', async () => {
    await page.goto(at('/plan'));
    await page.locator('.answer').waitFor();
    await page.locator('select').selectOption('bert-base');
    const nodes = page.locator('label.slider', { hasText: 'Nodes' }).locator('input');
    await nodes.focus();
    await nodes.press('Home');
    for (const name of ['trn2.48xlarge', 'p5.48xlarge']) await page.getByLabel(name, { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Fastest' }).click();
    await page.getByText(/^Layouts tried: \d+, of which \d+ fit$/).waitFor();
    await page
      .getByRole('cell', { name: /% slower: / })
      .first()
      .waitFor();
    await page.getByText(/^trenio run --layout dp_shard=32, and in the script: .*parallelize\(model, mesh/).waitFor();
  });

  test('log lines and metrics of a running job arrive, and none is lost when the server restarts', async () => {
    await createJob('live');
    await page.goto(at('/jobs/live?tab=log'));
    print('\u001b[32mfirst\u001b[0m line loss=0.5');
    await page.locator('.log-line', { hasText: 'first line' }).waitFor();
    expect(await page.locator('.ansi-2').first().textContent()).toBe('first');
    await page.getByRole('tab', { name: 'Metrics' }).click();
    await page.locator('figure[data-points="1"]').waitFor();
    print('loss=0.25');
    await page.locator('figure[data-points="2"]').waitFor();
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.locator('.log-line', { hasText: 'loss=0.25' }).waitFor();

    const port = Number(new URL(ready.url).port);
    await stopServer();
    print('written while no server ran');
    await startServer(port);
    print('written afterwards');
    await page.locator('.log-line', { hasText: 'written afterwards' }).waitFor();
    const lines = await page.locator('.log-line').allTextContents();
    expect(lines.map(line => line.replace(/^[\d:]+/, ''))).toEqual([
      'first line loss=0.5',
      'loss=0.25',
      'written while no server ran',
      'written afterwards',
    ]);
    // Ignore the browser's messages about connections that were refused meanwhile.
    expect(takeFaults().filter(fault => !/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to load/.test(fault))).toEqual(
      [],
    );
  });

  test('a job is run again with changes, and stopped; its secrets are not shown', async () => {
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByLabel('Value of lr').fill('0.2');
    await page.getByRole('button', { name: 'Create the job' }).click();
    await page.getByRole('heading', { name: 'live-2' }).waitFor();
    await page.getByRole('tab', { name: 'Configuration' }).click();
    await page.getByText('API_TOKEN').first().waitFor();
    expect(await page.content()).not.toContain('never-shown-anywhere');
    expect(await page.locator('dd', { hasText: /^0\.2$/ }).count()).toBe(1);
    const described = await page.request.post(at('/api/sagemaker/DescribeTrainingJob'), {
      data: { TrainingJobName: 'live-2' },
      headers: await proofOf(page),
    });
    expect(await described.json()).toMatchObject({
      HyperParameters: { lr: '0.2' },
      Environment: { API_TOKEN: '••••••' },
    });
    for (const name of ['live-2', 'live']) {
      await page.goto(at(`/jobs/${name}`));
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.locator('.page-head .badge', { hasText: /^Stopped$/ }).waitFor();
    }
    takeFaults();
  });

  test('the trials of a tuning job, as lines and as rows, link to their jobs', async () => {
    await page.goto(at('/tuning'));
    await page.getByRole('link', { name: 'learning-rates' }).click();
    await page.getByRole('heading', { name: 'Best trial' }).waitFor();
    const first = page.locator('section[aria-label="Trials"] tbody tr').first();
    const best = (await first.locator('.name').textContent())!;
    expect(await page.locator('.facts').first().textContent()).toContain(best);
    // 2 of 24 trials failed and have no objective value.
    expect(await page.locator('.trial').count()).toBe(22);
    await first.hover();
    await page.locator(`[data-trial="${best}"] polyline[stroke-width="3.5"]`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Compare the best' }).click();
    await page.getByRole('heading', { name: 'Differences' }).waitFor();
    await page.goto(at('/tuning/learning-rates'));
    await first.locator('.name').click();
    await page.getByRole('heading', { name: best, exact: true }).waitFor();
    expect(takeFaults()).toEqual([]);
  });

  test('a model is created and deployed; its endpoint is invoked, updated and deleted', async () => {
    await page.goto(at('/models'));
    await page.getByRole('button', { name: 'New model' }).click();
    await page.getByLabel('Name').fill('echo');
    await page.getByLabel('Image').fill('local/serve:1');
    await page.getByRole('button', { name: 'Create the model' }).click();
    await page.getByRole('link', { name: 'echo' }).click();
    await page.getByRole('button', { name: 'Deploy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Instance type').fill('ml.c5.xlage');
    await dialog.getByRole('button', { name: 'Deploy' }).click();
    await dialog.getByText(/Did you mean ml\.c5\.xlarge/).waitFor();
    await dialog.getByLabel('Instance type').fill('ml.c5.xlarge');
    await dialog.getByRole('button', { name: 'Deploy' }).click();
    await page.waitForURL(/endpoints\?name=echo/);
    await page.goto(at('/endpoints'));
    await page.getByRole('link', { name: 'echo' }).click();
    await page.locator('.page-head .badge', { hasText: /^In Service$/ }).waitFor();
    await page.getByLabel('Content type').fill('text/plain');
    await page.getByLabel('Body').fill('a wonderful film');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('pre', { hasText: /text\/plain a wonderful film$/ }).waitFor();
    await page.getByRole('heading', { name: 'Requests a minute' }).waitFor();
    expect(await seriousFindings()).toEqual([]);
    await page.getByRole('button', { name: 'Update' }).click();
    await dialog.getByLabel('Instances of all').fill('2');
    await dialog.getByRole('button', { name: 'Update' }).click();
    await page.getByText('2 × ml.c5.xlarge').waitFor();
    // While an endpoint is updated, it cannot be deleted.
    await page.locator('.page-head .badge', { hasText: /^In Service$/ }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Endpoints', exact: true }).waitFor();
    // The server's answers to the mistyped instance type are faults of the page's requests.
    takeFaults();
  });

  test('a job has a note and tags', async () => {
    await page.goto(at(addressOf('/jobs/SAMPLE')));
    await page.getByLabel('Note').fill('the baseline');
    await page.getByLabel('Key of a new tag').fill('team');
    await page.getByLabel('Value of a new tag').fill('search');
    await page.getByRole('button', { name: 'Add a tag' }).click();
    await page.getByText('team: search').waitFor();
    await page.reload();
    await page.getByText('team: search').waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('the baseline');
    expect(takeFaults()).toEqual([]);
  });

  test('requests that the browser aborts are sent again', async () => {
    // A browser aborts requests when a network of the machine appears, such as that of a job.
    const other = await browser.newContext();
    other.setDefaultTimeout(120_000);
    let asked = 0;
    let isBroken = true;
    await other.route('**/_console/api/session', route => {
      asked++;
      // Something between the browser and the server may give a page of its own.
      if (asked === 1) return route.fulfill({ body: '<html>' });
      return isBroken ? route.abort('failed') : route.continue();
    });
    const stranger = await other.newPage();
    await stranger.goto(at('/'));
    await stranger.getByText('The server does not respond').first().waitFor();
    await expect.poll(() => asked, { timeout: 120_000 }).toBeGreaterThan(6);
    isBroken = false;
    await stranger.locator('input[autocomplete=username]').waitFor();
    await other.close();
  });

  test('an admin creates, rotates and removes keys, and reads the audit log; other roles do not see the page', {
    timeout: 400_000,
  }, async () => {
    await page.goto(at('/'));
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('dashboard');
    await page.getByRole('radio', { name: 'read-only' }).check();
    expect(await seriousFindings()).toEqual([]);
    await page.getByRole('button', { name: 'Create the key' }).click();
    const shown = (await page.locator('dialog pre').textContent())!;
    expect(shown).toContain(`export AWS_ENDPOINT_URL=${ready.url}\nexport AWS_ACCESS_KEY_ID=AKIA`);
    await page.getByRole('button', { name: 'Copy the command' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown);
    const secretOf = (text: string): string => /SECRET_ACCESS_KEY=(\w{40})/.exec(text)![1]!;
    await page.locator('dialog').getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secretOf(shown));
    const key = /AKIA\w+/.exec(shown)![0];
    // A first try of this test may have left keys of the same name.
    const row = page.locator('tr[data-key]', { hasText: key });
    await row.getByText('Usable').waitFor();

    const other = await browser.newContext();
    other.setDefaultTimeout(120_000);
    const reader = await other.newPage();
    await reader.goto(at('/'));
    await reader.fill('input[autocomplete=username]', key);
    await reader.fill('input[type=password]', secretOf(shown));
    await reader.click('button[type=submit]');
    await reader.waitForSelector('.stats');
    expect(await reader.getByRole('link', { name: 'Access' }).count()).toBe(0);
    await reader.goto(at('/access'));
    await reader.getByRole('heading', { name: 'Not found' }).waitFor();
    const headers = await proofOf(reader);
    expect((await reader.request.get(at('/api/access/keys'), { headers })).status()).toBe(403);
    await other.close();

    await row.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('The old key ends').selectOption('In an hour');
    await page.locator('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('it is not shown again').waitFor();
    await page.locator('dialog').getByRole('button', { name: 'Done' }).click();
    await row.getByText(/^Until/).waitFor();
    const next = row.filter({ hasText: 'replaces' });
    await next.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the key' }).click();
    await next.waitFor({ state: 'detached' });
    // The row of the last admin key says so.
    expect(await page.locator('tr[data-key]').first().getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);

    const lines = page.getByRole('region', { name: 'Audit log' }).locator('tbody tr');
    await lines.filter({ hasText: 'server:RemoveKey' }).filter({ hasText: 'console' }).waitFor();
    await page.getByRole('button', { name: 'Refused' }).click();
    await lines.filter({ hasText: 'server:RemoveKey' }).waitFor({ state: 'detached' });
    await lines.filter({ hasText: 'ROLE_NOT_ALLOWED' }).waitFor();
    await page.getByLabel('Action or resource').fill('nothing has this text');
    await page.getByText('Nothing was recorded').waitFor();
    await page.goto(at('/access?text=CreateKey'));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    expect(csv).toMatch(/^time,key,[^\n]+\n\S+,server:CreateKey,/);
    expect(csv).not.toContain(secretOf(shown));
    takeFaults();
  });

  test('pages on another port of this machine, with the cookie of an admin, neither read nor change anything', async () => {
    // The browser sends the cookie here, too.
    const received: string[] = [];
    const attacks = `
      const asked = [];
      const url = '${ready.url}/_console/api/';
      const ask = (path, init) => asked.push(fetch(url + path, init).then(answer => answer.type, () => 'refused'));
      for (const mode of ['no-cors', 'cors'])
        for (const path of ['session', 'jobs', 'access/keys', 'command?words=%5B%22hardware%22%2C%22ls%22%5D']) {
          ask(path, { mode, credentials: 'include' });
          ask(path, { mode, credentials: 'include', headers: { 'x-trenio-session': 'x' } });
        }
      for (const type of ['text/plain', 'application/json'])
        ask('access/keys', { method: 'POST', mode: 'no-cors', credentials: 'include',
          body: new Blob(['{"role":"admin"}'], { type }) });
      for (const tag of ['img', 'script', 'iframe', 'embed'])
        document.body.append(Object.assign(document.createElement(tag), { src: url + 'access/keys' }));
      const form = Object.assign(document.createElement('form'), { method: 'post', action: url + 'access/keys',
        target: 'inner', enctype: 'text/plain' });
      document.body.append(form);
      form.submit();
      return Promise.all(asked)`;
    const elsewhere = createServer((request, response) => {
      received.push(request.headers.cookie ?? '');
      response.setHeader('content-type', 'text/html');
      response.end('<body><iframe name=inner></iframe></body>');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    const before = readFileSync(join(data, 'keys.json'), 'utf8');
    const sinceMs = Date.now();
    const from = await context.newPage();
    await from.goto(`http://127.0.0.1:${port}/_console/x`);
    const answers = (await from.evaluate(`(async () => {${attacks}})()`)) as readonly string[];
    expect(answers).toEqual(Array(18).fill('refused'));
    expect(received.some(cookie => cookie.includes('trenio-console-'))).toBe(true);
    const recorded = async (): Promise<readonly AuditEntry[]> => Array.fromAsync(readAudit(data, { sinceMs }));
    // Those that need no permission of the attacked server from the browser: simple requests, tags, a form.
    await expect.poll(async () => (await recorded()).length, { timeout: 150_000 }).toBeGreaterThanOrEqual(10);
    for (const entry of await recorded()) expect(entry).toMatchObject({ result: 'refused' });
    expect(readFileSync(join(data, 'keys.json'), 'utf8')).toBe(before);
    // Another program of this machine that has received the cookie.
    const replayed = await fetch(`${ready.url}/_console/api/session`, { headers: { cookie: received[0]! } });
    expect(replayed.status).toBe(401);
    await from.close();
    elsewhere.close();
  });

  test('no request leaves the machine, and no inline script runs', async () => {
    await page.goto(at('/'));
    await page.evaluate(
      "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.stolen = 1\"><script>window.stolen = 1</script>')",
    );
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.stolen = 1' }))",
    );
    expect(await page.evaluate('window.stolen')).toBe(undefined);
    expect(await page.evaluate("fetch('http://127.0.0.1:1/').then(() => 'sent', () => 'refused')")).toBe('refused');
    expect(takeFaults().some(fault => /Content Security Policy/.test(fault))).toBe(true);
    expect(outside).toEqual([]);
  });
});
