// torchrun's options that have no effect here, with the reason, and its environment variables, which stand for options.
import type { Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import type { FlagOption, Options, TextOption } from '../command/command.ts';

interface Accepted {
  /** Undefined: a flag. */
  readonly placeholder?: string;
  readonly oneOf?: readonly string[];
  /** A valid value, if it is not text. */
  readonly pattern?: RegExp;
  readonly why: string;
}

const SECONDS = /^(?=.*[1-9])\d*\.?\d+$/;

const accepted = {
  'monitor-interval': { placeholder: 'S', pattern: SECONDS, why: 'the end of a rank is noticed at once' },
  'start-method': {
    placeholder: 'NAME',
    oneOf: ['spawn', 'fork', 'forkserver'],
    why: 'ranks are always new processes',
  },
  'numa-binding': {
    placeholder: 'MODE',
    oneOf: ['node', 'socket', 'exclusive', 'core-complex'],
    why: 'ranks are pinned to neighboring cores anyway, see --no-pin',
  },
  'event-log-handler': { placeholder: 'NAME', why: 'there are no handlers of events' },
  'logs-specs': { placeholder: 'NAME', why: 'there are no plug-ins for logs; see --log-dir' },
  'duplicate-stdout-filters': { placeholder: 'TEXT', why: 'nothing is copied; see --tee' },
  'duplicate-stderr-filters': { placeholder: 'TEXT', why: 'nothing is copied; see --tee' },
  'signals-to-handle': { placeholder: 'NAMES', why: 'SIGTERM, SIGINT, SIGHUP, SIGUSR1 are passed on' },
  'virtual-local-rank': { why: 'LOCAL_RANK stays the index of the rank on its machine' },
  'run-path': { why: 'Node runs the file itself' },
} as const satisfies Readonly<Record<string, Accepted>>;
type AcceptedName = keyof typeof accepted;
const acceptedList = Object.entries(accepted) as readonly (readonly [AcceptedName, Accepted])[];

type AcceptedOptions = {
  readonly [K in AcceptedName]: (typeof accepted)[K] extends { readonly placeholder: string } ? TextOption : FlagOption;
};

/** The options, for the help. */
export const acceptedOptions = Object.fromEntries(
  acceptedList.map(([name, { placeholder, why }]) => {
    const description = `Accepted as by torchrun; has no effect: ${why}.`;
    return [
      name,
      placeholder === undefined ? { kind: 'flag', description } : { kind: 'text', placeholder, description },
    ];
  }),
) as AcceptedOptions;

/** None of them given. */
export const withoutAccepted = Object.fromEntries(
  acceptedList.map(([name, { placeholder }]) => [name, placeholder === undefined ? false : undefined]),
) as { readonly [K in AcceptedName]: AcceptedOptions[K] extends FlagOption ? false : undefined };

/** Keys of --rdzv-conf that only torchrun's backends use. */
const confWithoutEffect = new Set([
  ...['close_timeout', 'read_timeout', 'rank', 'keep_alive_interval', 'keep_alive_max_attempt', 'store_type'],
  ...['use_agent_store', 'protocol', 'cert', 'key', 'cacert', 'ssl_cert', 'ssl_cert_key', 'ca_cert', 'etcd_prefix'],
]);
export const hasConfWithoutEffect = (key: string): boolean => confWithoutEffect.has(key);

/**
 * The given options that have no effect, as lines for the user.
 * @throws {BAD_ARGUMENT} for values that torchrun refuses, too
 */
export function notesOnAccepted(options: Readonly<Record<string, unknown>>): readonly string[] {
  const notes = acceptedList.flatMap(([name, { oneOf, pattern, why }]) => {
    const value = options[name];
    if (value === undefined || value === false) return [];
    if (typeof value === 'string' && (oneOf?.includes(value) ?? pattern?.test(value) ?? true) === false)
      throw new TrenioError('BAD_ARGUMENT', {
        command: 'run',
        argument: `--${name}`,
        got: `'${value}'`,
        expected:
          oneOf === undefined ? 'a positive number of seconds' : oneOf.join(', ').replace(/, ([^,]*)$/, ' or $1'),
      });
    return [`--${name} has no effect: ${why}`];
  });
  const conf = typeof options['rdzv-conf'] === 'string' ? options['rdzv-conf'] : '';
  const keys = conf.split(',').map(part => part.split('=')[0]!.trim());
  return [
    ...notes,
    ...keys
      .filter(hasConfWithoutEffect)
      .map(key => `--rdzv-conf ${key} has no effect: it belongs to torchrun's backends`),
  ];
}

/** Like torchrun, reads options from variables: PET_NPROC_PER_NODE=2 is --nproc-per-node=2. Options on the command line win. */
export function wordsFromVariables(options: Options, variables: Variables): readonly string[] {
  return Object.entries(options).flatMap(([name, { kind }]) => {
    const variable = `PET_${name.replaceAll('-', '_').toUpperCase()}`;
    const value = variables[variable];
    if (value === undefined || value === '') return [];
    if (kind !== 'flag') return [`--${name}=${value}`];
    if (/^\s*[+-]?\d+\s*$/.test(value)) return Number(value) === 0 ? [] : [`--${name}`];
    throw new TrenioError('BAD_ENVIRONMENT', { name: variable, value, expected: '0 or 1' });
  });
}
