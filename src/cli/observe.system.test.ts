// `trenio monitor`, `top` and `ls` with real training processes: two ranks of `trenio run`.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inheritedVariables } from '../base/environment.ts';
import { hostMetrics, processMetrics, valueName } from './monitor/metrics.ts';
import { CliProcess } from './process.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-observe-'));
const variables = { TRENIO_OBSERVE_DIR: join(folder, 'rings'), NEURON_PROCESS_TAG: 'a tag' };
const script = join(folder, 'train.ts');
const index = new URL('../index.ts', import.meta.url).pathname;
writeFileSync(
  script,
  `import { AdamW, DeviceLoader, device, nn, optimizerStep, tensor } from '${index}';
const model = new nn.Sequential(new nn.Linear(64, 64), new nn.GELU(), new nn.Linear(64, 1));
const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
function* batches() {
  for (;;) yield { x: tensor([Array(64).fill(0.5), Array(64).fill(0.25)]), ids: tensor([[1, 2, 3], [4, 5, 6]], { dtype: 'int32' }) };
}
let step = 0;
for await (const { x } of new DeviceLoader(batches(), device())) {
  const loss = model.forward(x).square().mean();
  loss.backward();
  optimizerStep(optimizer);
  optimizer.zeroGrad();
  if (++step % 20 === 0) console.log('step', step, loss.item());
  await new Promise(resolve => setTimeout(resolve, 5));
}
`,
);
let training: CliProcess;

beforeAll(async () => {
  training = new CliProcess(['run', '--nproc_per_node', '2', script], variables);
  await training.outputs(/step 40 /g, 2);
});
afterAll(async () => {
  training.child.kill('SIGTERM');
  await training.finished;
  rmSync(folder, { recursive: true, force: true });
});
const trenio = (...words: string[]) => new CliProcess(words, variables).finished;

test('monitor reports the ranks with the keys of neuron-monitor', async () => {
  const { exitCode, stdout, stderr } = await trenio('monitor', '--period', '1s', '--count', '2', '--verbose', '1');
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`${script}\n`)]);
  const reports = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(reports.length).toBe(2);
  const ranks = reports[1].neuron_runtime_data;
  expect(ranks.map((rank: { report: { trenio: { rank: number } } }) => rank.report.trenio.rank).sort()).toEqual([0, 1]);
  const { neuron_runtime_tag: tag, report } = ranks[0];
  expect(tag).toBe('a tag');
  expect(report.trenio).toMatchObject({ script, world_size: 2, error: '' });
  for (const key of [
    'steps',
    'collectives_percent',
    'kernels_percent',
    'examples_per_second',
    'tokens_per_second',
    'step_ms',
    'flops_per_second',
  ])
    expect([key, report.trenio[key]]).toEqual([key, expect.any(Number)]);
  expect(report.trenio.steps).toBeGreaterThanOrEqual(40);
  expect(report.trenio.collectives_percent).toBeGreaterThan(0);
  expect(report.trenio.loss).toEqual(expect.any(Number));
  const parameterBytes = 4 * (64 * 64 + 64 + 64 + 1);
  expect(report.trenio.memory_bytes.parameters).toBe(parameterBytes);
  expect(report.trenio.memory_bytes.optimizer).toBeGreaterThanOrEqual(2 * parameterBytes);
  expect(Object.keys(report)).toEqual([
    'neuroncore_counters',
    'execution_stats',
    'memory_used',
    'neuron_runtime_vcpu_usage',
    'trenio',
  ]);
  const core = Object.values(report.neuroncore_counters.neuroncores_in_use)[0];
  expect(core).toMatchObject({ neuroncore_utilization: expect.any(Number), flops: expect.any(Number) });
  expect(report.execution_stats.execution_summary.completed).toBeGreaterThan(0);
  const { p0, p50, p100 } = report.execution_stats.latency_stats.total_latency;
  expect([p0 > 0, p0 <= p50, p50 <= p100]).toEqual([true, true, true]);
  // Programs that read neuron-monitor expect every key.
  const zone = ['instance_availability_zone', 'instance_availability_zone_id', 'instance_region'];
  const instance = ['instance_name', 'instance_id', 'instance_type', ...zone, 'ami_id', 'subnet_id', 'error'];
  expect(Object.keys(reports[1].instance_info)).toEqual(instance);
  expect(reports[1].system_data.memory_info.memory_total_bytes).toBeGreaterThan(0);
  expect(Object.keys(reports[1].system_data.vcpu_usage.average_usage)).toEqual([
    'user',
    'nice',
    'system',
    'idle',
    'io_wait',
    'irq',
    'soft_irq',
  ]);
});

test('ls shows the ranks with their script; --wide does not cut command lines', async () => {
  const long = ` ${script}`;
  // All processes of the machine are listed: those of other tests, too.
  const { processes } = JSON.parse((await trenio('top', '--once', '--json')).stdout) as {
    processes: { pid: number }[];
  };
  const isOurs = (line: string): boolean => processes.some(({ pid }) => line.trimStart().startsWith(`${pid} `));
  const lines = async (...flags: string[]): Promise<string[]> =>
    (await trenio('ls', ...flags)).stdout
      .split('\n')
      .filter(line => isOurs(line) && / [01] of 2 .* train\.ts /.test(line));
  expect((await lines()).map(line => line.endsWith('…'))).toEqual([true, true]);
  for (const flag of ['--wide', '-wt'])
    expect((await lines(flag)).map(line => line.endsWith(long))).toEqual([true, true]);
});

test('a configuration file selects the reported metrics; an invalid one is an error', async () => {
  const file = join(folder, 'monitor.json');
  const withConfig = (config: unknown) => {
    writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
    return trenio('monitor', '-c', file, '--count', '1');
  };
  const metrics = [{ type: 'memory_used', period: '2s' }];
  const chosen = await withConfig({
    period: '1s',
    neuron_runtimes: [{ tag_filter: '^a', metrics }],
    system_metrics: [],
  });
  const report = JSON.parse(chosen.stdout);
  expect(report.neuron_runtime_data.map((each: { report: object }) => Object.keys(each.report))).toEqual([
    ['memory_used'],
    ['memory_used'],
  ]);
  expect(report.system_data).toEqual({});
  expect(
    JSON.parse((await withConfig({ neuron_runtimes: [{ tag_filter: '^b', metrics }] })).stdout).neuron_runtime_data,
  ).toEqual([]);

  const wrong = await withConfig({ period: '1 fortnight' });
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('fortnight')]);
});

test('the endpoint for Prometheus serves every metric, to this host', async () => {
  const monitor = new CliProcess(['monitor', '--prometheus', '0'], variables);
  const [[, address]] = (await monitor.outputs(/metrics at (\S+)\n/g, 1)) as [RegExpExecArray];
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  const response = await fetch(address!);
  expect(response.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  const text = await response.text();
  expect(text.endsWith('# EOF\n')).toBe(true);
  // The format: comments, and `name{label="value"} number`.
  for (const line of text.trim().split('\n'))
    expect(line).toMatch(
      /^(# (TYPE|HELP) trenio_\w+ .+|# EOF|trenio_\w+(\{(\w+="(?:[^"\\]|\\.)*",?)+\})? (NaN|[+-]Inf|-?[\d.e+-]+))$/,
    );
  for (const metric of [...processMetrics, ...hostMetrics])
    expect(text).toContain(`# TYPE ${metric.name} ${metric.type}\n`);
  expect(text).toMatch(/^trenio_steps_total\{run="[^"]+",rank="[01]",pid="\d+",host="[^"]+"\} \d+$/m);
  expect((await fetch(address!.replace('/metrics', '/other'))).status).toBe(404);
  const port = new URL(address!).port;
  const taken = await trenio('monitor', '--prometheus', port);
  expect([taken.exitCode, taken.stderr]).toEqual([1, expect.stringContaining(port)]);
  monitor.child.kill('SIGTERM');
  expect((await monitor.finished).exitCode).toBe(143);
});

test('the documentation and the dashboard list all metrics', () => {
  const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
  const names = [...processMetrics, ...hostMetrics].map(valueName);
  const documented = [...read('monitor.md').matchAll(/^\| `(trenio_\w+)`/gm)].map(match => match[1]);
  expect(documented).toEqual(names);
  const dashboard = JSON.parse(read('grafana-dashboard.json'));
  const expressions: string[] = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  );
  const used = new Set(expressions.flatMap(expression => expression.match(/trenio_\w+/g) ?? []));
  expect([...used].filter(name => !names.includes(name))).toEqual([]);
  expect(used.size).toBeGreaterThan(10);
});

/** The command on a pseudo-terminal of this size (script of util-linux). */
class OnTerminal {
  readonly child: ChildProcessWithoutNullStreams;
  output = '';
  readonly #closed: Promise<unknown>;

  constructor(columns: number, rows: number, ...words: readonly string[]) {
    const main = new URL('./main.ts', import.meta.url).pathname;
    const top = `echo $$ > ${folder}/pid; exec ${process.execPath} ${main} ${words.join(' ')}`;
    const command = `stty cols ${columns} rows ${rows}; tty > ${folder}/tty; sh -c '${top}'; echo "exit code $?"; stty -a`;
    this.child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...inheritedVariables(), ...variables, TERM: 'xterm', SHELL: '/bin/sh' },
    });
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    this.#closed = once(this.child, 'close');
  }
  async shows(text: string, after = 0): Promise<void> {
    while (!this.output.includes(text, after)) {
      if (this.child.exitCode !== null) throw new Error(`ended without '${text}': ${this.output}`);
      await Promise.race([once(this.child.stdout, 'data'), this.#closed]);
    }
  }
  resize(columns: number, rows: number): void {
    const terminal = readFileSync(join(folder, 'tty'), 'utf8').trim();
    spawnSync('stty', ['-F', terminal, 'cols', `${columns}`, 'rows', `${rows}`]);
  }
  /** To the command itself. */
  kill(signal: NodeJS.Signals): void {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), signal);
  }
  press(keys: string): void {
    this.child.stdin.write(keys);
  }
  async ended(): Promise<string> {
    await this.#closed;
    return this.output;
  }
}
const restored = '\u001b[?7h\u001b[?25h\u001b[?1049l';

test('top on a terminal: keys, a resize, a signal, and the terminal as it was', async () => {
  const screen = new OnTerminal(100, 30, 'top', '--period', '200ms');
  await screen.shows('2 of 2 ranks here');
  await screen.shows('train.ts');
  await screen.shows('optimizer');
  screen.press('?');
  await screen.shows('Any key closes this help.');
  screen.press('x/nothing');
  await screen.shows('No process matches the filter.');
  screen.press('\u001b');
  await screen.shows('2 of 2 ranks here', screen.output.lastIndexOf('No process'));
  // The signal is only offered.
  screen.press('kt');
  await screen.shows('send SIGTERM to process');
  screen.press('n');
  await screen.shows('no signal was sent');
  screen.press('kcy');
  await screen.shows('sent SIGCONT to process');
  const before = screen.output.length;
  screen.resize(50, 12);
  // The smaller screen is drawn from its start.
  await screen.shows('\u001b[2J', before);
  await screen.shows('\u001b[12;1H', screen.output.lastIndexOf('\u001b[2J'));
  screen.press('q');
  const output = await screen.ended();
  expect(output).toContain('\u001b[?1049h');
  expect(output.slice(output.lastIndexOf(restored))).toMatch(/exit code 0[\s\S]* icanon[\s\S]* echo /);
});

test('Ctrl-C and SIGTERM restore the terminal; a narrow one is enough', async () => {
  const narrow = new OnTerminal(30, 10, 'top');
  await narrow.shows('PID');
  narrow.press('\u0003');
  expect(await narrow.ended()).toContain(`${restored}exit code 130`);
  const killed = new OnTerminal(80, 24, 'top');
  await killed.shows('PID');
  killed.kill('SIGTERM');
  expect(await killed.ended()).toContain(`${restored}exit code 143`);
});

test('top needs a terminal, or --once', async () => {
  const refused = await trenio('top');
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('trenio top --once')]);
  const { processes } = JSON.parse((await trenio('top', '--once', '--json', '--filter', 'train')).stdout);
  expect(processes.map((each: { rank: number }) => each.rank)).toEqual([0, 1]);
  expect(processes[0]).toMatchObject({ script, rates: { loss: expect.any(Number), stepMs: expect.any(Number) } });
  const once = await trenio('top', '--once');
  expect([once.exitCode, once.stdout]).toEqual([0, expect.stringContaining('2 of 2 ranks here')]);
});
