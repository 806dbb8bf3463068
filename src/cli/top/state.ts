// The user's selections on the screen of `trenio top`, and how keys change them. No terminal, no clock: see terminal.ts, top.ts.

export const sortKeys = ['rank', 'pid', 'step', 'memory', 'kernels', 'collectives', 'loss'] as const;
export type SortKey = (typeof sortKeys)[number];

export const signals = {
  t: 'SIGTERM',
  i: 'SIGINT',
  u: 'SIGUSR1',
  s: 'SIGSTOP',
  c: 'SIGCONT',
  k: 'SIGKILL',
} as const satisfies Readonly<Record<string, NodeJS.Signals>>;

/** The current meaning of keys. A signal is chosen first, and then confirmed. */
export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'help' }
  | { readonly kind: 'filter'; readonly before: string }
  | { readonly kind: 'choose signal'; readonly pid: number }
  | { readonly kind: 'confirm signal'; readonly pid: number; readonly signal: NodeJS.Signals };

export interface TopState {
  readonly sort: SortKey;
  readonly isReversed: boolean;
  readonly isTree: boolean;
  readonly showsFlops: boolean;
  readonly filter: string;
  /** The pid of the selected process; undefined for the first one. */
  readonly selected: number | undefined;
  /** How far back in time the screen shows. */
  readonly agoMs: number;
  readonly mode: Mode;
  /** About the last action. */
  readonly notice: string;
}
export type TopAction =
  | { readonly kind: 'quit'; readonly exitCode: number }
  | { readonly kind: 'signal'; readonly pid: number; readonly signal: NodeJS.Signals };

export interface KeyResult {
  readonly state: TopState;
  readonly action?: TopAction;
}

const scrollMs = 10_000;
const browse: Mode = { kind: 'browse' };

/** @param shown the processes on the screen, from top to bottom */
export function pressKey(before: TopState, key: string, shown: readonly number[]): KeyResult {
  const state = { ...before, notice: '' };
  if (key === 'ctrl-c') return { state, action: { kind: 'quit', exitCode: 130 } };
  const { mode } = state;
  switch (mode.kind) {
    case 'browse':
      return browsing(state, key, shown);
    case 'help':
      return { state: { ...state, mode: browse } };
    case 'filter':
      if (key === 'enter') return { state: { ...state, mode: browse } };
      if (key === 'escape') return { state: { ...state, mode: browse, filter: mode.before } };
      if (key === 'backspace') return { state: { ...state, filter: [...state.filter].slice(0, -1).join('') } };
      return { state: [...key].length === 1 ? { ...state, filter: state.filter + key } : state };
    case 'choose signal': {
      const signal = Object.hasOwn(signals, key) ? signals[key as keyof typeof signals] : undefined;
      if (signal === undefined) return { state: { ...state, mode: browse, notice: 'no signal was sent' } };
      return { state: { ...state, mode: { kind: 'confirm signal', pid: mode.pid, signal } } };
    }
    case 'confirm signal': {
      const { pid, signal } = mode;
      if (key !== 'y') return { state: { ...state, mode: browse, notice: 'no signal was sent' } };
      return { state: { ...state, mode: browse }, action: { kind: 'signal', pid, signal } };
    }
  }
}

function browsing(state: TopState, key: string, shown: readonly number[]): KeyResult {
  const at = Math.max(0, shown.indexOf(state.selected ?? -1));
  const chosen = shown[at];
  switch (key) {
    case 'q':
    case 'escape':
      return { state, action: { kind: 'quit', exitCode: 0 } };
    case 'up':
      return { state: { ...state, selected: shown[Math.max(0, at - 1)] } };
    case 'down':
      return { state: { ...state, selected: shown[Math.min(shown.length - 1, at + 1)] } };
    case 'left':
      return { state: { ...state, agoMs: state.agoMs + scrollMs } };
    case 'right':
      return { state: { ...state, agoMs: Math.max(0, state.agoMs - scrollMs) } };
    case 'end':
      return { state: { ...state, agoMs: 0 } };
    case 's':
      return { state: { ...state, sort: sortKeys[(sortKeys.indexOf(state.sort) + 1) % sortKeys.length]! } };
    case 'r':
      return { state: { ...state, isReversed: !state.isReversed } };
    case 't':
      return { state: { ...state, isTree: !state.isTree } };
    case 'f':
      return { state: { ...state, showsFlops: !state.showsFlops } };
    case '/':
      return { state: { ...state, mode: { kind: 'filter', before: state.filter } } };
    case '?':
    case 'h':
      return { state: { ...state, mode: { kind: 'help' } } };
    case 'k':
      return {
        state:
          chosen === undefined ? state : { ...state, selected: chosen, mode: { kind: 'choose signal', pid: chosen } },
      };
    default:
      return { state };
  }
}
