// Reads and sets environment variables. This is the only file that uses process.env; the variables are listed in
// environment-table.ts.
import { environmentTable, type Row } from './environment-table.ts';
import { TrenioError } from './errors.ts';

/** A set of variables, such as process.env. Tests and code that starts other processes pass their own. */
export type Variables = Readonly<Record<string, string | undefined>>;

export type VariableName = keyof typeof environmentTable;
export type VariableValue<N extends VariableName> = Exclude<
  ReturnType<(typeof environmentTable)[N]['parse']>,
  undefined
>;

/**
 * The value of a variable, or undefined if it is unset or empty.
 * @throws {BAD_ENVIRONMENT} for an invalid value
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

/** True if each tensor op runs immediately. */
export const isEagerMode = (variables: Variables = process.env): boolean =>
  readVariable('TRENIO_EAGER', variables) ?? readVariable('NEURON_USE_EAGER_DEBUG_MODE', variables) ?? false;

/** True if the script's programs are collected but not run. Trenio then writes no checkpoints or results. */
export const isTrialRun = (variables: Variables = process.env): boolean =>
  (readVariable('TRENIO_COMPILE_ONLY', variables) ?? readVariable('TRENIO_TRACE_ONLY', variables)) !== undefined;

/** The variables of this process, to pass on to a child process. Use `readVariable` to read a value. */
export const inheritedVariables = (): Variables => process.env;

/** Variables that a server passes on to programs of jobs and models: an allow-list, because others may be secrets. */
const jobNames: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'TZ', 'LANG', 'LANGUAGE', 'LD_LIBRARY_PATH', 'CC'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  ...['TRENIO_BACKEND', 'TRENIO_CACHE_DIR', 'TRENIO_CACHE_SHARED', 'TRENIO_CACHE_MAX_BYTES', 'TRENIO_ISA'],
]);
const isForJobs = (name: string): boolean => jobNames.has(name) || /^LC_[A-Z]+$/.test(name);
/** For the processes that run jobs, in addition: settings of Node, of Trenio, and of container engines. */
const isForRunners = (name: string): boolean =>
  isForJobs(name) ||
  (/^(?:NODE_OPTIONS|NODE_COMPILE_CACHE|TMPDIR|XDG_\w+|TRENIO_\w+|(?:DOCKER|CONTAINER)_HOST)$/.test(name) &&
    name !== 'TRENIO_RDZV_SECRET');

const selected = (isPassed: (name: string) => boolean): Variables =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassed(name)));
/** The variables of this process that programs of jobs and models get. */
export const jobVariables = (): Variables => selected(isForJobs);
/** The variables of this process for the processes that run jobs and replicas. */
export const runnerVariables = (): Variables => selected(isForRunners);

/** docs/environment.md. */
export function environmentMarkdown(): string {
  const cell = (value: string): string => value.replaceAll('|', '\\|');
  const rows = Object.entries<Row<unknown>>(environmentTable).map(
    ([name, r]) => `| \`${name}\` | ${cell(r.description)} | ${cell(r.expected)} | ${cell(r.default)} |`,
  );
  return [
    '# Environment variables',
    '',
    'Generated from the table in `src/base/environment-table.ts` by `node scripts/write-docs.ts`.',
    'An empty variable counts as unset.',
    '',
    '| variable | what it does | value | default |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Sets a variable of this process, for code that reads it later. */
export function setVariable(name: keyof typeof environmentTable, value: string): void {
  process.env[name] = value;
}
/** Removes a variable, so that child processes do not inherit it. */
export function forgetVariable(name: VariableName): void {
  delete process.env[name];
}
