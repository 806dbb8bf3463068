// The device of `trenio plan`: it records every program of a script, and how often it runs, and compiles and runs
// none.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleKey } from '../../../hlo/func-key.ts';
import { type Module, mainOf } from '../../../hlo/program.ts';
import { printModule } from '../../../hlo/text/printer.ts';
import type { TensorType } from '../../../hlo/types.ts';
import { type StagedProgram, type StoredStages, storedStages } from '../../../transforms/pipeline/staged-program.ts';
import { HostBuffer } from '../../execution/buffer.ts';
import {
  type CompileReport,
  type Content,
  type DeviceBuffer,
  type DeviceEvent,
  doneEvent,
  type Executable,
} from '../../execution/executable.ts';
import type { Backend, RecordedStages } from '../backend.ts';
import { idleExecutable } from '../idle-executable.ts';

/**
 * A line of the report: a program, an execution of one (programs are numbered in order of appearance), or why tracing ended
 * early.
 */
export type TracedLine =
  | {
      readonly kind: 'program';
      readonly name: string;
      readonly ops: number;
      readonly file: string;
      readonly stages?: StoredStages | undefined;
    }
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
  readonly #files = new Map<string, string>();
  #programs = 0;
  #executions = 0;

  constructor(options: TracingOptions) {
    this.#options = options;
  }

  compile(module: Module): Traced {
    const key = moduleKey(module);
    let known = this.#known.get(key);
    if (known !== undefined) return known;
    const start = performance.now();
    const ran = this.#recorded(module);
    const report = { fromCache: false, compileMs: performance.now() - start, arenaBytes: 0, kernels: 0 };
    known = { executable: idleExecutable(module, ran), report };
    this.#known.set(key, known);
    return known;
  }
  /** Its parts are no programs of the report. */
  recordStages(module: Module, stages: () => StagedProgram): RecordedStages {
    const { name, upload, record, synchronize } = this;
    const report = { fromCache: false, compileMs: 0, arenaBytes: 0, kernels: 0 };
    const compile = (part: Module): Traced => ({ executable: idleExecutable(part, () => {}), report });
    const onRun = this.#recorded(
      module,
      storedStages(stages(), part => this.#fileOf(part)),
    );
    return { device: { name, compile, upload, record, synchronize }, onRun };
  }
  upload(type: TensorType, content: Content): DeviceBuffer {
    return content instanceof Uint8Array ? HostBuffer.copyOf(type, content) : HostBuffer.idle(type);
  }
  record(): DeviceEvent {
    return doneEvent; // executes synchronously
  }
  synchronize(): void {
    // There is no queue.
  }

  #recorded(module: Module, stages?: StoredStages): () => void {
    this.#executions = 0;
    const program = this.#programs++;
    const ops = mainOf(module).body.ops.length;
    this.#tell({ kind: 'program', name: module.name, ops, file: this.#fileOf(module), stages });
    return () => this.#ran(program);
  }
  /** Equal programs are in one file. */
  #fileOf(module: Module): string {
    const key = moduleKey(module);
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const file = `program-${this.#files.size}.mlir`;
    this.#files.set(key, file);
    writeFileSync(join(this.#options.folder, file), printModule(module));
    return file;
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
