// `trenio hlo check`: runs programs that contain checks, such as those of the StableHLO test suite.
import { createInterface } from 'node:readline';
import type { Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { splitChecks } from '../../hlo/split-checks.ts';
import { Runtime } from '../../runtime/index.ts';
import type { CliContext } from '../command/command.ts';
import { backendNamed, type Execution, execute, withLoopLimit } from './backends.ts';
import { compiledGrid, startsProcesses } from './compiled-grid.ts';
import type { checkOptions, Input } from './hlo-options.ts';
import { type ProgramSource, readSources, verifiedProgram, withEntry } from './programs.ts';

const name = 'hlo check';

interface CheckExecution extends Execution {
  /** The backend of the ranks that run a program with several processes. */
  readonly environment: Variables;
}

export async function checkFiles(
  { options, positionals }: Input<typeof checkOptions>,
  context: CliContext,
): Promise<number> {
  if (!options.server && positionals.length === 0) {
    const expected = 'a file, or --server';
    throw new TrenioError('MISSING_ARGUMENT', { command: name, argument: '<file>', expected });
  }
  const backend = backendNamed(name, options.backend);
  const maxLoopSteps = options['max-loop-steps'];
  const environment = withLoopLimit(context.environment, maxLoopSteps);
  const runtime = new Runtime({ variables: environment });
  await context.endAtOnce();
  const execution: CheckExecution = { backend, runtime, stderr: context.stderr, maxLoopSteps, environment };
  try {
    if (options.server) return await serve(context, execution);
    return await checkEach(positionals, options['split-input-file'], context, execution);
  } finally {
    runtime.close();
  }
}

async function serve({ stdin, stdout, cwd, signal }: CliContext, execution: CheckExecution): Promise<number> {
  for await (const line of createInterface({ input: stdin, signal })) {
    if (line.trim() !== '') stdout.write(`${await answer(cwd, line.trim(), execution)}\n`);
  }
  return 0;
}

async function checkEach(
  files: readonly string[],
  split: boolean,
  { stdout, stderr, cwd }: CliContext,
  execution: CheckExecution,
): Promise<number> {
  let exitCode = 0;
  using progress = new TaskProgress({ stream: stderr });
  for (const [place, file] of files.entries()) {
    progress.update({ what: 'checking', done: place, total: files.length, unit: 'files', detail: file });
    for (const [i, source] of (await readSources(cwd, file, split)).entries()) {
      const label = split ? `${file} (program ${i})` : file;
      const failure = failureOf(source, file, execution);
      if (failure !== undefined) exitCode = 1;
      if (failure !== undefined) progress.write(`${label}: ${failure}\n`);
      else {
        progress.hide();
        stdout.write(`${label}: pass\n`);
      }
    }
  }
  return exitCode;
}

/** The reason why a program fails its checks or cannot be run; undefined if all checks hold. */
function failureOf(source: ProgramSource, file: string, execution: CheckExecution): string | undefined {
  try {
    const program = verifiedProgram(source, file);
    if (program.functions.length === 0) return undefined;
    const module = withEntry(program, name);
    if (execution.backend === 'interpreter') execute(module, [], execution);
    else if (startsProcesses(module)) {
      const runGrid = compiledGrid(execution.environment);
      const { maxLoopSteps } = execution;
      interpret(module, [], { runGrid, ...(maxLoopSteps === undefined ? {} : { maxLoopSteps }) });
    } else {
      const split = splitChecks(module);
      split.judge(execute(split.module, [], execution));
    }
    return undefined;
  } catch (error) {
    // Report any error as a failure of this program, and continue with the next one.
    return error instanceof Error ? error.message : String(error);
  }
}

async function answer(cwd: string, path: string, execution: CheckExecution): Promise<string> {
  const sources = await readSources(cwd, path, false).catch((error: unknown) => error as Error);
  const failure = sources instanceof Error ? sources.message : failureOf(sources[0]!, path, execution);
  return failure === undefined ? 'PASS' : `FAIL ${failure.replaceAll(/\s+/g, ' ')}`;
}
