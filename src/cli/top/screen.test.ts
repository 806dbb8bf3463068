import { expect, test } from 'vitest';
import { displayWidth } from '../../base/table.ts';
import type { HostReading, ObservedProcess, Sample } from '../../observe/index.ts';
import { amount, bar, rowsOf, screenOf, sparkline, type TopReading } from './screen.ts';
import { pressKey, type TopState } from './state.ts';
import { fitted, keysIn, painted } from './terminal.ts';

const times = { user: 1, nice: 0, system: 0, idle: 1, io_wait: 0, irq: 0, soft_irq: 0 };
const host: HostReading = {
  all: times,
  byCpu: new Map([
    [0, times],
    [1, times],
  ]),
  contextSwitches: 0,
  memoryTotalBytes: 16 * 2 ** 30,
  memoryUsedBytes: 4 * 2 ** 30,
  swapTotalBytes: 0,
  swapUsedBytes: 0,
};
const nowMs = new Date(2026, 0, 2, 12, 34, 56).getTime();
const sample = (n: number, loss: number): Sample => ({
  sequence: n,
  timeMs: nowMs - (20 - n) * 1000,
  spanMs: 1000,
  steps: 10,
  totalSteps: 10 * n,
  runs: 10,
  totalRuns: 10 * n,
  busyMs: 900,
  collectiveMs: 200,
  dataWaitMs: 50,
  compiles: 0,
  compileMs: 0,
  loss,
  examples: 320,
  tokens: 40_960,
  flops: 5e10,
  fastestMs: 80,
  slowestMs: 110,
  residentBytes: 3 * 2 ** 30,
  parameterBytes: 2 ** 29,
  optimizerBytes: 2 ** 30,
  arenaBytes: 2 ** 29,
});
const rank = (n: number, script = '/home/someone/train.ts'): ObservedProcess => ({
  isHere: true,
  identity: {
    pid: 100 + n,
    parent: 99,
    startedMs: nowMs - 3_700_000,
    script,
    args: ['--lr', '1e-4'],
    user: 'someone',
    host: 'here',
    rank: n,
    worldSize: 2,
    localRank: n,
    run: 'trenio-99',
    launcher: 99,
    tag: '',
    cpus: [n],
    threads: 1,
    peakFlops: { f32: 1e11 },
    version: '0',
  },
  details: {
    programs: [
      {
        id: 1,
        name: 'step',
        stateInputs: 2,
        kernels: 3,
        flops: 1e9,
        runs: 200,
        totalMs: 18_000,
        fastestMs: 80,
        lastMs: 90,
      },
    ],
  },
  samples: Array.from({ length: 20 }, (_, i) => sample(i + 1, 2 - i / 20)),
  system: undefined,
});
const reading: TopReading = { timeMs: nowMs, host, cpuPercent: 93.4, processes: [rank(0), rank(1)] };
const state: TopState = {
  sort: 'rank',
  isReversed: false,
  isTree: true,
  showsFlops: false,
  filter: '',
  selected: undefined,
  agoMs: 0,
  mode: { kind: 'browse' },
  notice: '',
};
const textOf = (width: number, height: number, changes: Partial<TopState> = {}, of = reading): string =>
  screenOf(of, { ...state, ...changes }, width, height)
    .map(line => painted(fitted(line, width), false).replaceAll('\u001b[7m', '').replaceAll('\u001b[0m', '').trimEnd())
    .join('\n');

test('two ranks of a run', () => {
  expect(textOf(120, 20)).toMatchInlineSnapshot(`
    "trenio top  12:34:56  2 processes  CPU 93 %  memory 4.0 GiB of 16.0 GiB
    cpu   0 [█████████████▒▒▒▒  ]  90 %  cpu   1 [█████████████▒▒▒▒  ]  90 %
    PID  RANK  STEP  TIME/STEP  KERN  COLL  HOST  DATA  EX/S  TOK/S   MFU   LOSS   MEMORY  SCRIPT
    99  trenio run, 2 of 2 ranks here
    100   0/2   200     100 ms  70 %  20 %  10 %   5 %   320  41.0k  50 %  1.050  3.0 GiB  ├ train.ts --lr 1e-4
    101   1/2   200     100 ms  70 %  20 %  10 %   5 %   320  41.0k  50 %  1.050  3.0 GiB  └ train.ts --lr 1e-4

    process   100  someone@here  up 1 h 02 min  /home/someone/train.ts
    memory    parameters 512.0 MiB  optimizer 1.0 GiB  activations 512.0 MiB  host 1.0 GiB
    loss      ██▇▇▇▆▆▅▅▅▄▄▄▃▃▂▂▂▁▁  1.050
    step      ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁  100 ms, 10.0/s
    programs  100 %        18.0 s  step







    q quit  ? help  ↑↓ choose  ←→ time  s sort: rank  / filter  k signal"
  `);
});

test('no line is wider, and there are no more lines, than the terminal has', () => {
  for (const width of [20, 40, 60, 80, 200])
    for (const height of [8, 15, 24, 50]) {
      const lines = textOf(width, height).split('\n');
      expect([width, height, lines.length <= height, lines.every(line => displayWidth(line) <= width)]).toEqual([
        width,
        height,
        true,
        true,
      ]);
      expect(lines[0]).toContain('trenio top');
    }
  expect(textOf(40, 20)).toContain('PID');
});

test('the chosen process stays visible in a long list', () => {
  const many = { ...reading, processes: Array.from({ length: 60 }, (_, n) => rank(n)) };
  expect(textOf(100, 24, { selected: 155 }, many)).toMatch(/^155 .*train\.ts/m);
  expect(textOf(100, 24, { selected: 100 }, many)).toMatch(/^100 .*train\.ts/m);
});

test('the past is shown as it was', () => {
  const text = textOf(120, 20, { agoMs: 10_000 });
  expect(text).toContain('12:34:46 (10.0 s ago)');
  expect(text).toMatch(/loss .* {2}1\.550/);
  expect(text).toMatch(/^100 +0\/2 +100 .* 3\.0 GiB /m);
  expect(textOf(120, 20, { agoMs: 3_600_000 })).toContain('-');
  // They were started later.
  expect(textOf(120, 20, { agoMs: 3_800_000 })).toContain('No training processes are running.');
});

test('nothing to show, filters, order', () => {
  expect(textOf(80, 20, {}, { ...reading, processes: [] })).toContain('No training processes are running.');
  expect(textOf(80, 20, { filter: 'other' })).toContain('No process matches the filter.');
  const pids = (changes: Partial<TopState>) =>
    rowsOf(reading, { ...state, ...changes }).map(r => r.process.identity.pid);
  expect(pids({ filter: 'TRAIN' })).toEqual([100, 101]);
  expect(pids({ filter: '101' })).toEqual([101]);
  expect(pids({ sort: 'pid', isReversed: true })).toEqual([101, 100]);
  expect(textOf(80, 24, { mode: { kind: 'help' } })).toContain('Any key closes this help.');
});

test('the name of a script cannot manipulate the terminal', () => {
  const hostile = rank(0, '/x/\u001b[2Jtrain\u0007.ts');
  // Only what the screen itself paints.
  const text = textOf(120, 20, {}, { ...reading, processes: [hostile] });
  expect(text.includes('\u001b') || text.includes('\u0007')).toBe(false);
});

test('keys', () => {
  expect(keysIn('a\u001b[A\u001b[Bq\u001b[5~\u0003\r\u007fé')).toEqual([
    'a',
    'up',
    'down',
    'q',
    'ctrl-c',
    'enter',
    'backspace',
    'é',
  ]);
  expect(keysIn('\u001b')).toEqual(['escape']);
  const press = (keys: readonly string[], from = state) =>
    keys.reduce<ReturnType<typeof pressKey>>((before, key) => pressKey(before.state, key, [100, 101]), { state: from });
  expect(press(['down']).state.selected).toBe(101);
  expect(press(['down', 'down', 'up']).state.selected).toBe(100);
  expect(press(['left', 'left', 'right']).state.agoMs).toBe(10_000);
  expect(press(['left', 'end']).state.agoMs).toBe(0);
  expect(press(['s', 'r', 't', 'f']).state).toMatchObject({
    sort: 'pid',
    isReversed: true,
    isTree: false,
    showsFlops: true,
  });
  expect(press(['/', 'a', 'b', 'backspace', 'q', 'enter']).state).toMatchObject({
    filter: 'aq',
    mode: { kind: 'browse' },
  });
  expect(press(['/', 'a', 'escape']).state.filter).toBe('');
  expect(press(['q']).action).toEqual({ kind: 'quit', exitCode: 0 });
  expect(press(['/', 'ctrl-c']).action).toEqual({ kind: 'quit', exitCode: 130 });
});

test('a signal is sent only when it is confirmed', () => {
  const press = (...keys: string[]) =>
    keys.reduce<ReturnType<typeof pressKey>>((before, key) => pressKey(before.state, key, [100, 101]), { state });
  expect(press('down', 'k', 't', 'y').action).toEqual({ kind: 'signal', pid: 101, signal: 'SIGTERM' });
  expect(press('k', 't').action).toBeUndefined();
  for (const keys of [
    ['k', 't', 'n'],
    ['k', 'x'],
    ['k', 't', 'enter'],
  ])
    expect([press(...keys).action, press(...keys).state.notice]).toEqual([undefined, 'no signal was sent']);
  expect(textOf(100, 20, press('k', 't').state)).toContain('send SIGTERM to process 100? y sends it');
});

test('pieces', () => {
  expect([0, undefined, 950, 999.6, 40_960, 1.5e12].map(amount)).toEqual(['-', '-', '950', '1.0k', '41.0k', '1.5T']);
  expect(sparkline([1, 2, 3, Number.NaN], 10)).toBe('▁▅█');
  expect(sparkline([5, 5], 10)).toBe('▁▁');
  expect(sparkline([5], 10)).toBe('');
  const shares = [
    { share: 0.5, mark: '#', style: undefined },
    { share: 0.7, mark: '+', style: undefined },
  ];
  expect(
    bar(shares, 10)
      .map(({ text }) => text)
      .join(''),
  ).toBe('#####+++++');
});
