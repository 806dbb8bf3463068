// The sharding that a program states for values. It is data in the program; its text is read and written only here, as the
// attributes `sdy.sharding` and `mhlo.sharding`.
import type { DiscardableAttributes } from '../attributes.ts';
import { dialectName, readAll } from '../text/lexer.ts';
import { quoted, unquote } from '../text/strings.ts';
import { type GspmdSharding, printGspmd, readGspmd } from './gspmd.ts';
import type { Sharding } from './sharding.ts';
import { printSharding, printShardings } from './shardy-printer.ts';
import { readSharding, readShardings } from './shardy-reader.ts';

/** A sharding in a notation that is not read (a serialized protocol buffer, XLA's named axes), as the text of its attribute. */
export interface OpaqueSharding {
  /** Discriminates it from `GspmdSharding`. */
  readonly kind: 'opaque';
  /** The text of the attribute. */
  readonly text: string;
}

/** How the results of an op, or an argument or a result of a function, are sharded. Tools may state it in both notations. */
export interface StatedSharding {
  /** Along named axes, for each value: `sdy.sharding`. */
  readonly named?: readonly Sharding[];
  /** By tiles, or a tuple of them for several values: `mhlo.sharding`. */
  readonly tiled?: GspmdSharding | OpaqueSharding;
}

/** The subject of an attribute: the results of an op, or one argument or result of a function. */
type Holder = 'op' | 'value';
const [tiledName, namedName] = ['mhlo.sharding', 'sdy.sharding'] as const;

/** Attributes as fields, empty ones omitted: the sharding, and the others as text. @throws {HLO_SYNTAX} @throws {INVALID_SHARDING} */
export function withoutSharding(
  texts: DiscardableAttributes | undefined,
  holder: Holder,
): { readonly sharding?: StatedSharding; readonly discardable?: DiscardableAttributes } {
  if (texts === undefined) return {};
  const { [tiledName]: tiled, [namedName]: named, ...others } = texts;
  if (tiled === undefined && named === undefined) return { discardable: texts };
  const sharding: StatedSharding = {
    ...(named === undefined ? {} : { named: readNamed(named, holder) }),
    ...(tiled === undefined ? {} : { tiled: readTiled(tiled) }),
  };
  return Object.keys(others).length === 0 ? { sharding } : { sharding, discardable: others };
}

function readNamed(text: string, holder: Holder): readonly Sharding[] {
  return readAll(text, lexer => {
    if (holder === 'value') {
      dialectName(lexer, '#sdy.sharding');
      return [readSharding(lexer)];
    }
    dialectName(lexer, '#sdy.sharding_per_value');
    lexer.expect('<');
    const shardings = readShardings(lexer);
    lexer.expect('>');
    return shardings;
  });
}

/** XLA writes tiles, shardings over named axes as `{mesh[…]…}`, and serialized protocol buffers. */
const readTiled = (text: string): GspmdSharding | OpaqueSharding =>
  text.startsWith('"{') && !text.startsWith('"{mesh[') ? readGspmd(unquote(text)) : { kind: 'opaque', text };

/** All attributes as text. The sharding is where MLIR prints it, which sorts attributes by name. */
export function withSharding(
  { sharding, discardable }: { readonly sharding?: StatedSharding; readonly discardable?: DiscardableAttributes },
  holder: Holder,
): DiscardableAttributes | undefined {
  if (sharding === undefined) return discardable;
  const { named, tiled } = sharding;
  const entries = Object.entries(discardable ?? {});
  const insert = (name: string, text: string): void => {
    const at = entries.findIndex(([other]) => other > name);
    entries.splice(at < 0 ? entries.length : at, 0, [name, text]);
  };
  if (tiled !== undefined) insert(tiledName, tiled.kind === 'opaque' ? tiled.text : quoted(printGspmd(tiled)));
  if (named !== undefined)
    insert(
      namedName,
      holder === 'op'
        ? `#sdy.sharding_per_value<${printShardings(named)}>`
        : `#sdy.sharding${printSharding(named[0]!)}`,
    );
  return Object.fromEntries(entries);
}
