// `trenio hlo explain`
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import { explainProgram } from '../../compiler/index.ts';
import { operatorsOf, requestedTarget } from '../../runtime/index.ts';
import type { CliContext } from '../command/command.ts';
import { whereOpWent } from './explain-op.ts';
import { type MeasuredProgram, measureProgram } from './explain-profile.ts';
import { explanationText, opText } from './explain-text.ts';
import type { explainOptions, Input } from './hlo-options.ts';
import { readProgram, withEntry } from './programs.ts';

const name = 'hlo explain';

export async function explainFile(
  { options, positionals: [file] }: Input<typeof explainOptions>,
  { stdout, stderr, cwd, environment, endAtOnce }: CliContext,
): Promise<number> {
  const module = withEntry(await readProgram(cwd, file!), name, options.function);
  for (const given of ['input', 'rounds', 'remeasure'] as const) {
    const isGiven = given === 'input' ? options.input.length > 0 : Boolean(options[given]);
    if (isGiven && !options.profile)
      throw new TrenioError('BAD_ARGUMENT', {
        command: name,
        argument: `--${given}`,
        got: 'given without --profile',
        expected: '--profile as well',
      });
  }
  const explanation = explainProgram(module, requestedTarget(environment), operatorsOf(module));
  const { op } = options;
  const found = op === undefined ? undefined : whereOpWent(explanation, op);
  if (op !== undefined && found === undefined) {
    const known = [...new Set(explanation.recorded.map(o => o.name))].sort();
    const nearest = nearestName(op, known);
    throw new TrenioError('BAD_ARGUMENT', {
      command: name,
      argument: '--op',
      got: `'${op}'`,
      expected: nearest === undefined ? `one of ${known.join(', ')}` : `an op of the program, such as ${nearest}`,
    });
  }
  let measured: MeasuredProgram | undefined;
  if (options.profile) {
    await endAtOnce();
    const { input, rounds = 10, remeasure } = options;
    const blocking = { stream: stderr, quiet: options.json };
    measured = await measureProgram(module, { files: input, cwd, rounds, remeasure, environment, blocking });
  }
  if (options.json)
    stdout.write(`${JSON.stringify(op === undefined ? { ...explanation, measured } : { op, found })}\n`);
  else if (found !== undefined) stdout.write(`${opText(op!, found)}\n`);
  else stdout.write(`${explanationText(file!, explanation, measured)}\n`);
  return 0;
}
