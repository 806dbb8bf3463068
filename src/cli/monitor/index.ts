// `trenio monitor`: reports on this host's training processes, as neuron-monitor's JSON or for Prometheus. Only the
// description; the implementation is imported when the command runs.
import { defineCommand } from '../command.ts';

export const monitorOptions = {
  'config-file': {
    kind: 'text',
    short: 'c',
    placeholder: 'FILE',
    description: "What to report, in neuron-monitor's format.",
  },
  period: {
    kind: 'text',
    placeholder: 'TIME',
    description: "Time between reports: 500ms, 5s, 1m. Default: the file's, or 5s.",
  },
  count: {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Stop after this many reports.',
  },
  json: { kind: 'flag', description: 'Accepted, as in other commands: reports are always JSON.' },
  prometheus: {
    kind: 'integer',
    placeholder: 'PORT',
    min: 0,
    max: 65_535,
    description: 'Serve OpenMetrics at http://127.0.0.1:PORT/metrics instead; 0 for any free port.',
  },
  host: { kind: 'text', placeholder: 'ADDRESS', default: '127.0.0.1', description: 'The address to serve on.' },
  verbose: {
    kind: 'integer',
    placeholder: 'LEVEL',
    min: 0,
    max: 4,
    default: 0,
    description: '1 or more: report on standard error when processes start and end.',
  },
} as const;

export const monitorCommand = defineCommand({
  name: 'monitor',
  summary: 'Report what training processes do, as JSON or for Prometheus.',
  description: [
    "Prints one line of JSON per period, with the keys of neuron-monitor's reports: CPUs count as NeuronCores, and Trenio's own",
    "values are under 'trenio'. With --prometheus, serves the same as OpenMetrics text. Reads what processes record in memory; they",
    'are not slowed down. docs/monitor.md describes all keys and metrics.',
  ].join('\n'),
  positionals: [],
  options: monitorOptions,
  examples: [
    {
      command: 'trenio monitor | jq .neuron_runtime_data[].report.trenio.loss',
      explanation: 'the losses, every 5 seconds',
    },
    { command: 'trenio monitor -c monitor.json --period 1s', explanation: 'the metrics of the file, every second' },
    { command: 'trenio monitor --count 1', explanation: 'one report' },
    {
      command: 'trenio monitor --prometheus 9400',
      explanation: 'for Prometheus; docs/grafana-dashboard.json draws it',
    },
  ],
  run: async (input, context) => (await import('./monitor.ts')).monitor(input, context),
});
