// The device of `trenio compile`: it compiles every program of a script and runs none. Results are zeros of the
// right types, so a script that reads its loss continues; code that depends on trained values may take another branch.
import { appendFileSync } from 'node:fs';
import { TrenioError } from '../../../base/errors.ts';
import { Interrupted } from '../../../base/interrupted.ts';
import type { Target } from '../../../compiler/index.ts';
import { moduleKey } from '../../../hlo/func-key.ts';
import { type Module, mainOf } from '../../../hlo/program.ts';
import type { TensorType } from '../../../hlo/types.ts';
import { HostBuffer } from '../../execution/buffer.ts';
import { type CompileHost, compileProgram } from '../../execution/compile-program.ts';
import { operatorsOf } from '../../execution/custom-operators.ts';
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

/** A line of the file that `trenio compile` reads: a program, or why collecting ended before the script did. */
export type CollectedLine =
  | {
      readonly kind: 'program';
      /** The rank that needs it. */
      readonly rank: number;
      /** Equal for the same program of other ranks. */
      readonly key: string;
      readonly name: string;
      readonly ops: number;
      readonly kernels: number;
      readonly fromCache: boolean;
      readonly compileMs: number;
      /** Why it could not be compiled. */
      readonly error?: string;
    }
  | { readonly kind: 'stopped'; readonly rank: number; readonly executions: number };

export interface CollectingOptions {
  /** Where lines are appended. */
  readonly report: string;
  /** After this many executions without a new program the process exits: further steps repeat the same programs. */
  readonly maxExecutions: number;
  readonly rank: number;
}

export class CollectingBackend implements Backend {
  readonly name = 'cpu';
  readonly #host: CompileHost;
  readonly #target: Target;
  readonly #options: CollectingOptions;
  readonly #known = new Map<string, { readonly executable: Executable; readonly report: CompileReport }>();
  #executions = 0;

  constructor(host: CompileHost, target: Target, options: CollectingOptions) {
    this.#host = host;
    this.#target = target;
    this.#options = options;
  }

  compile(module: Module): { readonly executable: Executable; readonly report: CompileReport } {
    const operators = operatorsOf(module);
    const key = `${moduleKey(module)} ${[...operators.values()].join(' ')}`;
    let known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#executions = 0;
    const start = performance.now();
    const { rank } = this.#options;
    const ops = mainOf(module).body.ops.length;
    const line = { kind: 'program', rank, key: `${module.name} ${key}`, name: module.name, ops } as const;
    let report: CompileReport;
    try {
      const { library, description } = compileProgram(this.#host, module, operators, key, this.#target);
      const { arenaBytes, kernels } = description;
      report = { fromCache: library.fromCache, compileMs: performance.now() - start, arenaBytes, kernels };
      this.#tell({ ...line, kernels, fromCache: report.fromCache, compileMs: report.compileMs });
    } catch (error) {
      if (error instanceof Interrupted || !(error instanceof TrenioError)) throw error;
      // The others are compiled all the same.
      report = { fromCache: false, compileMs: performance.now() - start, arenaBytes: 0, kernels: 0 };
      this.#tell({ ...line, kernels: 0, fromCache: false, compileMs: report.compileMs, error: error.message });
    }
    known = { executable: idleExecutable(module, () => this.#count()), report };
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
    // Nothing is ever queued.
  }

  #count(): void {
    this.#executions++;
    if (this.#executions <= this.#options.maxExecutions) return;
    const { rank, maxExecutions: executions } = this.#options;
    this.#tell({ kind: 'stopped', rank, executions });
    process.exit(0);
  }
  #tell(line: CollectedLine): void {
    appendFileSync(this.#options.report, `${JSON.stringify(line)}\n`);
  }
}
