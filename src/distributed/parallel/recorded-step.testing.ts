// The programs of one training step of a small model, as one rank of a layout records them: nothing runs, no other rank exists.
import { costOfModule } from '../../hlo/cost.ts';
import type { Module as Program } from '../../hlo/program.ts';
import { DeviceMesh, type MeshSizes } from '../../hlo/sharding/device-mesh.ts';
import { byteSize, tensorType } from '../../hlo/types.ts';
import { DecoderForCausalLM } from '../../models/index.ts';
import type { Parameter } from '../../nn/index.ts';
import { type Optimizer, SGD } from '../../optim/index.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import { idleExecutable } from '../../runtime/backends/idle-executable.ts';
import { HostBuffer } from '../../runtime/execution/buffer.ts';
import { doneEvent } from '../../runtime/execution/executable.ts';
import { chooseDevice } from '../../tensor/default-device.ts';
import { Device } from '../../tensor/device.ts';
import { forgetDevices } from '../../tensor/devices.ts';
import { manualSeed, randint } from '../../tensor/index.ts';
import { type Communication, communicationOf } from '../../transforms/partition/communication.ts';
import { optimizerStep } from '../optimizer-step.ts';
import { type ParallelizeOptions, parallelize } from './parallelize.ts';

/** Keeps the programs that it is given. */
class Recorder implements Backend {
  readonly name = 'recorder';
  readonly programs: Program[] = [];

  compile(module: Program) {
    this.programs.push(module);
    const report = { fromCache: false, compileMs: 0, arenaBytes: 0, kernels: 0 };
    return { executable: idleExecutable(module, () => {}), report };
  }
  upload(type: HostBuffer['type'], content: Parameters<Backend['upload']>[1]): HostBuffer {
    return content instanceof Uint8Array ? HostBuffer.copyOf(type, content) : HostBuffer.zeros(type);
  }
  record = () => doneEvent;
  synchronize(): void {}
}

export const batch = 8;
export const length = 16;
export const sizes = { hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 4 };
const wide = { ...sizes, intermediate_size: 64, max_position_embeddings: 32, num_key_value_heads: 2 };
const models = {
  gpt2: (vocab_size: number) => new DecoderForCausalLM({ model_type: 'gpt2', vocab_size, ...sizes, n_positions: 32 }),
  llama: (vocab_size: number) => new DecoderForCausalLM({ model_type: 'llama', vocab_size, ...wide }),
  mixtral: (vocab_size: number) =>
    new DecoderForCausalLM({
      ...{ model_type: 'mixtral', vocab_size, num_local_experts: 4, num_experts_per_tok: 2 },
      ...wide,
    }),
};
export type ModelName = keyof typeof models;

export interface RecordedStep {
  readonly communication: readonly Communication[];
  readonly flops: number;
  /** The bytes of all parameters. */
  readonly parameterBytes: number;
  readonly program: Program;
}

/** The second of two steps: forward, backward and SGD, or another optimizer. */
export function recordedStep(
  name: ModelName,
  layout: MeshSizes,
  options?: ParallelizeOptions,
  vocabulary = 64,
  optimizerOf: (parameters: readonly Parameter[]) => Optimizer = parameters => new SGD(parameters, { lr: 0.1 }),
): RecordedStep {
  forgetDevices();
  const backend = new Recorder();
  const mesh = new DeviceMesh(layout, 0);
  const device = new Device(backend, { mesh, seed: 1, log: () => {} });
  chooseDevice(device);
  try {
    manualSeed(1);
    const model = parallelize(models[name](vocabulary), mesh, options);
    const parameters = model.parameters();
    const optimizer = optimizerOf(parameters);
    for (let step = 0; step < 2; step++) {
      const inputIds = randint(0, vocabulary, [batch, length]);
      const { loss } = model.forward({ inputIds, labels: inputIds });
      loss.backward();
      optimizerStep(optimizer);
    }
    const program = backend.programs.findLast(each => each.name === 'step')!;
    const bytesOf = (shape: readonly number[]): number => byteSize(tensorType('f32', shape));
    return {
      communication: communicationOf(program),
      flops: costOfModule(program).total.flops,
      parameterBytes: parameters.reduce((sum, { shape }) => sum + bytesOf(shape), 0),
      program,
    };
  } finally {
    forgetDevices();
  }
}
