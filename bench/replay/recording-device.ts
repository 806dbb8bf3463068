// A device that collects programs without running them: results are zeros, allocated only when they are
// read, so a model of any size needs no memory. Nothing depends on the machine or on environment variables.
import { Device, DeviceMesh, hlo, manualSeed, setDefaultDevice } from 'trenio';
import { type Backend, doneEvent, idleBuffer } from './trenio.ts';

export interface DeviceSettings {
  /** Number of ranks; this is rank 0. Default 1. */
  readonly worldSize?: number;
  /** Multiplies in bf16, as with `--auto-cast matmult`, and stochastic rounding. */
  readonly autoCast?: boolean;
}

/** The programs that `body` runs, with such a device as the default device. */
export function recordPrograms(body: () => void, { worldSize = 1, autoCast = false }: DeviceSettings = {}) {
  const programs: hlo.Module[] = [];
  const backend: Backend = {
    name: 'recording',
    compile(module) {
      programs.push(module);
      const { body, aliases } = hlo.mainOf(module);
      const outputTypes = body.results.map(hlo.tensorTypeOf);
      const executable = {
        inputTypes: body.args.map(hlo.tensorTypeOf),
        outputTypes,
        donated: outputTypes.map((_, i) => (aliases.includes(i) ? aliases.indexOf(i) : undefined)),
        // never ready, so index checks do not read it
        run: () => outputTypes.map(type => idleBuffer(type, { isReady: false })),
      };
      return { executable, report: { fromCache: false, compileMs: 0, arenaBytes: 0, kernels: 0 } };
    },
    upload: (type, content) => idleBuffer(type, { content: content instanceof Uint8Array ? content : undefined }),
    record: () => doneEvent,
    synchronize: () => {},
  };
  const device = new Device(backend, { mesh: new DeviceMesh({ data: worldSize }), seed: 0, log: () => {} });
  if (autoCast) {
    device.setAutoCast({ mode: 'matmult', type: 'bf16' });
    device.setRounding({ mode: 'stochastic', seed: 0 });
  }
  setDefaultDevice(device);
  manualSeed(0);
  try {
    body();
  } finally {
    setDefaultDevice(undefined);
  }
  return programs as readonly hlo.Module[];
}
