// `trenio monitor`: reports on this host's training processes, as neuron-monitor's JSON or for Prometheus. Only the
// description; the implementation is imported when the command runs.
import { defineCommand } from '../command/command.ts';
import { monitorOptions } from './monitor-options.ts';

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
