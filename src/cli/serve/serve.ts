// `trenio serve`: reads the options, serves until a signal, and lets running requests end.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isLoopback } from '../../api/allowed-hosts.ts';
import { runners, serveLanguageModel } from '../../api/openai/serve.ts';
import { BlockedProgress } from '../../base/blocked-progress.ts';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { directoryExists, readTextFile } from '../../base/read-file.ts';
import { readLoraConfig } from '../../models/adapters/lora-config.ts';
import { poolings } from '../../models/pooling.ts';
import { traceLines, traceStart } from '../../serving/engine/step-trace.ts';
import type { CliContext } from '../command/command.ts';
import { oneOf, weightsOf } from './model-options.ts';
import type { ServeInput } from './serve-options.ts';

const MIB = 1 << 20;

export async function serve(input: ServeInput, { stdout, stderr, signal, cwd }: CliContext): Promise<number> {
  const { options, positionals } = input;
  const folder = resolve(cwd, positionals[0]!);
  const apiKeys = await keysOf(input, cwd);
  const weights = weightsOf('serve', options);
  const runner = oneOf('serve', 'runner', options.runner, runners);
  const pooling = options.pooling === undefined ? undefined : oneOf('serve', 'pooling', options.pooling, poolings);
  const cacheType = oneOf('serve', 'kv-cache-dtype', options['kv-cache-dtype'], ['auto', 'float32', 'bfloat16']);
  const usesGenerationConfig =
    oneOf('serve', 'generation-config', options['generation-config'], ['auto', 'vllm']) === 'auto';
  const { host } = options;
  if (apiKeys.length === 0 && !options.insecure && host !== 'localhost' && !isLoopback(host))
    throw bad('host', host, 'a loopback address, --api-key, or --insecure');
  const checkedShare = Number(options['check-invariance'] ?? 0);
  if (!(checkedShare >= 0 && checkedShare <= 1))
    throw bad('check-invariance', options['check-invariance']!, 'a share of the requests, 0 to 1');
  const log = (line: string): void => void stderr.write(`${line}\n`);
  if (!options.json) log(`trenio serve: loading ${folder}`);
  using progress = new BlockedProgress('loading the weights and compiling', { stream: stderr, quiet: options.json });
  const cacheMib = options['kv-cache-memory'];
  const adapters = await adaptersOf(input, cwd);
  const adapterFolder = options['lora-root'] === undefined ? undefined : resolve(cwd, options['lora-root']);
  if (adapterFolder !== undefined && !(await directoryExists(adapterFolder)))
    throw bad('lora-root', adapterFolder, 'a folder that exists');
  const trace = options.trace === undefined ? undefined : await openTrace(resolve(cwd, options.trace), log);
  const serving = serveLanguageModel(folder, {
    host,
    port: options.port,
    apiKeys,
    allowOrigins: options['allowed-origins'],
    allowHosts: options['allow-host'],
    names: options['served-model-name'],
    strict: options.strict,
    ...{ runner, pooling, usesGenerationConfig },
    log,
    ...(options['request-log'] ? { onRequest: record => log(JSON.stringify(record)) } : {}),
    signal,
    ...weights,
    sizes: {
      positions: options['max-model-len'],
      sequences: options['max-num-seqs'],
      tokens: options['max-num-batched-tokens'],
      blockSize: options['block-size'],
      cacheBytes: cacheMib === undefined ? undefined : cacheMib * MIB,
      cacheType: cacheType === 'auto' ? undefined : cacheType,
      adapters:
        options['enable-lora'] || adapters.length > 0 || adapterFolder !== undefined
          ? { count: options['max-loras'] ?? Math.max(4, adapters.length), rank: rankOf(options['max-lora-rank']) }
          : undefined,
    },
    adapters,
    adapterFolder,
    checkedShare,
    engine: {
      mostWaiting: options['max-num-queued-reqs'],
      mostWaitingTokens: options['max-num-queued-tokens'],
      prefixCache: !options['no-enable-prefix-caching'],
      speculation: !options['no-speculation'],
      ...(trace && { onStep: record => void trace.write(traceLines(record)) }),
    },
  });
  const server = await serving.catch(error => {
    throw ofOption(error);
  });
  progress.done();
  const { url, names, positions } = server;
  if (options.json) stdout.write(`${JSON.stringify({ url, models: names, maxModelLen: positions })}\n`);
  else stdout.write(`ready: ${url}/v1 with the model ${names.join(', ')}, of ${positions} tokens\n`);
  await aborted(signal);
  if (!options.json) log('trenio serve: finishing running requests, then exiting');
  await server.close(options['shutdown-timeout'] * 1000);
  if (trace?.destroyed === false) await new Promise<void>(done => void trace.end(done));
  // A signal is the normal way to stop a server.
  return 0;
}

/** @throws {BAD_ARGUMENT} if the file cannot be written */
async function openTrace(file: string, log: (line: string) => void): Promise<WriteStream> {
  const stream = createWriteStream(file);
  await once(stream, 'open').catch((error: Error) => {
    throw bad('trace', file, `a file that can be written (${error.message})`);
  });
  // A full disk ends the trace, not the server.
  stream.on('error', error => log(`trenio serve: the trace ends: ${error.message}`));
  stream.write(traceStart);
  return stream;
}

/** The options that the engine or the model may refuse, by their names there. */
const sizeOptions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['dtype', 'quantization', 'enable-lora', 'check-invariance', 'trace'].map(name => [name, name]),
  ),
  blockSize: 'block-size',
  positions: 'max-model-len',
  cacheBytes: 'kv-cache-memory',
};

/** An error of the engine about a size names the option. */
function ofOption(error: unknown): unknown {
  if (!isTrenioError(error, 'INVALID_OPTION')) return error;
  const option = sizeOptions[error.data.option];
  return option === undefined ? error : bad(option, error.data.got, error.data.expected);
}

interface NamedAdapter {
  readonly name: string;
  readonly folder: string;
}

/** The adapters of `--lora-modules`, whose files are looked for before the model is loaded. */
async function adaptersOf({ options, positionals }: ServeInput, cwd: string): Promise<readonly NamedAdapter[]> {
  const given = options['lora-modules'];
  const most = options['max-loras'] ?? given.length;
  if (given.length > most) throw bad('lora-modules', `${given.length} adapters`, `at most ${most} (--max-loras)`);
  const own = options['served-model-name'];
  const names = new Set(own.length > 0 ? own : [basename(positionals[0]!)]);
  const adapters: NamedAdapter[] = [];
  for (const text of given) {
    const [, name, path] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (name === undefined || path === undefined) throw bad('lora-modules', text, 'NAME=DIR');
    if (names.has(name)) throw bad('lora-modules', text, 'a name that no other model has');
    names.add(name);
    const folder = resolve(cwd, path);
    await readLoraConfig(folder);
    adapters.push({ name, folder });
  }
  return adapters;
}

function rankOf(rank: number): number {
  if (!Number.isInteger(Math.log2(rank))) throw bad('max-lora-rank', String(rank), 'a power of two');
  return rank;
}

async function keysOf({ options }: ServeInput, cwd: string): Promise<readonly string[]> {
  const file = options['api-key-file'];
  const text = file === undefined ? '' : await readTextFile(resolve(cwd, file));
  const keys = [...options['api-key'], ...text.split('\n')].map(key => key.trim()).filter(key => key !== '');
  if (file !== undefined && keys.length === 0)
    throw bad('api-key-file', `${file}, which has none`, 'a key in each line');
  return keys;
}

const bad = (option: string, got: string, expected: string): TrenioError =>
  new TrenioError('BAD_ARGUMENT', { command: 'serve', argument: `--${option}`, got, expected });

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve: done } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => done(), { once: true });
  if (signal.aborted) done();
  return promise;
}
