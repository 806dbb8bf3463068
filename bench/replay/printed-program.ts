// Prints a module for a target as one text: the C of the step and of all functions, then the plan for the
// runtime. The text is the same on every machine and in every directory: lines of user code are numbered in order of appearance.
import { join } from 'node:path';
import { hlo, isTrenioError, type SourceLocation } from 'trenio';
import { compileToC, type Target } from './trenio.ts';

const root = join(import.meta.dirname, '../../');

/** Joins several programs into one text. */
export function printedPrograms(modules: readonly hlo.Module[], target: Target): string {
  const texts = modules.map(module => printed(module, target));
  const titled = texts.map((text, i) => (texts.length === 1 ? text : `${section(`program ${i}`)}${text}`));
  return withNumberedLines(titled.join('\n'));
}

export const sectionMark = '// ==== ';
/** Header of the text of a program that should compile but does not. */
export const brokenMark = `${sectionMark}broken`;
const section = (name: string): string => `${sectionMark}${name}\n\n`;

function printed(module: hlo.Module, target: Target): string {
  try {
    const program = compileToC(module, target);
    const units = unitsOf(program).map(({ name, source }) => `${section(name)}${source}`);
    return [...units, `${section('plan')}${planText(program)}`].join('\n');
  } catch (error) {
    // Errors are recorded as results too, including bugs, so that they do not hide the other programs.
    if (isTrenioError(error)) return `${section('refused')}${error.message}\n`;
    if (error instanceof Error && error.message.startsWith('Trenio bug:')) return `${brokenMark}\n\n${error.message}\n`;
    throw error;
  }
}

type Program = ReturnType<typeof compileToC>;

/** The step, and all functions in one unit, however they are split over files. */
function unitsOf(program: Program): readonly { readonly name: string; readonly source: string }[] {
  const { text } = program;
  if (text === undefined) return program.units;
  const functions = text.unitsOf(numbersOf(text.functions), 1).map(({ source }) => ({ name: 'functions', source }));
  return [text.step, ...functions];
}
const numbersOf = (list: readonly unknown[]): readonly number[] => list.map((_, i) => i);

/** The plan for the runtime, one item per line; locations as comments. */
function planText(program: Program): string {
  const { text, entry, arenaBytes, scratchBytes, inputTypes, outputTypes, donated, kernels, calls, dynamic } = program;
  const at = (locations: readonly (SourceLocation | undefined)[]): string =>
    locations.some(location => location !== undefined) ? ` // at ${locations.map(locationText).join(' ')}` : '';
  const donation = (i: number): string => (donated[i] === undefined ? '' : ` in input ${donated[i]}`);
  return [
    `entry ${entry}, arena ${arenaBytes} bytes, scratch ${scratchBytes} bytes`,
    ...inputTypes.map((type, i) => `input ${i}: ${hlo.formatType(type)}`),
    ...outputTypes.map((type, i) => `output ${i}: ${hlo.formatType(type)}${donation(i)}`),
    ...kernels.map(({ name, ops, ...facts }) => {
      const shown = Object.entries(facts).map(
        ([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
      );
      return `kernel ${name}: ${shown.join(', ')}; ${ops.map(op => op.name).join(' ')}${at(ops.map(op => op.location))}`;
    }),
    `calls ${calls.join(' ')}`,
    // A comment, because it depends on the length of names.
    ...(text
      ?.unitsOf(numbersOf(text.functions), 4)
      .map(({ members }) => `// a file of functions ${members.join(' ')}`) ?? []),
    ...(dynamic === undefined
      ? []
      : [
          `collect ${dynamic.collect}, report of ${dynamic.reportWords} words, results ${JSON.stringify(dynamic.results)}`,
          ...dynamic.ops.map(({ name, message, location }) => `op ${name} ${message ?? ''}${at([location])}`),
        ]),
    '',
  ].join('\n');
}
const locationText = (location: SourceLocation | undefined): string =>
  location === undefined ? '-' : `${location.file}:${location.line}:${location.column}`;

/** In comments, replaces `directory/file.ts:12:3` by `line 1`; the same line always gets the same number. */
function withNumberedLines(text: string): string {
  const numbers = new Map<string, number>();
  const relative = text.replaceAll(root, '');
  return relative.replace(/\/\/.*/g, comment =>
    comment.replace(/[^\s()]+:\d+:\d+/g, location => {
      let number = numbers.get(location);
      if (number === undefined) {
        number = numbers.size + 1;
        numbers.set(location, number);
      }
      return `line ${number}`;
    }),
  );
}
