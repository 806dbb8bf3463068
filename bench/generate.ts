// Decoding at batch 1 compared with the bandwidth of memory: each token reads every weight once, so the limit is their bytes
// divided by the rate at which all threads read an array of that size; and a prompt of 512 tokens compared with the multiply
// peak: 2 FLOP for each weight and token. Both limits are measured between the rounds. Random weights, greedy.
//
//   node bench/generate.ts                              Llama-shaped, 134 M and 494 M parameters, bf16, Q8_0 and Q4_0
//   node bench/generate.ts --model 500m --dtype bf16 --python ~/venv/bin/python
//   node bench/generate.ts --dtype q8_0,q4_0 --llama-bench llama.cpp/build/bin/llama-bench
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DecoderForCausalLM, type DType, manualSeed, tensor } from 'trenio';
import { hostTarget } from '../src/compiler/index.ts';
import { bandwidth, native, runtime } from './bandwidth.ts';
import { bar } from './bars.ts';
import { decoderConfigs, weightsOf } from './decoder-models.ts';
import { median, peakSampler } from './peak.ts';
import { peakResident, startPeer } from './peer.ts';
import { writeRandomGguf } from './random-gguf.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '135m,500m' },
    dtype: { type: 'string', default: 'bf16,q8_0,q4_0' },
    tokens: { type: 'string', default: '32' },
    prompt: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '7' },
    prefill: { type: 'string', default: '512' },
    python: { type: 'string' },
    'llama-bench': { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/generate.ts [--model 135m,500m] [--dtype bf16,f32,q8_0,q4_0] [--tokens 32] [--prompt 32]
                              [--prefill 512] [--rounds 7] [--python PYTHON] [--llama-bench PATH]

  --prefill       tokens of the prompt whose speed is compared with the multiply peak; 0: none
  --python        a Python with torch and transformers, to compare with
  --llama-bench   the program of llama.cpp, to compare with; it gets the same model as a GGUF file. Its source is in the npm package
                  node-llama-cpp, as llama/gitRelease.bundle: clone that, and build it with cmake

  node bench/generate.ts --model 135m --dtype bf16`);
  process.exit(0);
}

const threads = availableParallelism();
const target = hostTarget();
/** Types of GGUF files by the names of --dtype. */
const ggufTypes = { q8_0: 'Q8_0', q4_0: 'Q4_0', bf16: 'BF16', f32: 'F32' } as const;
type Format = keyof typeof ggufTypes;

/** Tokens per second of llama.cpp: of a prompt, and of decoding. */
function llamaSpeed(program: string, file: string, prompt: number, tokens: number): readonly [number, number] {
  const options = ['-m', file, '-p', `${prompt}`, '-n', `${tokens}`, '-t', `${threads}`, '-r', '1', '-o', 'json'];
  const output = execFileSync(program, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const runs = JSON.parse(output) as readonly { readonly n_gen: number; readonly avg_ts: number }[];
  const speed = (isDecoding: boolean): number => runs.find(run => run.n_gen > 0 === isDecoding)?.avg_ts ?? Number.NaN;
  return [speed(false), speed(true)];
}

for (const size of values.model.split(','))
  for (const dtype of values.dtype.split(',') as Format[]) {
    const config = decoderConfigs[size]!;
    const [count, prompt, rounds] = [Number(values.tokens), Number(values.prompt), Number(values.rounds)];
    const isQuantized = dtype === 'q8_0' || dtype === 'q4_0';
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-bench-'));
    const file = join(folder.path, 'model.gguf');
    const llama = values['llama-bench'];
    const bytes =
      isQuantized || llama !== undefined
        ? writeRandomGguf(file, config, ggufTypes[dtype])
        : weightsOf(config) * (dtype === 'bf16' ? 2 : 4);
    manualSeed(0);
    const model = isQuantized
      ? (await DecoderForCausalLM.fromPretrained(file)).eval()
      : new DecoderForCausalLM(config).eval().to(dtype as DType);
    for (const one of model.parameters()) await one.ready();
    const weights = weightsOf(config);
    const what = `decode, ${size} (${Math.round(weights / 1e6)} M), ${dtype}`;
    console.log(`${what}, batch 1, prompt ${prompt}, ${count} tokens, ${threads} threads, median of ${rounds}`);
    const ids = tensor(
      Int32Array.from({ length: prompt }, (_, i) => 3 + ((i * 7919) % 1000)),
      { shape: [1, prompt] },
    );
    const filler = Number(values.prefill);
    const long = tensor(
      Int32Array.from({ length: Math.max(1, filler) }, (_, i) => 3 + ((i * 104_729) % 1000)),
      { shape: [1, Math.max(1, filler)] },
    );
    const prefill = async (): Promise<number> => {
      const start = performance.now();
      await model.generate(long, { maxNewTokens: 1 });
      return performance.now() - start;
    };
    // Quantized weights are widened to f32 where they are packed for a prompt.
    const peakOf = peakSampler(native, target, dtype === 'bf16' ? 'bf16' : 'f32');
    // The head sees the last token only.
    const prefillFlops = 2 * (weights - config.vocab_size! * config.hidden_size!) * filler;
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
    if (filler > 0) await prefill();
    console.log(`  first call, compiled: ${((performance.now() - firstStart) / 1000).toFixed(1)} s`);
    const peer =
      values.python === undefined
        ? undefined
        : isQuantized
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
    const prefillMs: number[] = [];
    const prefillShares: number[] = [];
    const llamaRatios: number[] = [];
    const llamaPrefills: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await generate(); // llama-bench, too, runs once before it measures
      const before = bandwidth();
      const own = await generate();
      const rate = (before + bandwidth()) / 2;
      rates.push(rate);
      shares.push((100 * bytes) / 1e6 / rate / own.tokenMs);
      tokenMs.push(own.tokenMs);
      promptMs.push(own.promptMs);
      if (peer !== undefined) ratios.push((await peer.steps(1)).ms / own.ms);
      if (filler > 0) {
        await prefill();
        const peak = peakOf(runtime, threads);
        prefillMs.push(await prefill());
        prefillShares.push((100 * prefillFlops) / 1e6 / prefillMs.at(-1)! / ((peak + peakOf(runtime, threads)) / 2));
      }
      if (llama !== undefined) {
        const [theirPrefill, theirs] = llamaSpeed(llama, file, Math.max(1, filler), count);
        llamaRatios.push(1000 / own.tokenMs / theirs);
        if (filler > 0) llamaPrefills.push((1000 * filler) / prefillMs.at(-1)! / theirPrefill);
      }
    }
    peer?.end();
    const spread = `${Math.min(...shares).toFixed(0)} to ${Math.max(...shares).toFixed(0)}`;
    console.log(
      `  ${(1000 / median(tokenMs)).toFixed(1)} tokens/s, ${median(tokenMs).toFixed(2)} ms a token, prompt ${median(promptMs).toFixed(1)} ms; ` +
        `memory ${median(rates).toFixed(1)} GB/s, ${median(shares).toFixed(0)} % of it (${spread})`,
    );
    if (filler > 0)
      console.log(
        `  prompt of ${filler}: ${((1000 * filler) / median(prefillMs)).toFixed(0)} tokens/s, ${median(prefillShares).toFixed(0)} % of the multiply peak; ` +
          `resident at most ${(peakResident() / 1e9).toFixed(2)} GB, weights ${(bytes / 1e9).toFixed(2)} GB`,
      );
    bar({ what, unit: '% of bandwidth', measured: median(shares), kind: 'at least', limit: 85 });
    if (filler > 0)
      bar({
        what: `${size}, ${dtype}, prompt of ${filler}`,
        unit: '% of the multiply peak',
        measured: median(prefillShares),
        kind: 'at least',
        limit: 75,
      });
    if (llama !== undefined) {
      bar({ what, unit: '× llama.cpp', measured: median(llamaRatios), kind: 'at least', limit: 1 });
      if (filler > 0) console.log(`  prompt of ${filler}: ${median(llamaPrefills).toFixed(2)} × llama.cpp`);
    }
    if (peer !== undefined)
      bar({
        what: `${what}, prompt included`,
        unit: `× ${peer.name}`,
        measured: median(ratios),
        kind: 'at least',
        limit: 2.5,
      });
  }
