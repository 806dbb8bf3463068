// The memory that training an adapter (LoRA) of a decoder of 1.2 B random weights takes: the peak resident memory of a
// process that loads the model and trains, compared with what it cannot do without, the frozen weights.
//
//   node bench/lora-memory.ts [bf16] [nf4] [int8] [--batch 1] [--sequence 512] [--recompute none|selective|full] [--steps 3]
//                             [--folder DIR]
//
// The model has the sizes of Llama 3.2 1B; the adapter has rank 8 on all linear layers, trained by AdamW. Its files take 2.5 GB.
import './help.ts';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AdamW, addAdapter, compile, DecoderForCausalLM, device, manualSeed, nextTokenLoss, tensor } from 'trenio';
import { byteSize } from '../src/hlo/types.ts';
import { writeConfigObject } from '../src/models/config-file.ts';
import { bar } from './bars.ts';
import { peakResident } from './peer.ts';
import { randomWeights } from './random-weights.ts';

const config = {
  model_type: 'llama',
  vocab_size: 128_256,
  hidden_size: 2048,
  intermediate_size: 8192,
  num_hidden_layers: 16,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  head_dim: 64,
  rope_theta: 500_000,
  max_position_embeddings: 131_072,
  tie_word_embeddings: true,
};
/** The bar of each kind of frozen weights, in GB. */
const limits: Readonly<Record<string, number>> = { bf16: 6, int8: 4.5, nf4: 3 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    batch: { type: 'string', default: '1' },
    sequence: { type: 'string', default: '512' },
    recompute: { type: 'string', default: 'none' },
    steps: { type: 'string', default: '3' },
    folder: { type: 'string', default: tmpdir() },
    model: { type: 'string' },
  },
});

/** In a process of its own, for its peak. */
async function train(kind: string, directory: string): Promise<void> {
  manualSeed(1);
  const inGb = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`;
  const at = (what: string): void => console.log(`  ${what.padEnd(34)} peak ${inGb(peakResident())}`);
  at('started');
  const quantize = kind === 'int8' || kind === 'nf4' ? kind : undefined;
  const model = await DecoderForCausalLM.fromPretrained(directory, { dtype: 'bf16', ...(quantize && { quantize }) });
  at('loaded');
  const adapter = addAdapter(model, { r: 8, target_modules: 'all-linear' });
  device().synchronize();
  at('with an adapter');
  model.recompute(values.recompute as 'none').train();
  const optimizer = new AdamW(adapter.parameters(), { lr: 1e-3 });
  const step = compile((ids: ReturnType<typeof tensor>) => {
    const loss = nextTokenLoss(model.forward(ids), ids);
    loss.backward();
    optimizer.step();
    optimizer.zeroGrad();
    return loss;
  });
  const [batch, sequence] = [Number(values.batch), Number(values.sequence)];
  const rows = Array.from({ length: batch }, (_, i) =>
    Array.from({ length: sequence }, (_, j) => ((i * sequence + j) * 7919) % 1000),
  );
  const ids = tensor(rows, { dtype: 'int32' });
  const losses: number[] = [];
  const start = performance.now();
  let first = 0;
  for (let i = 0; i < Number(values.steps); i++) {
    losses.push(step(ids).item());
    if (i === 0) first = performance.now() - start;
    if (i === 0) at('after the first step');
  }
  const each = (performance.now() - start - first) / Math.max(1, losses.length - 1);
  console.log(`  ${(first / 1e3).toFixed(1)} s for the first step, ${(each / 1e3).toFixed(1)} s for each other one`);
  const trained = adapter.parameters().map(one => one.abs().amax().item());
  console.log(
    `  the smallest of the largest weights of the adapter's matrices: ${Math.min(...trained).toPrecision(2)} (B began as 0)`,
  );
  console.log(`  losses ${losses.map(loss => loss.toFixed(4)).join(', ')}`);
  console.log(`  compilation: ${device().explain()}`);
  const state = [...model.namedParameters(), ...model.namedBuffers()];
  const bytes = [...new Set(state.map(([, one]) => one))].reduce((sum, one) => sum + byteSize(one.type), 0);
  const peak = peakResident() / 1e9;
  console.log(
    `  the floor: the weights alone take ${inGb(bytes)}; the peak is ${((peak * 1e9) / bytes).toFixed(2)} × as much`,
  );
  bar({
    what: `LoRA of 1.2 B parameters in ${kind}, ${batch} × ${sequence}`,
    unit: 'GB of peak resident memory',
    measured: peak,
    kind: 'at most',
    limit: limits[kind]!,
  });
}

if (values.model !== undefined) await train(positionals[0]!, values.model);
else {
  const folder = await mkdtemp(join(values.folder, 'trenio-bench-'));
  try {
    await randomWeights(config, 'bf16', folder);
    await writeConfigObject(join(folder, 'config.json'), 'LlamaForCausalLM', config);
    for (const kind of positionals.length > 0 ? positionals : ['bf16', 'nf4']) {
      console.log(`LoRA, frozen weights in ${kind}, recompute ${values.recompute}; load ${loadavg()[0]!.toFixed(1)}`);
      execFileSync(
        process.execPath,
        [
          import.meta.filename,
          kind,
          '--model',
          folder,
          ...process.argv.slice(2).filter(word => word !== kind && limits[word] === undefined),
        ],
        { stdio: 'inherit' },
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
