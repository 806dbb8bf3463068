// Recorded training steps, with their inputs and results.

import { interpret } from '../../src/hlo/interpreter.ts';
import type { Literal } from '../../src/hlo/literal.ts';
import { literalOfBytes } from '../../src/hlo/literal.ts';
import type { Module } from '../../src/hlo/program.ts';
import { AdamW, BertForSequenceClassification, manualSeed, nn, optimizerStep, tensor } from '../../src/index.ts';
import type { Backend } from '../../src/runtime/backends/backend.ts';
import { InterpreterBackend } from '../../src/runtime/backends/interpreter/interpreter-backend.ts';
import type { DeviceBuffer, Executable } from '../../src/runtime/execution/executable.ts';
import { Device } from '../../src/tensor/device.ts';

export interface RecordedProgram {
  readonly name: string;
  readonly module: Module;
  readonly inputs: readonly Literal[];
  readonly results: readonly Literal[];
}

/** The interpreter, which also keeps each program with its inputs and results. */
class Recorder implements Backend {
  readonly name = 'recorder';
  readonly runs: {
    readonly module: Module;
    readonly inputs: readonly Literal[];
    readonly results: readonly Literal[];
  }[] = [];
  readonly #inner = new InterpreterBackend();

  compile(module: Module): ReturnType<Backend['compile']> {
    const { executable, report } = this.#inner.compile(module);
    const recorded: Executable = {
      ...executable,
      inputTypes: executable.inputTypes,
      outputTypes: executable.outputTypes,
      donated: executable.donated,
      run: (inputs: readonly DeviceBuffer[]) => {
        const literals = inputs.map(input => literalOfBytes(input.type, input.copyToHost()));
        this.runs.push({ module, inputs: literals, results: interpret(module, literals) });
        return executable.run(inputs);
      },
    };
    return { executable: recorded, report };
  }
  upload(type: DeviceBuffer['type'], bytes: Uint8Array): DeviceBuffer {
    return this.#inner.upload(type, bytes);
  }
  record(): ReturnType<Backend['record']> {
    return this.#inner.record();
  }
  synchronize(): void {}
}

function recordStep(name: string, step: (device: Device) => void): RecordedProgram {
  const backend = new Recorder();
  const device = new Device(backend, { seed: 5, log: () => {} });
  manualSeed(3);
  step(device);
  const largest = backend.runs.reduce((a, b) =>
    b.module.functions[0]!.body.ops.length > a.module.functions[0]!.body.ops.length ? b : a,
  );
  // XLA's entry is `main`.
  const [entry, ...rest] = largest.module.functions;
  return { ...largest, name, module: { ...largest.module, functions: [{ ...entry!, name: 'main' }, ...rest] } };
}

export function recordedPrograms(): readonly RecordedProgram[] {
  return [
    recordStep('mlp_step', device => {
      const model = new nn.Sequential(new nn.Linear(5, 8), new nn.GELU(), new nn.Dropout(0.2), new nn.Linear(8, 3)).to(
        device,
      );
      model.train();
      const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
      const x = tensor(
        Array.from({ length: 6 }, (_, i) => Array.from({ length: 5 }, (__, j) => Math.sin(i * 5 + j))),
        { device },
      );
      const loss = nn.functional.crossEntropy(model.forward(x), tensor([0, 1, 2, 0, 1, 2], { device, dtype: 'i32' }));
      loss.backward();
      optimizer.step();
      device.markStep();
    }),
    recordStep('bert_step', device => {
      const model = new BertForSequenceClassification({
        vocab_size: 50,
        hidden_size: 16,
        num_hidden_layers: 2,
        num_attention_heads: 2,
        intermediate_size: 32,
        max_position_embeddings: 16,
      });
      model.to(device);
      model.train();
      const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
      const ids = Array.from({ length: 2 }, (_, b) => Array.from({ length: 8 }, (__, i) => (7 * b + 3 * i) % 50));
      const inputs = {
        inputIds: tensor(ids, { device, dtype: 'i32' }),
        attentionMask: tensor(
          ids.map(row => row.map((__, i) => (i < 6 ? 1 : 0))),
          { device, dtype: 'i32' },
        ),
      };
      const loss = nn.functional.crossEntropy(model.forward(inputs), tensor([0, 1], { device, dtype: 'i32' }));
      loss.backward();
      optimizerStep(optimizer);
    }),
  ];
}
