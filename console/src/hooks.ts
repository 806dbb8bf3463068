// Component state that depends on the server or on time.

import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { serverNow } from './api.ts';

export interface Loaded<T> {
  /** Undefined until the first response. The last one is kept while a newer one is loading. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** The resolved value of `load`; it is called again whenever a dependency changes. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data: T | undefined; error: unknown; isLoading: boolean }>({
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setState(before => ({ ...before, isLoading: true }));
    load(abort.signal).then(
      data => {
        if (!abort.signal.aborted) setState({ data, error: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState(before => ({ ...before, error, isLoading: false }));
      },
    );
    return () => abort.abort();
  }, [...dependencies, round]);
  return { ...state, reload: () => setRound(before => before + 1) };
}

/** Like `useLoaded`, repeated at an interval while the page is visible. */
export function usePolled<T>(
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number,
  dependencies: readonly unknown[],
): Loaded<T> {
  const loaded = useLoaded(load, dependencies);
  const reload = useRef(loaded.reload);
  reload.current = loaded.reload;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return loaded;
}

/** The server's time, updated at an interval while `isMoving` is true. */
export function useNow(everyMs: number, isMoving = true): number {
  const [now, setNow] = useState(serverNow());
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isMoving]);
  return now;
}

/** Calls `action` at most this often, and once more at the end. */
export function useThrottled(action: () => void, everyMs: number): () => void {
  const state = useRef<{ timer: number | undefined; lastMs: number }>({ timer: undefined, lastMs: 0 });
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => () => window.clearTimeout(state.current.timer), []);
  return useMemo(
    () => () => {
      if (state.current.timer !== undefined) return;
      const wait = Math.max(0, state.current.lastMs + everyMs - performance.now());
      state.current.timer = window.setTimeout(() => {
        state.current = { timer: undefined, lastMs: performance.now() };
        latest.current();
      }, wait);
    },
    [everyMs],
  );
}

export interface VirtualRows {
  readonly ref: { current: HTMLDivElement | null };
  readonly height: number;
  readonly rows: readonly { readonly index: number; readonly start: number }[];
  readonly scrollTo: (index: number) => void;
}

/** The visible rows of a list, which all have the same height. */
export function useVirtual(count: number, rowHeight: number, headHeight = 0): VirtualRows {
  const ref = useRef<HTMLDivElement>(null);
  const [, setTick] = useState(0);
  const virtualizer = useMemo(
    () =>
      new Virtualizer<HTMLDivElement, HTMLDivElement>({
        count,
        getScrollElement: () => ref.current,
        estimateSize: () => rowHeight,
        scrollPaddingStart: headHeight,
        overscan: 4,
        scrollToFn: elementScroll,
        observeElementRect,
        observeElementOffset,
        onChange: () => setTick(tick => tick + 1),
      }),
    [rowHeight, headHeight],
  );
  virtualizer.setOptions({ ...virtualizer.options, count });
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useEffect(() => virtualizer._willUpdate());
  return {
    ref,
    height: virtualizer.getTotalSize(),
    rows: virtualizer.getVirtualItems(),
    scrollTo: index => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}

const SETTLE_MS = 250;

/** The value, once it has stood still for a moment: a slider that moves asks for no plan. */
export function useSettled<T>(now: T): T {
  const [settled, setSettled] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(now), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return settled;
}
