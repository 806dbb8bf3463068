// GSPMD shardings, in `mhlo.sharding` and custom calls to @Sharding: tiles instead of named axes.
//
//   {replicated}  {manual}  {unknown}  {maximal device=3}  {{replicated}, {devices=[2]<=[2]}}     (the last of a tuple)
//   {devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}
//
// Meaning: the devices are numbered 0 … 7, reshaped to [4, 2], transposed by (1, 0), and assigned to tiles of [2, 1, 4]: dim 0 is
// split in 2, dim 1 is not split, and the last tile dim, which is not a dim of the tensor, has 4 copies. Source: XLA's
// HloSharding.
import { TrenioError } from '../../base/errors.ts';
import { elementCount, stridesOf } from '../types.ts';

/** The meaning of the last dims of a tiling, besides parts of the tensor. */
export const tileKinds = ['replicated', 'manual', 'unreduced'] as const;
/** The meaning of a tile dim that is not a dim of the tensor. */
export type TileKind = (typeof tileKinds)[number];

/** A sharding by tiles and devices, as in `mhlo.sharding`. */
export type GspmdSharding = Tiling & {
  /** Annotations of tools behind it, which do not change the layout: `metadata={…}`, `shard_as 3`, `shard_like 3`. */
  readonly annotations?: string;
};
/** The layout of a sharding by tiles. */
export type Tiling =
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'replicated' | 'manual' | 'unknown';
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'maximal';
      /** The device that holds everything. */
      readonly device: number;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'tiled';
      /** The number of parts of each dim of the tensor, then the size of each tile dim in `lastTileDims`. */
      readonly tiles: readonly number[];
      /** The device of each tile. */
      readonly devices: TileDevices;
      /** The meaning of the last tile dims, which are not dims of the tensor. */
      readonly lastTileDims: readonly TileKind[];
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'tuple';
      /** The elements. */
      readonly elements: readonly GspmdSharding[];
    };

/** The device of each tile, row-major: a list, or 0, 1, 2, … reshaped and transposed. */
export type TileDevices =
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'list';
      /** The ids. */
      readonly ids: readonly number[];
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'iota';
      /** The sizes of the dims, outermost first. */
      readonly shape: readonly number[];
      /** The order of the dims. */
      readonly permutation: readonly number[];
    };

/** Tuples may be nested this deep. */
const maxDepth = 32;

/**
 * Reads a sharding in the notation of GSPMD.
 * @throws {INVALID_SHARDING} if the text is not a sharding
 * @example
 * hlo.sharding.readGspmd('{replicated}').kind // 'replicated'
 */
export function readGspmd(text: string): GspmdSharding {
  const reader = new GspmdReader(text);
  const sharding = reader.sharding(0);
  reader.end();
  return sharding;
}

class GspmdReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  sharding(depth: number): GspmdSharding {
    if (depth > maxDepth) this.#fail(`at most ${maxDepth} levels of tuples`);
    this.#expect('{');
    if (this.#peek() === '{' || this.#peek() === '}') {
      const elements: GspmdSharding[] = [];
      if (this.#peek() !== '}') {
        do elements.push(this.sharding(depth + 1));
        while (this.#take(','));
      }
      this.#expect('}');
      return { kind: 'tuple', elements };
    }
    const word = this.#word();
    const tiling = this.#named(word);
    const annotations = this.#annotations();
    this.#expect('}');
    return annotations === '' ? tiling : { ...tiling, annotations };
  }

  #named(word: string): Tiling {
    switch (word) {
      case 'replicated':
      case 'manual':
      case 'unknown':
        return { kind: word };
      case 'maximal':
        if (this.#word() !== 'device') this.#fail("'device='");
        this.#expect('=');
        return { kind: 'maximal', device: this.#integer() };
      case 'devices':
        this.#expect('=');
        return this.#tiled();
      default:
        return this.#fail("'replicated', 'manual', 'unknown', 'maximal' or 'devices'");
    }
  }

  #tiled(): Tiling {
    const tiles = this.#integers('[', ']');
    const devices = this.#devices();
    const lastTileDims: TileKind[] = [];
    if (this.#takeWord('last_tile_dim_replicate')) lastTileDims.push('replicated');
    else if (this.#takeWord('last_tile_dims')) {
      this.#expect('=');
      this.#expect('{');
      do {
        const kind = this.#word();
        lastTileDims.push(tileKinds.find(k => k === kind) ?? this.#fail(tileKinds.join(', ')));
      } while (this.#take(','));
      this.#expect('}');
    }
    const count = elementCount(tiles);
    const known = devices.kind === 'list' ? devices.ids.length : elementCount(devices.shape);
    if (tiles.some(size => size < 1)) this.#refuse('a tile is empty');
    if (known !== count) this.#refuse(`${count} tiles have ${known} devices`);
    if (lastTileDims.length > tiles.length) this.#refuse('more last_tile_dims are given than tile dims exist');
    return { kind: 'tiled', tiles, devices, lastTileDims };
  }

  #devices(): TileDevices {
    if (!this.#take('<')) {
      const ids = [this.#integer()];
      while (this.#take(',')) ids.push(this.#integer());
      if (new Set(ids).size !== ids.length) this.#refuse('a device occurs twice');
      return { kind: 'list', ids };
    }
    this.#expect('=');
    const shape = this.#integers('[', ']');
    const permutation = this.#take('T') ? this.#integers('(', ')') : shape.map((_, i) => i);
    const isPermutation = permutation.length === shape.length && shape.every((_, i) => permutation.includes(i));
    if (!isPermutation) this.#refuse(`T(${permutation.join(',')}) is not a permutation of ${shape.length} dims`);
    return { kind: 'iota', shape, permutation };
  }

  #annotations(): string {
    this.#peek();
    const start = this.#at;
    for (;;) {
      if (this.#takeWord('metadata')) {
        this.#expect('=');
        const close = this.#text.indexOf('}', this.#at);
        if (this.#peek() !== '{' || close < 0) this.#fail("'{…}'");
        this.#at = close + 1;
      } else if (this.#takeWord('shard_as') || this.#takeWord('shard_like')) this.#integer();
      else return this.#text.slice(start, this.#at).trimEnd();
    }
  }

  end(): void {
    if (this.#peek() !== '') this.#fail('the end');
  }

  #peek(): string {
    while (this.#text[this.#at] === ' ') this.#at++;
    return this.#text[this.#at] ?? '';
  }
  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }
  #expect(char: string): void {
    if (!this.#take(char)) this.#fail(`'${char}'`);
  }
  #takeWord(word: string): boolean {
    const start = this.#at;
    this.#peek();
    if (/^[a-z_]+/.exec(this.#text.slice(this.#at, this.#at + 40))?.[0] === word) {
      this.#at += word.length;
      return true;
    }
    this.#at = start;
    return false;
  }
  #word(): string {
    this.#peek();
    const word = /^[a-z_]+/.exec(this.#text.slice(this.#at, this.#at + 40))?.[0] ?? this.#fail('a word');
    this.#at += word.length;
    return word;
  }
  #integer(): number {
    this.#peek();
    const digits = /^\d{1,9}(?!\d)/.exec(this.#text.slice(this.#at, this.#at + 10))?.[0] ?? this.#fail('a number');
    this.#at += digits.length;
    return Number(digits);
  }
  #integers(open: string, close: string): readonly number[] {
    this.#expect(open);
    const values: number[] = [];
    if (this.#take(close)) return values;
    do values.push(this.#integer());
    while (this.#take(','));
    this.#expect(close);
    return values;
  }

  #fail(expected: string): never {
    const found = this.#text.slice(this.#at, this.#at + 20);
    return this.#refuse(`expected ${expected} at character ${this.#at + 1}, found '${found}'`);
  }
  #refuse(detail: string): never {
    throw new TrenioError('INVALID_SHARDING', { sharding: this.#text.slice(0, 200), detail });
  }
}

/**
 * A sharding as in `mhlo.sharding`: `{devices=[2,1]<=[2]}`.
 * @example
 * hlo.sharding.printGspmd(hlo.sharding.readGspmd('{devices=[2,1]<=[2]}')) // '{devices=[2,1]<=[2]}'
 */
export function printGspmd(sharding: GspmdSharding): string {
  const last = sharding.annotations === undefined ? '' : ` ${sharding.annotations}`;
  return `{${printTiling(sharding)}${last}}`;
}
function printTiling(sharding: GspmdSharding): string {
  switch (sharding.kind) {
    case 'maximal':
      return `maximal device=${sharding.device}`;
    case 'tuple':
      return sharding.elements.map(printGspmd).join(', ');
    case 'tiled': {
      const { tiles, devices, lastTileDims } = sharding;
      const only = lastTileDims.length === 1 && lastTileDims[0] === 'replicated';
      const last =
        lastTileDims.length === 0
          ? ''
          : only
            ? ' last_tile_dim_replicate'
            : ` last_tile_dims={${lastTileDims.join(', ')}}`;
      return `devices=[${tiles.join(',')}]${printDevices(devices)}${last}`;
    }
    default:
      return sharding.kind;
  }
}

function printDevices(devices: TileDevices): string {
  if (devices.kind === 'list') return devices.ids.join(',');
  const { shape, permutation } = devices;
  const isIdentity = permutation.every((p, i) => p === i);
  return `<=[${shape.join(',')}]${isIdentity ? '' : `T(${permutation.join(',')})`}`;
}

/**
 * The device of each tile, row-major over `tiles`.
 * @example
 * hlo.sharding.tileDevices({ kind: 'list', ids: [1, 0] }) // [1, 0]
 */
export function tileDevices(devices: TileDevices): readonly number[] {
  if (devices.kind === 'list') return devices.ids;
  const { shape, permutation } = devices;
  const strides = stridesOf(shape);
  return permutation.reduce<readonly number[]>(
    (ids, dim) => ids.flatMap(id => Array.from({ length: shape[dim]! }, (_, k) => id + k * strides[dim]!)),
    [0],
  );
}
