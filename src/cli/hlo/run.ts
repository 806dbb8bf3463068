// `trenio hlo run`
import { resolve } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { readNpy, writeNpy } from '../../data/files/npy.ts';
import { interpretReplicas } from '../../hlo/interpreter.ts';
import type { Literal } from '../../hlo/literal.ts';
import { mainOf } from '../../hlo/program.ts';
import { Runtime } from '../../runtime/index.ts';
import { isForDevices, runInParts } from '../../transforms/partition/run-in-parts.ts';
import type { CliContext } from '../command/command.ts';
import { backendNamed, execute, withLoopLimit } from './backends.ts';
import { compiledParts } from './compiled-grid.ts';
import type { Input, runOptions } from './hlo-options.ts';
import { readProgram, withEntry } from './programs.ts';
import { shortLiteral } from './short-literal.ts';

const name = 'hlo run';

export async function runProgram(
  { options, positionals: [file] }: Input<typeof runOptions>,
  { stdout, stderr, cwd, environment, endAtOnce }: CliContext,
): Promise<number> {
  const backend = backendNamed(name, options.backend);
  const module = withEntry(await readProgram(cwd, file!), name, options.function);
  const { args, results: values } = mainOf(module).body;
  const tensors = values.filter(v => v.type.kind === 'tensor').length;
  if (options.input.length !== args.length) {
    throw new TrenioError('BAD_ARGUMENT', {
      command: name,
      argument: '--input',
      got: `given ${options.input.length} times`,
      expected: `${args.length} times, once for each argument of the program`,
    });
  }
  if (options.output.length > tensors) {
    throw new TrenioError('BAD_ARGUMENT', {
      command: name,
      argument: '--output',
      got: `given ${options.output.length} times`,
      expected: `at most ${tensors} times, once for each result`,
    });
  }
  const inputs = await Promise.all(
    options.input.map((path, i) => {
      const { type } = args[i]!;
      return readNpy(resolve(cwd, path), type.kind === 'tensor' ? type : undefined);
    }),
  );
  const probes: [file: string, value: Literal][] = [];
  const runtime = new Runtime({ variables: withLoopLimit(environment, options['max-loop-steps']) });
  await endAtOnce();
  let results: readonly Literal[];
  try {
    const maxLoopSteps = options['max-loop-steps'];
    const onProbe = (id: string, iteration: number, value: Literal): void =>
      void probes.push([`${id.replaceAll(/[^\w.-]/g, '_')}_${iteration}.npy`, value]);
    results = isForDevices(module)
      ? runInParts(module, inputs, backend === 'interpreter' ? interpretReplicas : compiledParts(environment))
      : execute(module, inputs, { backend, runtime, stderr, maxLoopSteps, onProbe });
  } finally {
    runtime.close();
  }
  const folder = options['probe-dir'];
  if (folder !== undefined) for (const [path, value] of probes) await writeNpy(resolve(cwd, folder, path), value);
  for (const [i, result] of results.entries()) {
    const path = options.output[i];
    if (path === undefined) stdout.write(`${shortLiteral(result)}\n`);
    else await writeNpy(resolve(cwd, path), result);
  }
  return 0;
}
