// The options of `trenio top`.
import { sortKeys } from './state.ts';

export const topOptions = {
  period: { kind: 'text', placeholder: 'TIME', default: '1s', description: 'Time between updates: 500ms, 1s, 1m.' },
  sort: { kind: 'text', placeholder: 'KEY', default: 'rank', description: `One of ${sortKeys.join(', ')}.` },
  filter: {
    kind: 'text',
    placeholder: 'TEXT',
    default: '',
    description: 'Only processes whose script, arguments, tag, run, user or id contain this.',
  },
  once: { kind: 'flag', description: 'Print once and exit; needs no terminal.' },
  json: { kind: 'flag', description: 'With --once: one JSON object: {"time", "host", "processes"}.' },
} as const;
