// The device of `trenio plan`: it records every program of a script, and how often it runs, and compiles and runs
// none.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleKey } from '../../../hlo/func-key.ts';
import { type Module, mainOf } from '../../../hlo/program.ts';
import { printModule } from '../../../hlo/text/printer.ts';
import type { TensorType } from '../../../hlo/types.ts';
import { HostBuffer } from '../../execution/buffer.ts';
import {
  type CompileReport,
  type Content,
  type DeviceBuffer,
  type DeviceEvent,
  doneEvent,
  type Executable,
} from '../../execution/executable.ts';
import type { Backend } from '../backend.ts';
import { idleExecutable } from '../idle-executable.ts';

/**
 * A line of the report: a program, an execution of one (programs are numbered in order of appearance), or why tracing ended
 * early.
 */
export type TracedLine =
  | { readonly kind: 'program'; readonly name: string; readonly ops: number; readonly file: string }
  | { readonly kind: 'run'; readonly program: number }
  | { readonly kind: 'stopped'; readonly executions: number };

export const reportFile = 'report.jsonl';

export interface TracingOptions {
  /** Where the report and the programs, as text, are written. */
  readonly folder: string;
  /** The process ends after this many executions without a new program. */
  readonly maxExecutions: number;
}

interface Traced {
  readonly executable: Executable;
  readonly report: CompileReport;
}

export class TracingBackend implements Backend {
  readonly name = 'cpu';
  readonly #options: TracingOptions;
  readonly #known = new Map<string, Traced>();
  #executions = 0;

  constructor(options: TracingOptions) {
    this.#options = options;
  }

  compile(module: Module): Traced {
    const key = moduleKey(module);
    let known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#executions = 0;
    const start = performance.now();
    const program = this.#known.size;
    const file = `program-${program}.mlir`;
    writeFileSync(join(this.#options.folder, file), printModule(module));
    this.#tell({ kind: 'program', name: module.name, ops: mainOf(module).body.ops.length, file });
    const report = { fromCache: false, compileMs: performance.now() - start, arenaBytes: 0, kernels: 0 };
    known = { executable: idleExecutable(module, () => this.#ran(program)), report };
    this.#known.set(key, known);
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

  #ran(program: number): void {
    this.#executions++;
    if (this.#executions > this.#options.maxExecutions) {
      this.#tell({ kind: 'stopped', executions: this.#options.maxExecutions });
      process.exit(0);
    }
    this.#tell({ kind: 'run', program });
  }
  #tell(line: TracedLine): void {
    appendFileSync(join(this.#options.folder, reportFile), `${JSON.stringify(line)}\n`);
  }
}
