// All ranks of a mesh in this process: programs in parts run in the interpreter, once for each rank. The script is that of
// rank 0, and every rank gets the same uploads.
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { type Module, mainOf, tensorTypeOf } from '../../hlo/program.ts';
import { DeviceMesh, type MeshSizes } from '../../hlo/sharding/device-mesh.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { HostBuffer } from '../../runtime/execution/buffer.ts';
import type { DeviceBuffer, LoadedProgram } from '../../runtime/execution/executable.ts';
import { Device } from '../device.ts';

class RanksBackend extends InterpreterBackend {
  /** The parts that the ranks have of results. */
  readonly #parts = new WeakMap<DeviceBuffer, readonly Literal[]>();

  override compile(module: Module): LoadedProgram {
    const { args, results } = mainOf(module).body;
    const ranks = Array.from({ length: module.numPartitions }, (_, rank) => rank);
    const run = (inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[] => {
      const given = ranks.map(rank =>
        inputs.map(input => this.#parts.get(input)?.[rank] ?? literalOfBytes(input.type, input.copyToHost())),
      );
      const found = interpretReplicas(module, given);
      return results.map((value, i) => {
        const buffer = HostBuffer.copyOf(tensorTypeOf(value), bytesOf(found[0]![i]!));
        this.#parts.set(
          buffer,
          found.map(list => list[i]!),
        );
        return buffer;
      });
    };
    const executable = {
      inputTypes: args.map(tensorTypeOf),
      outputTypes: results.map(tensorTypeOf),
      donated: results.map(() => undefined),
      run,
    };
    return { executable, report: { fromCache: false, compileMs: 0, arenaBytes: 0, kernels: 0 } };
  }
}

/** A device whose mesh has these sizes. */
export const deviceOfRanks = (sizes: MeshSizes): Device =>
  new Device(new RanksBackend(), { mesh: new DeviceMesh(sizes), seed: 0, log: () => {} });
