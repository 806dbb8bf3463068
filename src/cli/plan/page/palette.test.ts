import { describe, expect, test } from 'vitest';
import { themes } from './palette.ts';

const luminance = (color: string): number => {
  const [r, g, b] = [1, 3, 5].map(at => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
};
const contrast = (a: string, b: string): number => {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
};

describe.each(Object.entries(themes))('contrast of the %s page', (_, theme) => {
  const { text, quiet, bad, good, series } = theme;
  test.each([theme.back, theme.panel, theme.kept])('on %s', behind => {
    for (const color of [text, quiet, bad, good]) expect(contrast(color, behind)).toBeGreaterThanOrEqual(4.5);
    for (const color of series) expect(contrast(color, behind)).toBeGreaterThanOrEqual(3);
  });
});
