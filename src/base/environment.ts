// Every environment variable Trenio reads: one row each, and the only file that reads process.env.
// docs/environment.md is this table printed, kept equal by environment.test.ts.
import { constants } from 'node:os';
import { TrenioError } from './errors.ts';
import { neuronFlagsExpected, parseNeuronFlags } from './neuron-flags.ts';

/** A set of variables, as process.env is one. Passed in by tests and by whoever starts other processes. */
export type Variables = Readonly<Record<string, string | undefined>>;

interface Row<T> {
  readonly description: string;
  /** What applies where the variable is not set or empty, in words. */
  readonly default: string;
  /** What a value looks like, in words: printed in the documentation and in the error for a bad value. */
  readonly expected: string;
  /** The value, or undefined if the text is not what is expected. */
  parse(text: string): T | undefined;
}
const row = <T>(r: Row<T>): Row<T> => r;

const text = (value: string): string => value;
function oneOf<const T extends string>(values: readonly T[]) {
  return { expected: values.join(', '), parse: (value: string): T | undefined => values.find(v => v === value) };
}
function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  const expected = max === Number.MAX_SAFE_INTEGER ? `an integer, ${min} or more` : `an integer in [${min}, ${max}]`;
  const parse = (value: string): number | undefined => {
    const n = Number(value);
    return /^\d+$/.test(value) && n >= min && n <= max ? n : undefined;
  };
  return { expected, parse };
}
const flag = {
  expected: '0 or 1',
  parse: (value: string): boolean | undefined => (value === '1' ? true : value === '0' ? false : undefined),
};

/** `0,2-4` → [0, 2, 3, 4], as the Linux kernel writes sets of CPUs; undefined if it is not such a list. */
export function parseCpuList(list: string): readonly number[] | undefined {
  const cpus = new Set<number>();
  for (const part of list.trim().split(',')) {
    const range = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim());
    if (range === null) return undefined;
    const [first, last] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (last < first) return undefined;
    for (let cpu = first; cpu <= last; cpu++) cpus.add(cpu);
  }
  return [...cpus].sort((a, b) => a - b);
}

/** Those of SIGHUP, SIGINT and SIGTERM that are in a set as the kernel writes it: bit n − 1 for signal n. */
function parseSignalSet(digits: string): readonly NodeJS.Signals[] | undefined {
  if (!/^[0-9a-fA-F]{1,32}$/.test(digits)) return undefined;
  const set = BigInt(`0x${digits}`);
  const names = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  return names.filter(name => (set >> BigInt(constants.signals[name] - 1)) & 1n);
}

export const environmentTable = {
  CC: row({
    description: 'The C compiler that turns generated C into machine code: a name on PATH, or a path.',
    default: 'the first of gcc, clang and cc that is on PATH',
    expected: 'a command, without arguments',
    parse: text,
  }),
  PATH: row({
    description: 'The directories in which commands are looked for.',
    default: 'nothing is found',
    expected: 'directories, separated by colons',
    parse: text,
  }),
  TRENIO_BACKEND: row({
    description:
      'What `device()` gives: `cpu`, the compiler to native code; `interpreter`, the slow reference that needs no C compiler; with `:1` and so on, another device of the same backend.',
    default: 'cpu',
    expected: 'the name of a device',
    parse: text,
  }),
  TRENIO_EAGER: row({
    description:
      'Run each tensor op on the reference interpreter as it is written, for a debugger: slow, and every tensor has its elements.',
    default: '0',
    ...flag,
  }),
  NEURON_USE_EAGER_DEBUG_MODE: row({
    description: 'The same as TRENIO_EAGER, under the name that scripts for Trainium set.',
    default: '0',
    ...flag,
  }),
  NEURON_CC_FLAGS: row({
    description:
      'Of these flags of the compiler for Trainium, `--auto-cast` and `--auto-cast-type` say in which type f32 is multiplied.',
    default: '`--auto-cast none --auto-cast-type bf16`',
    expected: neuronFlagsExpected,
    parse: parseNeuronFlags,
  }),
  NEURON_RT_STOCHASTIC_ROUNDING_EN: row({
    description: 'Round stochastically wherever a step converts floats to floats of less precision.',
    default: '0',
    ...flag,
  }),
  NEURON_RT_STOCHASTIC_ROUNDING_SEED: row({
    description: 'What the random bits of stochastic rounding start from.',
    default: '0',
    ...integer(0),
  }),
  TRENIO_EAGER_STOP: row({
    description: 'In eager debug mode, the elements that stop the program at the op that made them.',
    default: 'never',
    ...oneOf(['never', 'nan', 'nonfinite']),
  }),
  TRENIO_MAX_LOOP_STEPS: row({
    description: 'How many iterations one run of a `while` may take: an endless loop becomes an error.',
    default: 'any number',
    ...integer(1),
  }),
  TRENIO_CACHE_DIR: row({
    description:
      'Where compiled programs are kept between runs. Safe to delete at any time, safe to share between processes.',
    default: '`$XDG_CACHE_HOME/trenio`, or `~/.cache/trenio`',
    expected: 'a directory',
    parse: text,
  }),
  TRENIO_CACHE_MAX_BYTES: row({
    description: 'How large the cache directory may become: beyond it, what was used longest ago is removed.',
    default: '4294967296 (4 GiB)',
    ...integer(0),
  }),
  TRENIO_CACHE_SHARED: row({
    description:
      'Who else may write the cache directory. `none`: compiled code is loaded only from files and directories that belong to the user or to root and that nobody else can write. `group`: everybody in the group of the directory is trusted, and what is added is writable by the group; for a cache that a team shares on purpose.',
    default: 'none',
    ...oneOf(['none', 'group']),
  }),
  TRENIO_ISA: row({
    description:
      'The instruction set that programs are compiled for, where it is to be less than what the CPU has. An error where the CPU lacks it, or for `amx`, where the system does not let the process use it.',
    default: 'what the CPU has',
    ...oneOf(['amx', 'avx512', 'avx2', 'sve', 'neon', 'generic']),
  }),
  TRENIO_COMPILE_ONLY: row({
    description:
      'Compile the programs that the script asks for and run none; what was compiled is written to this file. Set by `trenio compile`.',
    default: 'programs run',
    expected: 'a file',
    parse: text,
  }),
  TRENIO_COMPILE_STEPS: row({
    description:
      'With TRENIO_COMPILE_ONLY or TRENIO_TRACE_ONLY, after how many executions without a new program the process ends. Set by `trenio compile` and `trenio plan`.',
    default: '100',
    ...integer(1),
  }),
  TRENIO_TRACE_ONLY: row({
    description:
      'Write the programs that the script asks for into this folder, compile and run none. Set by `trenio plan`.',
    default: 'programs run',
    expected: 'a folder',
    parse: text,
  }),
  TRENIO_STEP_REPORT: row({
    description:
      'A file in which the times of each program are kept while the script runs, as JSON. Set by `trenio run --plan`.',
    default: 'none',
    expected: 'a file',
    parse: text,
  }),
  XDG_CACHE_HOME: row({
    description: 'The parent of the default cache directory, as the XDG base directory specification has it.',
    default: '`~/.cache`',
    expected: 'a directory',
    parse: text,
  }),
  TRENIO_PROFILE: row({
    description:
      'Time each kernel of compiled steps; a table of them, slowest first, is printed to the standard error stream when the process ends.',
    default: '0',
    ...flag,
  }),
  TRENIO_NUM_THREADS: row({
    description: 'How many threads compute a step. Results are the same bits whatever the number.',
    default: 'the number of CPUs in TRENIO_CPUS, or else of those this process may use',
    ...integer(1, 1024),
  }),
  TRENIO_CPUS: row({
    description: 'The CPUs to pin the threads to, one each. `trenio run` gives each rank its share.',
    default: 'those this process may use; pinned only when there is a thread for each',
    expected: 'a list such as 0,2-5',
    parse: parseCpuList,
  }),
  RANK: row({
    description: 'The number of this process among all ranks. Set by `trenio run`.',
    default: '0',
    ...integer(0),
  }),
  LOCAL_RANK: row({
    description: 'The number of this process among the ranks on this machine. Set by `trenio run`.',
    default: '0',
    ...integer(0),
  }),
  WORLD_SIZE: row({
    description: 'How many ranks there are. Set by `trenio run`.',
    default: '1',
    ...integer(1),
  }),
  LOCAL_WORLD_SIZE: row({
    description: 'How many ranks there are on this machine. Set by `trenio run`.',
    default: '1',
    ...integer(1),
  }),
  TRENIO_SHM: row({
    description: 'The shared memory through which the ranks on this machine exchange data. Set by `trenio run`.',
    default: 'none: a single rank',
    expected: 'a name such as /trenio-1234-5678',
    parse: value => (/^\/[\w.-]{1,200}$/.test(value) ? value : undefined),
  }),
  TRENIO_LOG: row({
    description: 'The least severe messages that are written to the standard error stream.',
    default: 'warn',
    ...oneOf(['debug', 'info', 'warn', 'error', 'silent']),
  }),
  TRENIO_LAUNCHER_PID: row({
    description: 'The `trenio run` that started this process, which ends with it. Set by `trenio run`.',
    default: 'none',
    ...integer(1),
  }),
  TRENIO_IGNORED_SIGNALS: row({
    description:
      'The signals that were ignored when the `trenio` command was started, as the kernel writes them (SigIgn of /proc/self/status); they stay ignored. Set by the command itself.',
    default: 'none',
    expected: 'hexadecimal digits',
    parse: parseSignalSet,
  }),
  npm_config_user_agent: row({
    description:
      'Set by npm, npx, pnpm and yarn for what they start: a `trenio` command ends when the one that started it does.',
    default: 'none',
    expected: 'anything',
    parse: text,
  }),
  TRENIO_DEBUG: row({
    description: 'Print the stack beneath the text of an error.',
    default: '0',
    ...flag,
  }),
  NO_COLOR: row({
    description: 'No colours on a terminal (https://no-color.org).',
    default: 'colours on a terminal',
    expected: 'anything',
    parse: text,
  }),
} as const;

export type VariableName = keyof typeof environmentTable;
export type VariableValue<N extends VariableName> = Exclude<
  ReturnType<(typeof environmentTable)[N]['parse']>,
  undefined
>;

/**
 * The value of a variable, or undefined where it is not set or empty.
 * Throws BAD_ENVIRONMENT for a value that is not what the table expects.
 */
export function readVariable<N extends VariableName>(
  name: N,
  variables: Variables = process.env,
): VariableValue<N> | undefined {
  const value = variables[name];
  if (value === undefined || value === '') return undefined;
  const { parse, expected }: Row<unknown> = environmentTable[name];
  const parsed = parse(value);
  if (parsed === undefined) throw new TrenioError('BAD_ENVIRONMENT', { name, value, expected });
  return parsed as VariableValue<N>;
}

/** True when each tensor op is to run as it is written. */
export const isEagerMode = (variables: Variables = process.env): boolean =>
  readVariable('TRENIO_EAGER', variables) ?? readVariable('NEURON_USE_EAGER_DEBUG_MODE', variables) ?? false;

/** True where the script's programs are collected and not run: nothing that it saves is to be written. */
export const isTrialRun = (variables: Variables = process.env): boolean =>
  (readVariable('TRENIO_COMPILE_ONLY', variables) ?? readVariable('TRENIO_TRACE_ONLY', variables)) !== undefined;

/** The variables of this process: to hand to a child process with some changed, never to look a value up in. */
export const inheritedVariables = (): Variables => process.env;

/** docs/environment.md. */
export function environmentMarkdown(): string {
  const cell = (value: string): string => value.replaceAll('|', '\\|');
  const rows = Object.entries<Row<unknown>>(environmentTable).map(
    ([name, r]) => `| \`${name}\` | ${cell(r.description)} | ${cell(r.expected)} | ${cell(r.default)} |`,
  );
  return [
    '# Environment variables',
    '',
    'Made from the table in `src/base/environment.ts` (after a change: `npx vitest run src/base/environment.test.ts -u`).',
    'An empty variable counts as not set.',
    '',
    '| variable | what it does | value | default |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Removes a variable, so that what this process starts does not inherit it. */
export function forgetVariable(name: VariableName): void {
  delete process.env[name];
}
