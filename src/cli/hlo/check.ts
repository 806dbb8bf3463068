// `trenio hlo check`: runs programs that contain checks, such as those of the StableHLO test suite.
import { createInterface } from 'node:readline';
import { TrenioError } from '../../base/errors.ts';
import { splitChecks } from '../../hlo/split-checks.ts';
import { Runtime } from '../../runtime/index.ts';
import type { CliContext } from '../command.ts';
import { backendNamed, type Execution, execute, withLoopLimit } from './backends.ts';
import type { checkOptions, Input } from './options.ts';
import { type ProgramSource, readSources, verifiedProgram, withEntry } from './programs.ts';

const name = 'hlo check';

export async function checkFiles(
  { options, positionals }: Input<typeof checkOptions>,
  context: CliContext,
): Promise<number> {
  if (!options.server && positionals.length === 0) {
    const expected = 'a file, or --server';
    throw new TrenioError('MISSING_ARGUMENT', { command: name, argument: '<file>', expected });
  }
  const backend = backendNamed(name, options.backend);
  const runtime = new Runtime({ variables: withLoopLimit(context.environment, options['max-loop-steps']) });
  context.endAtOnce();
  const execution: Execution = { backend, runtime, stderr: context.stderr, maxLoopSteps: options['max-loop-steps'] };
  try {
    if (options.server) return await serve(context, execution);
    return await checkEach(positionals, options['split-input-file'], context, execution);
  } finally {
    runtime.close();
  }
}

async function serve({ stdin, stdout, cwd, signal }: CliContext, execution: Execution): Promise<number> {
  for await (const line of createInterface({ input: stdin, signal })) {
    if (line.trim() !== '') stdout.write(`${await answer(cwd, line.trim(), execution)}\n`);
  }
  return 0;
}

async function checkEach(
  files: readonly string[],
  split: boolean,
  { stdout, stderr, cwd }: CliContext,
  execution: Execution,
): Promise<number> {
  let exitCode = 0;
  for (const file of files) {
    for (const [i, source] of (await readSources(cwd, file, split)).entries()) {
      const label = split ? `${file} (program ${i})` : file;
      const failure = failureOf(source, file, execution);
      if (failure !== undefined) exitCode = 1;
      if (failure === undefined) stdout.write(`${label}: pass\n`);
      else stderr.write(`${label}: ${failure}\n`);
    }
  }
  return exitCode;
}

/** The reason why a program fails its checks or cannot be run; undefined if all checks hold. */
function failureOf(source: ProgramSource, file: string, execution: Execution): string | undefined {
  try {
    const program = verifiedProgram(source, file);
    if (program.functions.length === 0) return undefined;
    const module = withEntry(program, name);
    if (execution.backend === 'interpreter') execute(module, [], execution);
    else {
      const split = splitChecks(module);
      split.judge(execute(split.module, [], execution));
    }
    return undefined;
  } catch (error) {
    // Report any error as a failure of this program, and continue with the next one.
    return error instanceof Error ? error.message : String(error);
  }
}

async function answer(cwd: string, path: string, execution: Execution): Promise<string> {
  const sources = await readSources(cwd, path, false).catch((error: unknown) => error as Error);
  const failure = sources instanceof Error ? sources.message : failureOf(sources[0]!, path, execution);
  return failure === undefined ? 'PASS' : `FAIL ${failure.replaceAll(/\s+/g, ' ')}`;
}
