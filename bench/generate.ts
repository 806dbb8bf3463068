// Decoding at batch 1 compared with the bandwidth of memory: each token reads every weight once, so the limit is their bytes
// divided by the rate at which all threads read an array of that size, measured between the rounds. Random weights, greedy.
//
//   node bench/generate.ts                              Llama-shaped, 134 M and 494 M parameters, bf16 and f32
//   node bench/generate.ts --model 500m --dtype bf16 --python ~/venv/bin/python
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type DecoderConfigInput, DecoderForCausalLM, type DType, manualSeed, tensor } from 'trenio';
import { hostTarget } from '../src/compiler/index.ts';
import { bar } from './bars.ts';
import { compileWithRuntime, median, nanoseconds } from './peak.ts';
import { startPeer } from './peer.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '135m,500m' },
    dtype: { type: 'string', default: 'bf16,f32' },
    tokens: { type: 'string', default: '32' },
    prompt: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '7' },
    python: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/generate.ts [--model 135m,500m] [--dtype bf16,f32] [--tokens 32] [--prompt 32] [--rounds 7] [--python PYTHON]

  --python   a Python with torch and transformers, to compare with

  node bench/generate.ts --model 135m --dtype bf16`);
  process.exit(0);
}

const common = { max_position_embeddings: 8192, rms_norm_eps: 1e-5, tie_word_embeddings: true };
const configs: Readonly<Record<string, DecoderConfigInput>> = {
  '135m': {
    ...common,
    model_type: 'llama',
    vocab_size: 49_152,
    hidden_size: 576,
    intermediate_size: 1536,
    num_hidden_layers: 30,
    num_attention_heads: 9,
    num_key_value_heads: 3,
  },
  '500m': {
    ...common,
    model_type: 'qwen2',
    vocab_size: 151_936,
    hidden_size: 896,
    intermediate_size: 4864,
    num_hidden_layers: 24,
    num_attention_heads: 14,
    num_key_value_heads: 2,
  },
};

const threads = availableParallelism();
const native = compileWithRuntime(
  `typedef float read_vector __attribute__((vector_size(64), aligned(4), may_alias));
enum { READ_BYTES = 1 << 18 };
typedef struct { const char *data; int64_t bytes; } read_all;
static void read_task(void *arg, int64_t task, int worker) {
  const read_all *const all = arg;
  const int64_t lo = task * READ_BYTES, end = lo + READ_BYTES, hi = end < all->bytes ? end : all->bytes;
  read_vector a = {}, b = {}, c = {}, d = {};
  for (int64_t i = lo; i + 256 <= hi; i += 256) {
    a += *(const read_vector *)(all->data + i), b += *(const read_vector *)(all->data + i + 64);
    c += *(const read_vector *)(all->data + i + 128), d += *(const read_vector *)(all->data + i + 192);
  }
  a += b + c + d;
  __asm__ volatile("" : : "v"(a));
}
void bench_fill(char *data, int64_t bytes) { for (int64_t i = 0; i < bytes; i++) data[i] = 0; }
void bench_read(const trenio_rt *rt, const char *data, int64_t bytes) {
  read_all all = {data, bytes};
  rt->parallel(rt, read_task, &all, (bytes + READ_BYTES - 1) / READ_BYTES);
}`,
  hostTarget(),
);
const runtime = native.open(threads, 'free');
const read = native.library.func('bench_read', 'void', ['uintptr_t', 'uintptr_t', 'int64_t']);
const fill = native.library.func('bench_fill', 'void', ['uintptr_t', 'int64_t']);
const readBytes = 2 ** 29;
const array = native.arena(runtime, readBytes);
fill(array, readBytes);
/** GB/s of all threads, the best of a few. */
const bandwidth = (): number =>
  Math.max(...Array.from({ length: 3 }, () => readBytes / nanoseconds(() => read(runtime, array, readBytes))));

for (const size of values.model.split(','))
  for (const dtype of values.dtype.split(',') as DType[]) {
    const config = configs[size]!;
    const [count, prompt, rounds] = [Number(values.tokens), Number(values.prompt), Number(values.rounds)];
    manualSeed(0);
    const model = new DecoderForCausalLM(config).eval().to(dtype);
    const parameters = [...model.parameters()];
    for (const one of parameters) await one.ready();
    const weights = parameters.reduce((sum, one) => sum + one.numel(), 0);
    const bytes = weights * (dtype === 'bf16' ? 2 : 4);
    const what = `decode, ${size} (${Math.round(weights / 1e6)} M), ${dtype}`;
    console.log(`${what}, batch 1, prompt ${prompt}, ${count} tokens, ${threads} threads, median of ${rounds}`);
    const ids = tensor(
      Int32Array.from({ length: prompt }, (_, i) => 3 + ((i * 7919) % 1000)),
      { shape: [1, prompt] },
    );
    const generate = async (): Promise<{
      readonly tokenMs: number;
      readonly promptMs: number;
      readonly ms: number;
    }> => {
      const start = performance.now();
      let first = 0;
      for await (const _ of model.generateStream(ids, { maxNewTokens: count })) first ||= performance.now();
      const end = performance.now();
      return { tokenMs: (end - first) / (count - 1), promptMs: first - start, ms: end - start };
    };
    const firstStart = performance.now();
    await generate();
    console.log(`  first call, compiled: ${((performance.now() - firstStart) / 1000).toFixed(1)} s`);
    const peer =
      values.python === undefined
        ? undefined
        : await startPeer(
            {
              name: 'transformers',
              script: 'torch_generate.py',
              settings: { config, dtype, prompt, tokens: count, threads },
            },
            values.python,
          );
    const shares: number[] = [];
    const tokenMs: number[] = [];
    const promptMs: number[] = [];
    const rates: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = bandwidth();
      const own = await generate();
      const rate = (before + bandwidth()) / 2;
      rates.push(rate);
      shares.push((100 * bytes) / 1e6 / rate / own.tokenMs);
      tokenMs.push(own.tokenMs);
      promptMs.push(own.promptMs);
      if (peer !== undefined) ratios.push((await peer.steps(1)).ms / own.ms);
    }
    peer?.end();
    const spread = `${Math.min(...shares).toFixed(0)} to ${Math.max(...shares).toFixed(0)}`;
    console.log(
      `  ${(1000 / median(tokenMs)).toFixed(1)} tokens/s, ${median(tokenMs).toFixed(2)} ms a token, prompt ${median(promptMs).toFixed(1)} ms; ` +
        `memory ${median(rates).toFixed(1)} GB/s, ${median(shares).toFixed(0)} % of it (${spread})`,
    );
    bar({ what, unit: '% of bandwidth', measured: median(shares), kind: 'at least', limit: 85 });
    if (peer !== undefined)
      bar({
        what: `${what}, prompt included`,
        unit: `× ${peer.name}`,
        measured: median(ratios),
        kind: 'at least',
        limit: 2.5,
      });
  }
