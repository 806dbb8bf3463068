// A job in stages: what its first rank leaves is read, and predicted on its instance type; what is wrong with it is a reason.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parallelize } from '../../distributed/parallel/parallelize.ts';
import type { Module } from '../../hlo/program.ts';
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { DecoderForCausalLM } from '../../models/index.ts';
import { SGD } from '../../optim/index.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import { idleExecutable } from '../../runtime/backends/idle-executable.ts';
import { HostBuffer } from '../../runtime/execution/buffer.ts';
import { doneEvent } from '../../runtime/execution/executable.ts';
import { ProgramRecord, type RecordedStages } from '../../runtime/profiling/program-record.ts';
import { chooseDevice } from '../../tensor/default-device.ts';
import { Device } from '../../tensor/device.ts';
import { forgetDevices } from '../../tensor/devices.ts';
import { manualSeed, randint } from '../../tensor/index.ts';
import { REPORTS, readReports } from './job-measurement.ts';
import { predictJob } from './job-prediction.ts';
import type { TrainingJob } from './training-job.ts';

const ml = mkdtempSync(join(tmpdir(), 'trenio-stages-'));
const folder = join(ml, REPORTS);
const stagesFile = join(folder, 'program-0.stages.json');
afterAll(() => rmSync(ml, { recursive: true }));

/** A step of the first of two ranks, which runs nothing. */
beforeAll(() => {
  const record = new ProgramRecord(folder);
  const report = { fromCache: false, compileMs: 0, arenaBytes: 0, kernels: 0 };
  const backend: Backend = {
    name: 'recorder',
    compile(module: Module) {
      record.add(module);
      return { executable: idleExecutable(module, () => {}), report };
    },
    recordStages(module, stages) {
      record.add(module, stages);
      return { device: backend, onRun: () => {} };
    },
    upload: (type, content) =>
      content instanceof Uint8Array ? HostBuffer.copyOf(type, content) : HostBuffer.zeros(type),
    record: () => doneEvent,
    synchronize: () => {},
  };
  forgetDevices();
  const mesh = new DeviceMesh({ pp: 2 }, 0);
  chooseDevice(new Device(backend, { mesh, seed: 1, log: () => {} }));
  manualSeed(1);
  const sizes = { vocab_size: 64, hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 4, n_positions: 32 };
  const model = parallelize(new DecoderForCausalLM({ model_type: 'gpt2', ...sizes }), mesh);
  const optimizer = new SGD(model.parameters(), { lr: 0.1 });
  const inputIds = randint(0, 64, [8, 16]);
  model.forward({ inputIds, labels: inputIds }).loss.backward();
  optimizer.step();
  forgetDevices();
  mkdirSync(folder, { recursive: true });
  const step = { name: 'step', donatedInputs: 5, executions: 6, medianMs: 26 };
  writeFileSync(
    join(folder, 'steps.json'),
    JSON.stringify({ programs: [{ ...step, name: 'part' }], pipelines: [step] }),
  );
});

async function predicted(instanceType: string) {
  const hyperparameters = { mp_parameters: JSON.stringify({ pipeline_parallel_degree: 2 }) };
  const job = { name: 'staged', priceShare: 1, spec: { instanceType, instanceCount: 1, hyperparameters } };
  return predictJob(job as unknown as TrainingJob, (await readReports(ml))!, 2);
}

test('its step is predicted on as many devices, for the samples of all its ranks', async () => {
  expect(await predicted('ml.trn1.2xlarge')).toMatchObject({
    kind: 'predicted',
    fits: true,
    assumptions: expect.arrayContaining([
      '6 steps of 8 samples on 2 processes here are 6 steps of 8 samples on 1 × ml.trn1.2xlarge.',
    ]),
  });
  expect(await predicted('ml.trn1.32xlarge')).toMatchObject({
    kind: 'none',
    reason: expect.stringContaining('recorded for the 2 devices of pp=2'),
  });
});

test('stages that cannot be read, refer to what is not there, or never end, are no prediction', async () => {
  const text = readFileSync(stagesFile, 'utf8');
  const { modules, stages } = JSON.parse(text) as RecordedStages;
  const unreadable = 'the stages that the job left cannot be read';
  for (const [record, reason] of [
    ['{', unreadable],
    [JSON.stringify({ modules, stages: { ...stages, ranks: [] } }), unreadable],
    [JSON.stringify({ modules: {}, stages }), unreadable],
    [
      JSON.stringify({ modules, stages: { ...stages, actions: stages.actions.map(list => list.toReversed()) } }),
      'deadlock',
    ],
  ] as const) {
    writeFileSync(stagesFile, record);
    expect(await predicted('ml.trn1.2xlarge')).toMatchObject({ kind: 'none', reason: expect.stringContaining(reason) });
  }
  writeFileSync(stagesFile, text);
});
