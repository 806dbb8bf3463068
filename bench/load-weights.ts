// Loading a model from safetensors, compared with only reading its files: into fresh memory, as any program that has the weights
// must, and into memory that is used again, which needs no new pages. In turn, medians; with the files in the page cache, and
// without (`posix_fadvise` drops them: then it is mostly the disk that is measured).
//
//   node bench/load-weights.ts [--gigabytes 1] [--dtype bf16|f32] [--as bf16|f32] [--shards 1] [--rounds 5] [--folder DIR]
//
// `--as` is the type of the model's weights, by default that of the files.
import './help.ts';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import koffi from 'koffi';
import { DecoderForCausalLM, device } from 'trenio';
import { writeConfigObject } from '../src/models/config-file.ts';
import { bar } from './bars.ts';
import { median } from './peak.ts';
import { peakResident } from './peer.ts';
import { randomWeights } from './random-weights.ts';

const { values } = parseArgs({
  options: {
    gigabytes: { type: 'string', default: '1' },
    dtype: { type: 'string', default: 'bf16' },
    as: { type: 'string' },
    shards: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const dtype = values.dtype === 'f32' ? 'f32' : 'bf16';
const as = (values.as ?? dtype) === 'f32' ? 'f32' : 'bf16';

const advise = koffi.load(null).func('int posix_fadvise(int, int64_t, int64_t, int)');
const dontNeed = 4;
/** Each file's bytes go to `memory(bytes)`. */
function readAll(files: readonly string[], memory: (bytes: number) => Uint8Array): void {
  for (const file of files) {
    const descriptor = openSync(file, 'r');
    const into = memory(fstatSync(descriptor).size);
    for (let at = 0; at < into.length; ) at += readSync(descriptor, into, at, Math.min(1 << 30, into.length - at), at);
    closeSync(descriptor);
  }
}
function dropFromCache(files: readonly string[]): void {
  for (const file of files) {
    const descriptor = openSync(file, 'r');
    advise(descriptor, 0, 0, dontNeed);
    closeSync(descriptor);
  }
}

const folder = await mkdtemp(join(values.folder, 'trenio-bench-'));
try {
  device();
  // A layer has 2,048 × (2 × 2,048 + 2 × 512 + 3 × 5,632) weights.
  const perLayer = 2048 * (2 * 2048 + 2 * 512 + 3 * 5632) * (dtype === 'f32' ? 4 : 2);
  const config = {
    model_type: 'llama',
    vocab_size: 32_000,
    hidden_size: 2048,
    intermediate_size: 5632,
    num_hidden_layers: Math.max(1, Math.round((Number(values.gigabytes) * 1e9) / perLayer - 1.5)),
    num_attention_heads: 16,
    num_key_value_heads: 4,
    tie_word_embeddings: true,
  };
  const bytes = await randomWeights(config, dtype, folder, Number(values.shards));
  await writeConfigObject(join(folder, 'config.json'), 'LlamaForCausalLM', config);
  const files = (await readdir(folder)).filter(name => name.endsWith('.safetensors')).map(name => join(folder, name));
  console.log(
    `loading ${(bytes / 1e9).toFixed(2)} GB in ${dtype} from ${files.length} file(s) as ${as}; load ${loadavg()[0]!.toFixed(1)}`,
  );
  const load = () => DecoderForCausalLM.fromPretrained(folder, { dtype: as });
  const before = peakResident();
  await load();
  const growth = peakResident() - before;
  const weightBytes = (bytes * (as === 'f32' ? 4 : 2)) / (dtype === 'f32' ? 4 : 2);
  console.log(
    `  the first load made resident memory grow by ${(growth / weightBytes).toFixed(2)} × the model's weights`,
  );
  const reused = new Uint8Array(Math.max(...files.map(file => statSync(file).size))).fill(1);
  const ways: readonly (readonly [string, () => unknown])[] = [
    [
      'reading the files into fresh memory',
      () => readAll(files, size => new Uint8Array(Buffer.allocUnsafeSlow(size).buffer)),
    ],
    ['reading the files into memory used before', () => readAll(files, size => reused.subarray(0, size))],
    ['loading the model', load],
  ];
  for (const cache of ['warm', 'cold']) {
    const times: number[][] = ways.map(() => []);
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [i, [, run]] of ways.entries()) {
        if (cache === 'cold') dropFromCache(files);
        globalThis.gc?.();
        const start = performance.now();
        await run();
        times[i]!.push(performance.now() - start);
      }
    }
    console.log(`page cache ${cache}`);
    const medians = times.map(median);
    for (const [i, [name]] of ways.entries())
      console.log(
        `  ${name.padEnd(42)} ${medians[i]!.toFixed(0).padStart(6)} ms (${Math.min(...times[i]!).toFixed(0)} … ${Math.max(...times[i]!).toFixed(0)}), ${(bytes / medians[i]! / 1e6).toFixed(2)} GB/s`,
      );
    const ratio = median(times[2]!.map((ms, round) => ms / times[0]![round]!));
    bar({
      what: `loading ${values.gigabytes} GB of safetensors, page cache ${cache}`,
      unit: '× reading the files',
      measured: ratio,
      kind: 'at most',
      limit: 1.2,
    });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
