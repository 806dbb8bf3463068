// Generates the rule in biome.json that folders import only downhill; the rest of the file is kept unchanged.
import { readFileSync } from 'node:fs';
import { layers, rooms } from './layers.ts';

interface Override {
  readonly includes: readonly string[];
  readonly linter: unknown;
}

const configuration = new URL('../biome.json', import.meta.url);

const downhill = 'Data flows downhill (ARCHITECTURE.md)';

/** One override for each layer that has folders below it, then one for each of its subfolders, which replaces the layer's. */
function downhillRules(): readonly Override[] {
  return layers.flatMap((layer, i) => {
    const below = layers.slice(i + 1);
    const above = i === 0 ? '' : ` and ${layers.slice(0, i).join(', ')}`;
    const ofLayer = override([`src/${layer}/**`], below, `${downhill}: src/${layer} imports only from itself${above}.`);
    const order = rooms[layer] ?? [];
    const ofRooms = order
      .slice(0, -1)
      .map((room, k) =>
        override(
          [`src/${layer}/${room}/**`, '!**/*.test.ts', '!**/*.testing.ts'],
          [...below, ...order.slice(k + 1)],
          `${downhill}: src/${layer}/${room} imports only from rooms above it (scripts/layers.ts) and from layers above src/${layer}.`,
        ),
      );
    return below.length === 0 ? ofRooms : [ofLayer, ...ofRooms];
  });
}

function override(includes: readonly string[], folders: readonly string[], message: string): Override {
  const options = { patterns: [{ group: folders.map(folder => `**/${folder}/**`), message }] };
  return { includes, linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } } };
}

export function lintRules(): string {
  const { overrides: _, ...rest } = JSON.parse(readFileSync(configuration, 'utf8')) as { overrides: unknown };
  return `${withShortLists(JSON.stringify({ ...rest, overrides: downhillRules() }, null, 2))}\n`;
}

/** Puts lists of strings on one line if they fit, as biome formats its configuration. */
function withShortLists(json: string): string {
  return json.replace(
    /^( *)(.*)\[\n([^[\]{}]*)\n *\](,?)$/gm,
    (whole, indent: string, key: string, list: string, comma: string) => {
      const line = `${indent}${key}[${list.trim().replace(/\s*\n\s*/g, ' ')}]${comma}`;
      return line.length <= 120 ? line : whole;
    },
  );
}
