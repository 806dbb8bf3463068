// Damages files of models at random, and opens them: each is read, or rejected with a typed error within a time limit.
import { cpSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goldenPath } from '../../test/golden.testing.ts';
import { TrenioError } from '../base/errors.ts';
import { AutoTokenizer } from '../data/index.ts';
import { loadAdapter } from './adapters/adapter.ts';
import { AutoModelForCausalLM } from './auto/index.ts';
import { loadTorchFile } from './torch-file/torch-file.ts';

const torchFiles = goldenPath('torch-files');

/** A file of a directory that is damaged, and how the directory is opened. */
export interface Target {
  readonly directory: string;
  readonly file: string;
  open(directory: string): Promise<unknown>;
}
const tokens = async (path: string): Promise<void> => {
  const tokenizer = await AutoTokenizer.fromPretrained(path);
  const { inputIds } = tokenizer(['Hello, world! 12 é', 'b'], { padding: tokenizer.padTokenId !== undefined });
  tokenizer.encode(['a', 'b']);
  for (const ids of inputIds) tokenizer.decode(ids, { skipSpecialTokens: true });
};
const model = (path: string): Promise<unknown> => AutoModelForCausalLM.fromPretrained(path, { onWarning: () => {} });
const tokenizers = ['bert', 'gpt2', 'llama2', 'llama3', 'roberta', 'unigram'];

export const targets: readonly Target[] = [
  ...tokenizers.map(name => ({ directory: goldenPath(`tokenizers/${name}`), file: 'tokenizer.json', open: tokens })),
  { directory: goldenPath('tokenizers/qwen'), file: 'tokenizer_config.json', open: tokens },
  ...['config.json', 'model.safetensors'].map(file => ({ directory: goldenPath('decoders/llama'), file, open: model })),
  ...['adapter_config.json', 'adapter_model.safetensors'].map(file => ({
    directory: goldenPath('lora/llama-lora'),
    file,
    open: async (path: string) => loadAdapter((await model(goldenPath('decoders/llama'))) as never, path),
  })),
  { directory: goldenPath('gguf'), file: 'llama.gguf', open: async path => tokens(join(path, 'llama.gguf')) },
  { directory: goldenPath('gguf'), file: 'qwen2-q4.gguf', open: async path => model(join(path, 'qwen2-q4.gguf')) },
  { directory: torchFiles, file: 'kinds.pt', open: async path => loadTorchFile(join(path, 'kinds.pt')) },
];

type Random = (below: number) => number;
/** A generator with a seed: mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const odd: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 2.5, 1e300, -1e9, 2 ** 31, 2 ** 53, '', 'x', '\uffff', '<s>', '(', '[', '\\', '.*+'],
  ...[[], [[]], [null], {}, { type: 'x' }, { type: 'Sequence' }, { id: 1 }, { __proto__: null, a: {} }],
];
type Json = Record<string, unknown>;
/** One value anywhere in `json` is replaced, removed, or copied to another place. */
function damageJson(json: unknown, random: Random): unknown {
  const places: [Json, string][] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const entries = Object.keys(value);
    // Of long vocabularies, a few entries are enough.
    for (const key of entries.length > 50 ? entries.slice(0, 20) : entries) {
      places.push([value as Json, key]);
      collect((value as Json)[key]);
    }
  };
  const copy = structuredClone(json);
  collect(copy);
  const [at, key] = places[random(places.length)] ?? [{}, 'x'];
  const [other, from] = places[random(places.length)] ?? [{}, 'x'];
  if (random(8) === 0) delete at[key];
  else at[key] = random(4) === 0 ? structuredClone(other[from]) : odd[random(odd.length)];
  return copy;
}
function damageBytes(bytes: Buffer, random: Random): Buffer {
  if (random(12) === 0) return bytes.subarray(0, random(bytes.length));
  const copy = Buffer.from(bytes);
  // The headers of binary files are at their start or end.
  const near = Math.min(copy.length, 4096);
  for (let changes = 1 + random(3); changes > 0; changes--) {
    const at = random(3) === 0 ? copy.length - 1 - random(near) : random(near);
    copy[at] = [random(256), 0, 255, copy[at]! ^ (1 << random(8))][random(4)]!;
  }
  return copy;
}

/** A damaged file that was not handled. */
export interface Failure {
  readonly file: string;
  readonly seed: number;
  readonly problem: string;
}

/** Opens `count` damaged copies of the target. */
export async function openMutants(
  { directory, file, open }: Target,
  { count, firstSeed = 1, limitMs }: { readonly count: number; readonly firstSeed?: number; readonly limitMs: number },
): Promise<readonly Failure[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-mutants-'));
  cpSync(directory, folder.path, { recursive: true });
  const bytes = readFileSync(join(directory, file));
  const json: unknown = file.endsWith('.json') ? JSON.parse(bytes.toString()) : undefined;
  const failures: Failure[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const random = randomOf(seed);
    const isJson = json !== undefined && random(5) > 0;
    const content = isJson ? JSON.stringify(damageJson(json, random)) : damageBytes(bytes, random);
    writeFileSync(join(folder.path, file), content);
    const start = performance.now();
    const error: unknown = await open(folder.path).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const elapsedMs = performance.now() - start;
    const at = { file: `${directory}/${file}`, seed };
    if (error !== undefined && !(error instanceof TrenioError))
      failures.push({ ...at, problem: String((error as Error).stack ?? error) });
    else if (elapsedMs > limitMs) failures.push({ ...at, problem: `took ${Math.round(elapsedMs)} ms` });
  }
  return failures;
}
