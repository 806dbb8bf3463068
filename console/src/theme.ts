// The dark or light theme: the system's setting, unless the user chooses one.
import { computed, signal } from '@preact/signals';

const KEY = 'trenio-theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(system.matches);
const chosen = signal(localStorage.getItem(KEY));

export const theme = computed<'light' | 'dark'>(() =>
  chosen.value === 'light' || chosen.value === 'dark' ? chosen.value : systemDark.value ? 'dark' : 'light',
);

export function startTheme(): void {
  system.addEventListener('change', () => {
    systemDark.value = system.matches;
  });
  theme.subscribe(value => {
    document.documentElement.dataset.theme = value;
  });
}

export function switchTheme(): void {
  const next = theme.value === 'dark' ? 'light' : 'dark';
  chosen.value = next;
  localStorage.setItem(KEY, next);
}

/** A color of the theme, for canvases. */
export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
/** The color of the n-th series. */
export const seriesColor = (index: number): string => color(`c${(index % 8) + 1}`);
