// Colors of the page. Those of series follow Okabe and Ito's, which are distinguishable with any color vision. Contrast with the
// background is at least 3:1, that of text at least 4.5:1 (WCAG AA); a test computes both.

export const themes = {
  light: {
    back: '#ffffff',
    panel: '#f5f6f8',
    text: '#1b1f24',
    quiet: '#57606a',
    rule: '#d8dee4',
    bad: '#b3261e',
    good: '#0b6e4f',
    kept: '#e3f1ea',
    series: [
      '#0067a5',
      '#c27400',
      '#00856a',
      '#c0558f',
      '#2f8fc4',
      '#cf5200',
      '#6f767d',
      '#8a7d00',
      '#4a3fb5',
      '#7a4526',
    ],
  },
  dark: {
    back: '#14171a',
    panel: '#1d2125',
    text: '#e8eaed',
    quiet: '#a3acb6',
    rule: '#363c43',
    bad: '#ff8a80',
    good: '#5fd3a6',
    kept: '#1c332b',
    series: [
      '#4da3e0',
      '#f0b94a',
      '#3cc79c',
      '#e39bc4',
      '#8fd0f5',
      '#f08a4a',
      '#a9a9a9',
      '#e6d84a',
      '#9a90f0',
      '#c79a7b',
    ],
  },
} as const;
export type Theme = (typeof themes)[keyof typeof themes];

/** More series than colors begin again; their marks have another shape then. */
export const colorOf = (series: number): number => series % themes.light.series.length;
