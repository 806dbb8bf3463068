// Writes the training programs of a process as text, for another process that predicts their time on other hardware: the programs
// that replace state, numbered in the order of compilation, and an index of them. `trenio server` predicts its managed jobs this
// way. A step in stages has a file more: its parts and their order on all ranks.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';
import { type Module, mainOf } from '../../hlo/program.ts';
import { printModule } from '../../hlo/text/printer.ts';
import { type StagedProgram, type StoredStages, storedStages } from '../../transforms/pipeline/staged-program.ts';

/** A line of the index. */
export interface RecordedLine {
  readonly name: string;
  /** The number of inputs that hold state, which it replaces, as in the report of step times. */
  readonly donatedInputs: number;
  readonly file: string;
  /** The file of the stages of a pipeline; the text of the program is then that of all stages. */
  readonly stages?: string;
}
/** The file of stages: the text of each of their modules, by the name that the stages have for it. */
export interface RecordedStages {
  readonly modules: Readonly<Record<string, string>>;
  readonly stages: StoredStages;
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

  /** `stages`: of a step in stages, whose parts are added as programs, too. */
  add(module: Module, stages?: () => StagedProgram): void {
    const donatedInputs = mainOf(module).aliases.filter(alias => alias !== undefined).length;
    if (donatedInputs === 0 || this.#count === MAX_PROGRAMS) return;
    const name = `program-${this.#count++}`;
    const ofStages = stages && { stages: `${name}.stages.json` };
    const line: RecordedLine = { name: module.name, donatedInputs, file: `${name}.mlir`, ...ofStages };
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(join(this.#folder, line.file), printModule(module));
      if (stages !== undefined) writeFileSync(join(this.#folder, line.stages!), JSON.stringify(recordOf(stages())));
      appendFileSync(join(this.#folder, recordIndex), `${JSON.stringify(line)}\n`);
    } catch (error) {
      // The disk is full, or the folder is not writable: there is no prediction, and the training continues.
      expectFileError(error);
    }
  }
}

/** Equal stages share a module. */
function recordOf(staged: StagedProgram): RecordedStages {
  const names = new Map<string, string>();
  const stages = storedStages(staged, module => {
    const text = printModule(module);
    const name = names.get(text) ?? `${names.size}`;
    names.set(text, name);
    return name;
  });
  return { modules: Object.fromEntries([...names].map(([text, name]) => [name, text])), stages };
}
