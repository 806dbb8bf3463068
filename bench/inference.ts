// Forward passes of BERT-base without dropout or gradients, compared with onnxruntime-node (the model exported from PyTorch) and
// PyTorch without gradients, each in its own process, calls interleaved.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bar } from './bars.ts';
import { type Contender, interleave, ourselves, printMeasured, startPeer, timesAsFast } from './peer.ts';
import { bertInference, bertSizes } from './workloads.ts';

const help = `Usage: node bench/inference.ts [--batch 1,8] [--size base|small] [--python python3] [--rounds 7] [--no-compile]

  --python       a Python with torch and transformers, and with onnx and onnxscript to export the model once
  --no-compile   PyTorch eager only

  npm install --prefix bench/peers         installs onnxruntime-node
  node bench/inference.ts --batch 1 --python ~/venv/bin/python`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    batch: { type: 'string', default: '1,8' },
    size: { type: 'string', default: 'base' },
    python: { type: 'string', default: 'python3' },
    rounds: { type: 'string', default: '7' },
    compile: { type: 'boolean', default: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const { size } = values;
if (values.help || (size !== 'base' && size !== 'small')) {
  console.log(help);
  process.exit(values.help ? 0 : 2);
}

const threads = availableParallelism();
const { config } = bertSizes[size];
const sequence = 128;

/** The exported model, exported if it does not exist; undefined if that fails, after printing the reason. */
function exported(batch: number): string | undefined {
  const directory = join(tmpdir(), 'trenio-bench-onnx');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `bert-${size}-${batch}x${sequence}.onnx`);
  if (existsSync(file)) return file;
  process.stderr.write('exporting the ONNX model …\n');
  const script = join(import.meta.dirname, 'peers/export_bert_onnx.py');
  const settings = JSON.stringify({ config, batch, sequence });
  // Written under a temporary name until it is complete.
  const partial = `${file}.${process.pid}`;
  const { status, stderr } = spawnSync(values.python, [script, settings, partial], { encoding: 'utf8' });
  if (status !== 0) {
    const why = stderr?.trim().split('\n').at(-1) ?? `${values.python} cannot be run`;
    console.log(`  onnxruntime-node is not measured: ${why}`);
    return undefined;
  }
  renameSync(partial, file);
  return file;
}

for (const batch of values.batch.split(',').map(Number)) {
  const what = `BERT-${size} inference, ${batch} × ${sequence}`;
  console.log(`${what}, f32, ${threads} threads, median of ${values.rounds}`);
  const torch = (compile: boolean): Promise<Contender | undefined> =>
    startPeer(
      {
        name: `PyTorch ${compile ? 'compiled' : 'eager'}`,
        script: 'torch_step.py',
        settings: { workload: 'bert', config, batch, sequence, threads, compile, train: false, dtype: 'f32' },
      },
      values.python,
    );
  const file = exported(batch);
  const onnx =
    file === undefined
      ? undefined
      : await startPeer(
          {
            name: 'onnxruntime-node',
            script: 'onnx_bert.js',
            settings: { file, batch, sequence, threads, vocabulary: config.vocab_size },
            needs: 'onnxruntime-node',
          },
          values.python,
        );
  const python = [await torch(false), values.compile ? await torch(true) : undefined];
  const contenders = [ourselves('Trenio', bertInference({ batch, sequence, config })), onnx, ...python].filter(
    each => each !== undefined,
  );
  const measured = await interleave(contenders, { rounds: Number(values.rounds) });
  for (const { end } of contenders) end();
  printMeasured(measured);
  const ratioTo = (peers: readonly (Contender | undefined)[]): number =>
    Math.min(...measured.filter(m => peers.includes(m.contender)).map(m => timesAsFast(measured[0]!, m)));
  if (onnx) bar({ what, unit: '× onnxruntime-node', measured: ratioTo([onnx]), kind: 'at least', limit: 1 });
  if (python.some(peer => peer !== undefined))
    bar({ what, unit: "× PyTorch's best mode", measured: ratioTo(python), kind: 'at least', limit: 1 });
}
