// Keyboard shortcuts: two keys open a page; single keys are defined by the current page. Ignored while the user types.
import { signal } from '@preact/signals';
import { go } from './router.ts';

export const helpShown = signal(false);

/** `g` and then this key. */
export const jumps = {
  o: { to: '/', name: 'Overview' },
  j: { to: '/jobs', name: 'Jobs' },
  c: { to: '/compare', name: 'Compare' },
  t: { to: '/tuning', name: 'Tuning' },
  e: { to: '/endpoints', name: 'Endpoints' },
  p: { to: '/plan', name: 'Plan' },
  a: { to: '/capacity', name: 'Capacity' },
  h: { to: '/hardware', name: 'Hardware' },
  k: { to: '/access', name: 'Access: keys and audit log' },
} as const;

export type Keys = Readonly<Record<string, () => void>>;
const stack: Keys[] = [];

/** Defines shortcuts until the returned function is called. */
export function bindKeys(keys: Keys): () => void {
  stack.push(keys);
  return () => {
    const at = stack.lastIndexOf(keys);
    if (at >= 0) stack.splice(at, 1);
  };
}

const JUMP_MS = 1200;
let jumpUntilMs = 0;

export function startKeyboard(): void {
  document.addEventListener('keydown', event => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const isTyping = target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName);
    if (event.key === 'Escape' && isTyping) return target.blur();
    const isCheckbox = target instanceof HTMLInputElement && target.type === 'checkbox';
    if ((isTyping && !isCheckbox) || document.querySelector('dialog[open]') !== null) return;
    const run = (action: () => void): void => {
      event.preventDefault();
      action();
    };
    if (performance.now() < jumpUntilMs) {
      jumpUntilMs = 0;
      const jump = jumps[event.key as keyof typeof jumps];
      if (jump !== undefined) return run(() => go(jump.to));
    }
    if (event.key === 'g') {
      jumpUntilMs = performance.now() + JUMP_MS;
      return;
    }
    if (event.key === '?') return run(() => (helpShown.value = true));
    if (event.key === '/') return run(() => document.querySelector<HTMLInputElement>('input[type="search"]')?.focus());
    const action = stack.findLast(keys => keys[event.key] !== undefined)?.[event.key];
    if (action !== undefined) run(action);
  });
}
