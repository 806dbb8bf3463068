// Runs `trenio top`: reads all processes once a period, and shows them on a terminal, as text or as JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import { readVariable } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import {
  cpuPercent,
  LocalSource,
  type ObservationSource,
  type ObservedProcess,
  readHost,
} from '../../observe/index.ts';
import type { CliContext, CommandInput } from '../command/command.ts';
import { parsePeriod, periodExpected } from '../monitor/config.ts';
import { rowsOf, screenOf, type TopReading } from './screen.ts';
import { pressKey, type SortKey, sortKeys, type TopAction, type TopState } from './state.ts';
import { type KeyStream, type ScreenStream, Terminal } from './terminal.ts';
import type { topOptions } from './top-options.ts';

/** Enough for a minute of graphs. */
const recentSamples = 260;

export async function top({ options }: CommandInput<typeof topOptions>, context: CliContext): Promise<number> {
  const periodMs = parsePeriod(options.period);
  if (periodMs === undefined) throw badOption('--period', options.period, periodExpected);
  const sort = sortKeys.find(key => key === options.sort);
  if (sort === undefined) {
    const nearest = nearestName(options.sort, sortKeys);
    throw badOption('--sort', options.sort, nearest === undefined ? `one of ${sortKeys.join(', ')}` : `'${nearest}'?`);
  }
  const state = initialState(sort, options.filter);
  const source = new LocalSource(context.environment);
  if (options.once) return printOnce(source, state, options.json, context);
  if (options.json) throw badOption('--json', 'without --once', '--once --json');
  const keys = context.stdin as KeyStream;
  if (keys.isTTY !== true || typeof keys.setRawMode !== 'function')
    throw new TrenioError('NO_TERMINAL', { command: 'top', stream: 'input' });
  if (context.stdout.isTTY !== true) throw new TrenioError('NO_TERMINAL', { command: 'top', stream: 'output' });
  return new Top(source, state, periodMs, context).run(keys, context.stdout);
}

const badOption = (argument: string, got: string, expected: string): TrenioError =>
  new TrenioError('BAD_ARGUMENT', { command: 'top', argument, got: `'${got}'`, expected });

const initialState = (sort: SortKey, filter: string): TopState => ({
  sort,
  filter,
  isReversed: false,
  isTree: true,
  showsFlops: false,
  selected: undefined,
  agoMs: 0,
  mode: { kind: 'browse' },
  notice: '',
});

async function readNow(
  source: ObservationSource,
  before: TopReading | undefined,
  samples?: number,
): Promise<TopReading> {
  const host = readHost();
  const { idle, io_wait } = cpuPercent(before?.host.all, host.all);
  const used = host.all === undefined ? 0 : 100 - idle - io_wait;
  return { timeMs: Date.now(), host, cpuPercent: used, processes: await source.processes(samples) };
}

/** How long to wait for ranks of other hosts, which launchers fetch once a user is watching. */
const otherHostsMs = 6000;
const otherHostsPollMs = 500;

/** Waits a moment for the other hosts of a run. */
async function readWhole(source: ObservationSource): Promise<TopReading> {
  for (const start = performance.now(); ; await sleep(otherHostsPollMs)) {
    const reading = await readNow(source, undefined, recentSamples);
    const { processes } = reading;
    const isPartial = processes.some(({ identity: { worldSize } }) => worldSize > processes.length);
    if (!isPartial || performance.now() - start > otherHostsMs) return reading;
  }
}

async function printOnce(
  source: ObservationSource,
  state: TopState,
  isJson: boolean,
  context: CliContext,
): Promise<number> {
  const reading = await readWhole(source);
  const rows = rowsOf(reading, state);
  if (isJson) {
    const { memoryTotalBytes, memoryUsedBytes } = reading.host;
    const processes = rows.map(({ process: { identity, details, samples }, rates, residentBytes }) => {
      const last = samples.at(-1);
      const memory = {
        parameters: last?.parameterBytes ?? 0,
        optimizer: last?.optimizerBytes ?? 0,
        arena: last?.arenaBytes ?? 0,
        resident: residentBytes,
      };
      return { ...identity, steps: last?.totalSteps ?? 0, rates, memoryBytes: memory, ...details };
    });
    const host = { memoryTotalBytes, memoryUsedBytes };
    context.stdout.write(`${JSON.stringify({ time: new Date(reading.timeMs).toISOString(), host, processes })}\n`);
    return 0;
  }
  const lines = screenOf(reading, state, context.stdout.columns || 120, rows.length + 40);
  const text = lines.slice(0, -1).map(line =>
    line
      .map(piece => piece.text)
      .join('')
      .trimEnd(),
  );
  context.stdout.write(`${text.join('\n').trimEnd()}\n`);
  return 0;
}

class Top {
  readonly #source: ObservationSource;
  readonly #periodMs: number;
  readonly #context: CliContext;
  #state: TopState;
  #reading: TopReading | undefined;
  #terminal: Terminal | undefined;
  #quit: ((exitCode: number) => void) | undefined;

  constructor(source: ObservationSource, state: TopState, periodMs: number, context: CliContext) {
    this.#source = source;
    this.#state = state;
    this.#periodMs = periodMs;
    this.#context = context;
  }

  async run(keys: KeyStream, screen: ScreenStream): Promise<number> {
    const { signal, environment } = this.#context;
    await this.#read();
    using terminal = new Terminal(keys, screen, readVariable('NO_COLOR', environment) === undefined, {
      onKey: key => this.#pressed(key),
      onResize: () => this.#draw(),
    });
    this.#terminal = terminal;
    this.#draw();
    let failure: unknown;
    const timer = setInterval(() => {
      this.#read().then(
        () => this.#draw(),
        error => {
          failure = error;
          this.#quit?.(1);
        },
      );
    }, this.#periodMs);
    try {
      const exitCode = await new Promise<number>(resolve => {
        this.#quit = resolve;
        if (signal.aborted) resolve(1);
        signal.addEventListener('abort', () => resolve(1), { once: true });
      });
      if (signal.aborted) throw signal.reason;
      if (failure !== undefined) throw failure;
      return exitCode;
    } finally {
      clearInterval(timer);
    }
  }

  async #read(): Promise<void> {
    // All samples only where the user looks back: they are many.
    this.#reading = await readNow(this.#source, this.#reading, this.#state.agoMs > 0 ? undefined : recentSamples);
  }

  #draw(): void {
    const [terminal, reading] = [this.#terminal, this.#reading];
    if (terminal === undefined || reading === undefined) return;
    terminal.draw(screenOf(reading, this.#state, terminal.columns, terminal.rows));
  }

  #pressed(key: string): void {
    const reading = this.#reading!;
    const shown = rowsOf(reading, this.#state).map(({ process }) => process.identity.pid);
    const wasNow = this.#state.agoMs === 0;
    const { state, action } = pressKey(this.#state, key, shown);
    this.#state = state;
    if (action !== undefined) this.#act(action, reading.processes);
    if (wasNow && state.agoMs > 0)
      this.#read().then(
        () => this.#draw(),
        () => this.#draw(),
      );
    else this.#draw();
  }

  #act(action: TopAction, processes: readonly ObservedProcess[]): void {
    if (action.kind === 'quit') {
      this.#quit?.(action.exitCode);
      return;
    }
    const { pid, signal } = action;
    const target = processes.find(({ identity }) => identity.pid === pid);
    const say = (notice: string): void => {
      this.#state = { ...this.#state, notice };
      this.#draw();
    };
    if (target === undefined) say(`process ${pid} has ended`);
    else
      this.#source.signal(target, signal).then(
        () => say(`sent ${signal} to process ${pid}`),
        (error: Error) => say(`${signal} was not sent to process ${pid}: ${error.message}`),
      );
  }
}
