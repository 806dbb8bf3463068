// Compares the settings of a resumed run with the earlier ones, and finds the effect of each difference.
import { TrenioError } from '../base/errors.ts';
import { formatTable } from '../base/table.ts';
import type { RunSettings } from './run-file.ts';

/**
 * The effect of continuing with another value of a setting. `harmless`: the same bits as without the change; `changes results`:
 * the run can continue, with different results; `refused`: it cannot continue, because the training so far would become
 * meaningless.
 */
export type SettingEffect = 'harmless' | 'changes results' | 'refused';

/** A setting that differs from the resumed run's. */
export interface SettingChange {
  /** The name of the setting. */
  readonly name: string;
  /** As JSON; `not set` if there is none. */
  readonly from: string;
  /** The new value. */
  readonly to: string;
  /** The effect of the change on a resumed run. */
  readonly effect: SettingEffect;
}

/** The differences, by name. A setting without a row here changes results. */
export function settingChanges(
  before: RunSettings,
  now: RunSettings,
  effects: Readonly<Record<string, SettingEffect>>,
): readonly SettingChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.flatMap((name): SettingChange[] => {
    const [from, to] = [shown(before[name]), shown(now[name])];
    return from === to ? [] : [{ name, from, to, effect: effects[name] ?? 'changes results' }];
  });
}

/** @throws {RUN_SETTINGS_CHANGED} naming every change that is refused */
export function refuseChanges(folder: string, changes: readonly SettingChange[]): void {
  const refused = changes.filter(({ effect }) => effect === 'refused');
  if (refused.length === 0) return;
  throw new TrenioError('RUN_SETTINGS_CHANGED', {
    folder,
    changes: refused.map(({ name, from, to }) => `${name} ${from} → ${to}`),
  });
}

/**
 * One readable line per change.
 * @example
 * console.log(formatSettingChanges([{ name: 'lr', from: '0.1', to: '0.01', effect: 'changes results' }]));
 * // setting  was  is    effect
 * // ───────  ───  ────  ───────────────
 * // lr       0.1  0.01  changes results
 */
export function formatSettingChanges(changes: readonly SettingChange[]): string {
  return formatTable(
    ['setting', 'was', 'is', 'effect'].map(header => ({ header })),
    changes.map(({ name, from, to, effect }) => [name, from, to, effect]),
  );
}

const shown = (value: unknown): string => (value === undefined ? 'not set' : JSON.stringify(value));
