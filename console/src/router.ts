// The current page: the path and the parameters of the address.
import { computed, signal } from '@preact/signals';

export const BASE = '/_console';

const location = signal(read());

function read(): { readonly path: string; readonly query: URLSearchParams } {
  const path = window.location.pathname.slice(BASE.length).replace(/\/+$/, '');
  return { path: path === '' ? '/' : path, query: new URLSearchParams(window.location.search) };
}

export const path = computed(() => location.value.path);
export const query = computed(() => location.value.query);

export const href = (to: string): string => BASE + to;

export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', href(to));
  const before = location.value.path;
  location.value = read();
  if (location.value.path !== before) {
    window.scrollTo(0, 0);
    // Screen readers read out the title, and keyboard navigation continues from there.
    queueMicrotask(() => document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true }));
  }
}

/** Changes parameters without a new history entry: addresses with filters and tabs can be shared, and Back skips them. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const next = new URLSearchParams(location.value.query);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  const text = next.toString();
  go(location.value.path + (text === '' ? '' : `?${text}`), 'replace');
}

export function startRouter(): void {
  window.addEventListener('popstate', () => {
    location.value = read();
  });
  document.addEventListener('click', event => {
    const link = (event.target as Element).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return;
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const to = new URL(link.href);
    if (to.origin !== window.location.origin || !to.pathname.startsWith(BASE) || to.pathname.startsWith(`${BASE}/api/`))
      return;
    event.preventDefault();
    go(to.pathname.slice(BASE.length) + to.search);
  });
}
