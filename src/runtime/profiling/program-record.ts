// Writes the training programs of a process as text, for another process that predicts their time on other hardware: the programs
// that replace state, numbered in the order of compilation, and an index of them. `trenio server` predicts its managed jobs this
// way.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';
import { type Module, mainOf } from '../../hlo/program.ts';
import { printModule } from '../../hlo/text/printer.ts';

/** A line of the index. */
export interface RecordedLine {
  readonly name: string;
  /** The number of inputs that hold state, which it replaces, as in the report of step times. */
  readonly donatedInputs: number;
  readonly file: string;
}

export const recordIndex = 'programs.jsonl';
/** Later ones are not written: a script whose shapes change at each step compiles many. */
const MAX_PROGRAMS = 8;

export class ProgramRecord {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(module: Module): void {
    const donatedInputs = mainOf(module).aliases.filter(alias => alias !== undefined).length;
    if (donatedInputs === 0 || this.#count === MAX_PROGRAMS) return;
    const line: RecordedLine = { name: module.name, donatedInputs, file: `program-${this.#count++}.mlir` };
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(join(this.#folder, line.file), printModule(module));
      appendFileSync(join(this.#folder, recordIndex), `${JSON.stringify(line)}\n`);
    } catch (error) {
      // The disk is full, or the folder is not writable: there is no prediction, and the training continues.
      expectFileError(error);
    }
  }
}
