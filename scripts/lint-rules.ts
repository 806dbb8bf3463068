// biome.json with the rule that folders import only downhill: everything but that rule is kept as it is in the file.
import { readFileSync } from 'node:fs';
import { layers } from './layers.ts';

interface Override {
  readonly includes: readonly string[];
}

const configuration = new URL('../biome.json', import.meta.url);

/** One override for each layer that has folders below it. */
function downhillRules(): readonly Override[] {
  return layers.slice(0, -1).map((layer, i) => {
    const above = i === 0 ? '' : ` and ${layers.slice(0, i).join(', ')}`;
    const options = {
      patterns: [
        {
          group: layers.slice(i + 1).map(below => `**/${below}/**`),
          message: `Data flows downhill (ARCHITECTURE.md): src/${layer} imports only from itself${above}.`,
        },
      ],
    };
    const rules = { style: { noRestrictedImports: { level: 'error', options } } };
    return { includes: [`src/${layer}/**`], linter: { rules } };
  });
}

export function lintRules(): string {
  const { overrides: _, ...rest } = JSON.parse(readFileSync(configuration, 'utf8')) as { overrides: unknown };
  return `${withShortLists(JSON.stringify({ ...rest, overrides: downhillRules() }, null, 2))}\n`;
}

/** Lists of strings on one line where they fit, as biome formats its own configuration. */
function withShortLists(json: string): string {
  return json.replace(
    /^( *)(.*)\[\n([^[\]{}]*)\n *\](,?)$/gm,
    (whole, indent: string, key: string, list: string, comma: string) => {
      const line = `${indent}${key}[${list.trim().replace(/\s*\n\s*/g, ' ')}]${comma}`;
      return line.length <= 120 ? line : whole;
    },
  );
}
