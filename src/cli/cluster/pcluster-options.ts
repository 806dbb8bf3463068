// Options of pcluster that have no effect here, with the reasons. They are accepted, so that its command lines work as they are.
import type { Option, Options } from '../command/command.ts';

interface Ignored {
  /** Undefined: a flag. */
  readonly placeholder?: string;
  readonly why: string;
}

const paging = { 'next-token': { placeholder: 'TOKEN', why: 'all results are printed at once' } } as const;
const times = {
  'start-time': { placeholder: 'TIME', why: 'the last lines are printed; see --limit' },
  'end-time': { placeholder: 'TIME', why: 'the last lines are printed; see --limit' },
} as const;
const validation = {
  'suppress-validators': { placeholder: 'NAMES', why: 'a file that breaks a rule would not start a Slurm here' },
  'validation-failure-level': { placeholder: 'LEVEL', why: 'errors prevent a cluster, warnings do not' },
} as const;

/** Options that every command has. */
const common: Readonly<Record<string, Ignored>> = {
  debug: { why: 'see get-cluster-log-events, or set TRENIO_DEBUG=1 for stacks' },
  query: { placeholder: 'EXPRESSION', why: 'the whole JSON is printed; jq selects from it' },
};
const ofCommands: Readonly<Record<string, Readonly<Record<string, Ignored>>>> = {
  'create-cluster': {
    ...validation,
    'rollback-on-failure': { placeholder: 'BOOLEAN', why: 'a cluster that cannot be created is always removed' },
  },
  'update-cluster': {
    ...validation,
    'force-update': { placeholder: 'BOOLEAN', why: 'what a running cluster cannot change is never changed' },
  },
  'list-clusters': paging,
  'describe-cluster-instances': paging,
  'list-cluster-log-streams': { ...paging, filters: { placeholder: 'FILTERS', why: 'all logs are listed' } },
  'get-cluster-log-events': {
    ...paging,
    ...times,
    'start-from-head': { placeholder: 'BOOLEAN', why: 'the last lines are printed; see --limit' },
  },
  'export-cluster-logs': {
    ...times,
    bucket: { placeholder: 'NAME', why: 'the archive is a file; see --output-file' },
    'bucket-prefix': { placeholder: 'PREFIX', why: 'the archive is a file; see --output-file' },
    'keep-s3-objects': { placeholder: 'BOOLEAN', why: 'the archive is a file; see --output-file' },
    filters: { placeholder: 'FILTERS', why: 'all logs are exported' },
  },
};

/** @param name of a command, such as `list-clusters` @param own the options that the command has */
export function ignoredOptions(name: string, own: Options): Readonly<Record<string, Ignored>> {
  const all = { ...common, ...ofCommands[name] };
  return Object.fromEntries(Object.entries(all).filter(([option]) => !Object.hasOwn(own, option)));
}

export const optionsOf = (ignored: Readonly<Record<string, Ignored>>): Options =>
  Object.fromEntries(
    Object.entries(ignored).map(([name, { placeholder, why }]): [string, Option] => {
      const description = `Accepted as by pcluster; has no effect: ${why}.`;
      return [
        name,
        placeholder === undefined ? { kind: 'flag', description } : { kind: 'text', placeholder, description },
      ];
    }),
  );

/** A line for each that was given. */
export const notesOn = (
  ignored: Readonly<Record<string, Ignored>>,
  given: Readonly<Record<string, unknown>>,
): readonly string[] =>
  Object.entries(ignored)
    .filter(([name]) => given[name] !== undefined && given[name] !== false)
    .map(([name, { why }]) => `--${name} has no effect: ${why}`);
