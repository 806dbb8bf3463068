// The device of `trenio compile`: it writes every program of a script to a folder, for other processes to compile
// (compile-worker.ts), and runs none. Results are zeros of the right types, so a script that reads its loss continues; code that
// depends on trained values may take another branch.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CpuTarget } from '../../../compiler/index.ts';
import { moduleKey } from '../../../hlo/func-key.ts';
import { type Module, mainOf } from '../../../hlo/program.ts';
import type { TensorType } from '../../../hlo/types.ts';
import { HostBuffer } from '../../execution/buffer.ts';
import type { CompileHost } from '../../execution/compile-program.ts';
import { operatorsOf } from '../../execution/custom-operators.ts';
import {
  type CompileReport,
  type Content,
  type DeviceBuffer,
  type DeviceEvent,
  doneEvent,
  type Executable,
} from '../../execution/executable.ts';
import { nativeRequest } from '../../toolchain/native-sources.ts';
import { programKey } from '../../toolchain/program-key.ts';
import type { Backend } from '../backend.ts';
import { idleExecutable } from '../idle-executable.ts';
import { writeGraph } from './graph-file.ts';

/** A line of the report that `trenio compile` reads while the script runs. */
export type CollectedLine =
  | {
      readonly kind: 'program';
      /** The rank that needs it. */
      readonly rank: number;
      /** Identifies the program; equal on all ranks. */
      readonly key: string;
      readonly name: string;
      readonly ops: number;
      /** The file of the program, in the folder of the report. */
      readonly file: string;
    }
  /** The library that runs programs is not compiled yet. */
  | { readonly kind: 'runtime' }
  /** The reason why collecting ended before the script. */
  | { readonly kind: 'stopped'; readonly rank: number; readonly executions: number };

export const collectedFile = 'report.jsonl';

export interface CollectingOptions {
  /** Where the report and the programs are written. */
  readonly folder: string;
  /** After this many executions without a new program the process exits: further steps repeat the same programs. */
  readonly maxExecutions: number;
  readonly rank: number;
}

export class CollectingBackend implements Backend {
  readonly name = 'cpu';
  readonly #host: CompileHost;
  readonly #target: CpuTarget;
  readonly #options: CollectingOptions;
  readonly #known = new Map<string, { readonly executable: Executable; readonly report: CompileReport }>();
  #executions = 0;

  constructor(host: CompileHost, target: CpuTarget, options: CollectingOptions) {
    this.#host = host;
    this.#target = target;
    this.#options = options;
    if (!host.cache.has(nativeRequest(), host.compiler)) this.#tell({ kind: 'runtime' });
  }

  compile(module: Module): { readonly executable: Executable; readonly report: CompileReport } {
    const operators = operatorsOf(module);
    const computation = `${moduleKey(module)} ${[...operators.values()].join(' ')}`;
    let known = this.#known.get(computation);
    if (known !== undefined) return known;
    this.#executions = 0;
    const start = performance.now();
    const { rank, folder } = this.#options;
    const key = programKey(module, computation, this.#target, this.#host.compiler);
    const file = `program-${rank}-${this.#known.size}`;
    writeGraph(join(folder, file), { module, operators, moduleKey: computation, target: this.#target });
    this.#tell({ kind: 'program', rank, key, name: module.name, ops: mainOf(module).body.ops.length, file });
    const report = { fromCache: false, compileMs: performance.now() - start, arenaBytes: 0, kernels: 0 };
    known = { executable: idleExecutable(module, () => this.#count()), report };
    this.#known.set(computation, known);
    return known;
  }
  upload(type: TensorType, content: Content): DeviceBuffer {
    return content instanceof Uint8Array ? HostBuffer.copyOf(type, content) : HostBuffer.zeros(type);
  }
  record(): DeviceEvent {
    return doneEvent; // executes synchronously
  }
  synchronize(): void {
    // There is no queue.
  }

  #count(): void {
    this.#executions++;
    if (this.#executions <= this.#options.maxExecutions) return;
    const { rank, maxExecutions: executions } = this.#options;
    this.#tell({ kind: 'stopped', rank, executions });
    process.exit(0);
  }
  #tell(line: CollectedLine): void {
    appendFileSync(join(this.#options.folder, collectedFile), `${JSON.stringify(line)}\n`);
  }
}
