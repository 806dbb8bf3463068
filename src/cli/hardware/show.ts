// `trenio hardware show NAME`: prints every fact about one machine or chip, as a table or as JSON.
import { type MicroUsd, toDollars } from '../../base/money.ts';
import { formatTable } from '../../base/table.ts';
import { type Alternative, type Fact, factUnder } from '../../hardware/fact.ts';
import type { FactProfile } from '../../hardware/machine.ts';
import type { CliContext } from '../command/command.ts';
import { formatPath, formatValue } from './fact-text.ts';
import { findHardware, type Named } from './find-hardware.ts';
import { profileNamed, type ShowInput } from './hardware-options.ts';
import { machineJson } from './machine-json.ts';

/**
 * @throws {UNKNOWN_MACHINE} with the nearest names
 * @throws {BAD_ARGUMENT}
 * @throws {CALIBRATION_UNUSABLE} for this machine
 */
export async function showHardware(
  { options, positionals }: ShowInput,
  { stdout, environment }: Pick<CliContext, 'stdout' | 'environment'>,
): Promise<number> {
  const profile = profileNamed('hardware show', options.profile);
  const named = findHardware(positionals[0]!, profile, environment);
  stdout.write(options.json ? `${JSON.stringify(toJson(named, profile))}\n` : `${describe(named, profile)}\n`);
  return 0;
}

function describe(named: Named, profile: FactProfile): string {
  // Many figures come from one page: pages are numbered and listed once, below.
  const pages: string[] = [];
  const numberOf = (source: string): string => {
    if (!pages.includes(source)) pages.push(source);
    return `[${pages.indexOf(source) + 1}]`;
  };
  const rows = named.facts.flatMap(({ path, fact }) => {
    const shown = factUnder(fact, profile);
    const text = `${formatValue(shown.value, fact.unit)}${shown.uncertain ? ' ?' : ''}`;
    return [
      [formatPath(path), text, [numberOf(shown.source), shown.note].filter(part => part !== undefined).join(' ')],
      ...othersOf(fact, profile).map(a => ['', `or ${formatValue(a.value, fact.unit)}`, a.note]),
    ];
  });
  const hasNoPrice = named.kind === 'machine' && !named.facts.some(({ path }) => path[0] === 'price');
  return [
    `${named.name}: ${named.title}`,
    '',
    formatTable([{ header: 'figure' }, { header: 'value' }, { header: 'source' }], rows),
    ...(hasNoPrice ? ['', 'no public price'] : []),
    '',
    ...pages.map((page, i) => `[${i + 1}] ${page}`),
  ].join('\n');
}

/** Values from other documents; if the launch figure is shown, today's figure is one of them. */
function othersOf(fact: Fact<unknown>, profile: FactProfile): readonly Alternative<unknown>[] {
  const shown = factUnder(fact, profile);
  return [
    ...(shown === fact ? [] : [{ value: fact.value, note: fact.source }]),
    ...(fact.alternatives ?? []).filter(a => shown === fact || a.profile !== profile),
  ];
}

function toJson(named: Named, profile: FactProfile): object {
  const value = (v: unknown, unit: string | undefined): unknown => (unit === '$/h' ? toDollars(v as MicroUsd) : v);
  return {
    kind: named.kind,
    name: named.name,
    profile,
    facts: named.facts.map(({ path, fact }) => {
      const { unit } = fact;
      const shown = factUnder(fact, profile);
      return {
        path,
        value: value(shown.value, unit),
        unit: unit ?? null,
        source: shown.source,
        note: shown.note ?? null,
        uncertain: shown.uncertain ?? false,
        alternatives: othersOf(fact, profile).map(a => ({ value: value(a.value, unit), note: a.note })),
      };
    }),
    ...(named.machine ? { machine: machineJson(named.machine) } : {}),
  };
}
