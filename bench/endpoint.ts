// The endpoint under load: `trenio deploy` in one process, a client in another, with keep-alive connections that send
// reviews one after another. For comparison: an empty node:http server with the same client, and the model without
// HTTP. Another checkout of Trenio can be measured interleaved.
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { loadReviews, reviewText } from 'trenio';
import { includedReviews } from '../examples/bert-polarity/included.ts';
import { loadClassifier } from '../src/serving/model/classifier.ts';
import { bar } from './bars.ts';
import type { Load, LoadResult } from './endpoint-client.ts';
import { median } from './peak.ts';

const help = `Usage: node bench/endpoint.ts [--checkpoint DIR] [--connections 1,4,16,64,256,1000] [--rounds 5] [--seconds 2] [--against DIR] [--obedient]

  --checkpoint   what is deployed; the default is what npm start trains (out/bert-polarity/checkpoint), trained if need be
  --against      another checkout of Trenio, deployed and measured in turn
  --obedient     refused clients wait as long as Retry-After says; otherwise they ask again at once
  --seconds      of each measurement, after half a second that is not counted

  node bench/endpoint.ts
  node bench/endpoint.ts --connections 16,256 --rounds 9 --against ../trenio-before`;

const shipped = 'out/bert-polarity/checkpoint';
const { values } = parseArgs({
  options: {
    checkpoint: { type: 'string', default: shipped },
    connections: { type: 'string', default: '1,4,16,64,256,1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    against: { type: 'string' },
    obedient: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit();
}
const checkpoint = resolve(values.checkpoint);
const root = join(import.meta.dirname, '..');
if (!existsSync(checkpoint)) {
  if (values.checkpoint !== shipped) {
    console.error(`no checkpoint at ${checkpoint}`);
    process.exit(2);
  }
  console.error('training the model of npm start …');
  const train = join(root, 'examples/bert-polarity/train.ts');
  const args = ['run', '--nproc_per_node=auto', train, '--output', join(checkpoint, '..')];
  const { status } = spawnSync(process.execPath, [join(root, 'src/cli/main.ts'), ...args], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
const corpus = join(await includedReviews(), 'validation.csv');
const texts = (await loadReviews(corpus)).map(reviewText);

interface Contender {
  readonly name: string;
  readonly url: string;
  readonly process: ChildProcess;
}

/** `trenio deploy` of a checkout. */
async function deployed(name: string, checkout: string): Promise<Contender> {
  const main = join(checkout, 'src/cli/main.ts');
  const child = spawn(process.execPath, [main, 'deploy', checkpoint, '--port', '0', '--name', 'reviews', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout }))
    return { name, url: (JSON.parse(line) as { invocationsUrl: string }).invocationsUrl, process: child };
  throw new Error(`${name}: trenio deploy ended`);
}

async function empty(): Promise<Contender> {
  const child = fork(join(import.meta.dirname, 'endpoint-empty.ts'));
  const [url] = (await once(child, 'message')) as [string];
  return { name: 'empty node:http server', url, process: child };
}

async function load(client: ChildProcess, settings: Load): Promise<LoadResult> {
  client.send(settings);
  const [result] = (await once(client, 'message')) as [LoadResult];
  return result;
}

/** Batches without HTTP: tokens, program, probabilities. */
async function modelAlone(): Promise<void> {
  const classifier = await loadClassifier(checkpoint);
  const batches = [...new Set([1, 2, 4, classifier.maxBatch])].filter(size => size <= classifier.maxBatch);
  const ms = new Map(batches.map(size => [size, [] as number[]]));
  for (let round = 0; round < 200; round++) {
    for (const size of batches) {
      const batch = Array.from({ length: size }, (_, i) => texts[(round * size + i) % texts.length]!);
      const start = performance.now();
      await classifier.classify(batch);
      ms.get(size)!.push(performance.now() - start);
    }
  }
  for (const size of batches) {
    const each = median(ms.get(size)!);
    console.log(
      `  model alone, ${`${size} text${size === 1 ? '' : 's'}`.padEnd(9)} ${each.toFixed(2)} ms a batch, ${((size / each) * 1000).toFixed(0)} texts/s`,
    );
  }
}

const others = values.against === undefined ? [] : [await deployed('against', resolve(values.against))];
const contenders = [await deployed('Trenio', root), ...others, await empty()];
const client = fork(join(import.meta.dirname, 'endpoint-client.ts'));
const [ours] = contenders;
try {
  console.log(
    `Endpoint of ${checkpoint}, one review per request; load average before the run: ${loadavg()[0]!.toFixed(1)}`,
  );
  await modelAlone();
  const settings = { texts, warmUpMs: 500, ms: Number(values.seconds) * 1000, obedient: values.obedient };
  for (const connections of values.connections.split(',').map(Number)) {
    const results = new Map(contenders.map(each => [each, [] as LoadResult[]]));
    for (let round = 0; round < Number(values.rounds); round++)
      for (const each of contenders)
        results.get(each)!.push(await load(client, { ...settings, url: each.url, connections }));
    console.log(
      `\n${connections} connection${connections === 1 ? '' : 's'}, median of ${values.rounds}, load ${loadavg()[0]!.toFixed(1)}`,
    );
    for (const each of contenders) {
      const all = results.get(each)!;
      const of = (key: keyof LoadResult): number => median(all.map(result => result[key]));
      const range = `${Math.min(...all.map(r => r.perSecond)).toFixed(0)} … ${Math.max(...all.map(r => r.perSecond)).toFixed(0)}`;
      const refused = (of('refused') / Number(values.seconds)).toFixed(0);
      console.log(
        `  ${each.name.padEnd(24)}${of('perSecond').toFixed(0).padStart(7)} requests/s (${range})   p50 ${of('p50').toFixed(2)} ms   p99 ${of('p99').toFixed(2)} ms   slowest ${of('slowest').toFixed(0)} ms   rejected ${refused}/s   failed ${of('failed')}`,
      );
    }
    const measured = results.get(ours!)!;
    const of = (key: keyof LoadResult): number => median(measured.map(result => result[key]));
    if (connections === 16)
      bar({
        what: 'endpoint, 16 connections',
        unit: 'requests/s',
        measured: of('perSecond'),
        limit: 1000,
        kind: 'at least',
      });
    if (connections === 256)
      bar({ what: 'endpoint, 256 connections, p99', unit: 'ms', measured: of('p99'), limit: 400, kind: 'at most' });
    const unexplained = measured.reduce((sum, each) => sum + each.unexplained + each.failed, 0);
    bar({
      what: `endpoint, ${connections} connections, failed or rejected without Retry-After`,
      unit: 'requests',
      measured: unexplained,
      limit: 0,
      kind: 'at most',
    });
  }
} finally {
  client.kill();
  for (const each of contenders) each.process.kill('SIGTERM');
}
