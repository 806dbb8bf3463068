// The table of reserved instances, in SQLite. The check that a block fits and its insertion are one transaction: capacity is
// never sold twice, even by two processes.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { onDisk } from '../../base/output-files.ts';
import type { PriceFact } from '../../hardware/index.ts';
import { firstFit, peakReserved } from './calendar.ts';
import {
  type BlockPurpose,
  blockDays,
  blockSizes,
  type CapacityBlock,
  DAY_MS,
  EXTENSION_CLOSES_MS,
  EXTENSION_OPENS_MS,
  feeOf,
  HOUR_MS,
  hourlyPrice,
  MAX_WEEKS_AHEAD,
} from './capacity-block.ts';
import {
  type BlockOffering,
  blockOfferingId,
  type ExtensionOffering,
  extensionOfferingId,
  OFFERING_OPEN_MS,
  readBlockOfferingId,
  readExtensionOfferingId,
} from './offering.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS capacity_blocks (
    id TEXT PRIMARY KEY, purpose TEXT NOT NULL, name TEXT NOT NULL, instance_type TEXT NOT NULL,
    start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL, block TEXT NOT NULL, UNIQUE (purpose, name)) STRICT;
  CREATE INDEX IF NOT EXISTS capacity_blocks_of_type ON capacity_blocks (instance_type, end_ms);
`;

const MINUTE_MS = 60_000;
// Blocks that do not start at once start at 11:30 UTC, as EC2's do.
const DAILY_START_MS = 11.5 * HOUR_MS;
const OFFERED_STARTS = 3;

export interface CapacityStoreOptions {
  readonly folder: string;
  /** How many instances of a type can be reserved at the same time. */
  readonly limitOf: (instanceType: string) => number;
  /** The service whose on-demand price is charged if capacity blocks have no price. */
  readonly service: PriceFact['service'];
  readonly zone: string;
  readonly now: () => number;
}

export interface BlockSearch {
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly durationMs: number;
  readonly startAfterMs: number | undefined;
  readonly endBeforeMs: number | undefined;
}

/** Why a purchase was refused. */
export type Refusal = 'unknown offering' | 'offering is over' | 'no capacity' | 'name exists' | 'not extendable';

/** The terms of a purchase of an offering. */
export interface Purchase {
  readonly purpose: BlockPurpose;
  /** Undefined: the id. */
  readonly name: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

export class CapacityStore {
  readonly #database: Database;
  readonly #options: CapacityStoreOptions;

  constructor(options: CapacityStoreOptions) {
    onDisk(options.folder, () => makeFolder(options.folder, 0o700));
    this.#options = options;
    this.#database = new Database(join(options.folder, 'capacity.sqlite'), SCHEMA, 'FULL');
  }

  close(): void {
    this.#database.close();
  }

  /** The Availability Zone of all blocks. */
  get zone(): string {
    return this.#options.zone;
  }

  get(id: string): CapacityBlock | undefined {
    const row = this.#database.prepare('SELECT block FROM capacity_blocks WHERE id = ?').get(id);
    return row && blockOf(row);
  }

  /** By its name, in any case: names in ARNs are lower-cased. */
  named(purpose: BlockPurpose, name: string): CapacityBlock | undefined {
    const row = this.#database
      .prepare('SELECT block FROM capacity_blocks WHERE purpose = ? AND name = ? COLLATE NOCASE')
      .get(purpose, name);
    return row && blockOf(row);
  }

  /** All blocks, or those of one purpose, by their start. */
  list(purpose?: BlockPurpose): readonly CapacityBlock[] {
    return this.#database
      .prepare('SELECT block FROM capacity_blocks WHERE purpose = ifnull(?, purpose) ORDER BY start_ms, rowid')
      .all(purpose ?? null)
      .map(blockOf);
  }

  /** The maximum number of instances of a type that are reserved at the same time in a period. */
  reserved(instanceType: string, startMs: number, endMs: number): number {
    return peakReserved(this.#ofType(instanceType, startMs), startMs, endMs);
  }

  /** Up to three offerings: at the first start that fits, and on the next days. None for types that are not for sale. */
  search({
    instanceType,
    instanceCount,
    durationMs,
    startAfterMs,
    endBeforeMs,
  }: BlockSearch): readonly BlockOffering[] {
    const { limitOf, now, service } = this.#options;
    const price = hourlyPrice(instanceType, service);
    if (price === undefined || !isSold(instanceCount, durationMs)) return [];
    const nowMs = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    const from = Math.max(nowMs, startAfterMs ?? nowMs);
    const blocks = this.#ofType(instanceType, from);
    const dailyStart = Math.ceil((from - DAILY_START_MS) / DAY_MS) * DAY_MS + DAILY_START_MS;
    const starts = [
      // Immediately, if requested.
      ...(from === nowMs ? [nowMs] : []),
      ...Array.from({ length: MAX_WEEKS_AHEAD * 7 + 1 }, (_, day) => dailyStart + day * DAY_MS),
    ].filter(
      start => start <= nowMs + MAX_WEEKS_AHEAD * 7 * DAY_MS && start + durationMs <= (endBeforeMs ?? Number.MAX_VALUE),
    );
    const offered: BlockOffering[] = [];
    let remaining: readonly number[] = starts;
    while (offered.length < OFFERED_STARTS) {
      const startMs = firstFit(blocks, remaining, instanceCount, durationMs, limitOf(instanceType));
      if (startMs === undefined) break;
      const endMs = startMs + durationMs;
      offered.push({
        id: blockOfferingId({ type: instanceType, count: instanceCount, start: startMs, end: endMs }),
        instanceType,
        instanceCount,
        startMs,
        endMs,
        fee: feeOf(price, instanceCount, durationMs),
      });
      remaining = remaining.filter(start => start > startMs);
    }
    return offered;
  }

  buy(offeringId: string, { purpose, name, tags }: Purchase): CapacityBlock | Refusal {
    const terms = readBlockOfferingId(offeringId);
    const price = terms && hourlyPrice(terms.type, this.#options.service);
    if (terms === undefined || price === undefined || !isSold(terms.count, terms.end - terms.start))
      return 'unknown offering';
    return this.#database.transaction(() => {
      const nowMs = this.#options.now();
      if (terms.start < nowMs - OFFERING_OPEN_MS) return 'offering is over';
      if (terms.start > nowMs + MAX_WEEKS_AHEAD * 7 * DAY_MS) return 'unknown offering';
      if (name !== undefined && this.named(purpose, name) !== undefined) return 'name exists';
      if (!this.#isFree(terms.type, terms.count, terms.start, terms.end)) return 'no capacity';
      const id = randomBytes(9).toString('hex').slice(1);
      const block: CapacityBlock = {
        id,
        purpose,
        name: name ?? id,
        instanceType: terms.type,
        instanceCount: terms.count,
        zone: this.#options.zone,
        startMs: terms.start,
        endMs: terms.end,
        createdMs: nowMs,
        fee: feeOf(price, terms.count, terms.end - terms.start),
        extensions: [],
        tags,
      };
      this.#database
        .prepare(
          'INSERT INTO capacity_blocks (id, purpose, name, instance_type, start_ms, end_ms, block) VALUES (?, ?, ?, ?, ?, ?, ?)',
        )
        .run(id, purpose, block.name, block.instanceType, block.startMs, block.endMs, JSON.stringify(block));
      return block;
    });
  }

  /** The extension of a block by a length; undefined if it cannot be extended by that. */
  extension(id: string, durationMs: number): ExtensionOffering | undefined {
    const block = this.get(id);
    if (block === undefined || !this.#mayExtend(block, block.endMs + durationMs)) return undefined;
    const [startMs, endMs] = [block.endMs, block.endMs + durationMs];
    return {
      id: extensionOfferingId({ block: id, start: startMs, end: endMs }),
      blockId: id,
      startMs,
      endMs,
      fee: this.#extensionFee(block, durationMs),
    };
  }

  /** Extends the block that the offering is for. */
  extend(offeringId: string): CapacityBlock | Refusal {
    const terms = readExtensionOfferingId(offeringId);
    if (terms === undefined) return 'unknown offering';
    return this.#database.transaction(() => {
      const block = this.get(terms.block);
      if (block === undefined) return 'unknown offering';
      if (terms.start !== block.endMs) return 'offering is over';
      if (!isSold(block.instanceCount, terms.end - terms.start)) return 'unknown offering';
      if (!this.#isOpen(block)) return 'not extendable';
      if (!this.#mayExtend(block, terms.end)) return 'no capacity';
      const extended: CapacityBlock = {
        ...block,
        endMs: terms.end,
        extensions: [
          ...block.extensions,
          {
            offeringId,
            purchasedMs: this.#options.now(),
            startMs: terms.start,
            endMs: terms.end,
            fee: this.#extensionFee(block, terms.end - terms.start),
          },
        ],
      };
      this.#write(extended);
      return extended;
    });
  }

  setTags(id: string, change: (tags: CapacityBlock['tags']) => CapacityBlock['tags']): void {
    this.#database.transaction(() => {
      const block = this.get(id);
      if (block !== undefined) this.#write({ ...block, tags: change(block.tags) });
    });
  }

  #extensionFee({ instanceType, instanceCount }: CapacityBlock, durationMs: number) {
    return feeOf(hourlyPrice(instanceType, this.#options.service)!, instanceCount, durationMs);
  }

  #isOpen({ endMs }: CapacityBlock): boolean {
    const left = endMs - this.#options.now();
    return left >= EXTENSION_CLOSES_MS && left <= EXTENSION_OPENS_MS;
  }

  #mayExtend(block: CapacityBlock, endMs: number): boolean {
    const { instanceType, instanceCount, endMs: startMs } = block;
    return (
      this.#isOpen(block) &&
      isSold(instanceCount, endMs - startMs) &&
      hourlyPrice(instanceType, this.#options.service) !== undefined &&
      this.#isFree(instanceType, instanceCount, startMs, endMs)
    );
  }

  #isFree(instanceType: string, count: number, startMs: number, endMs: number): boolean {
    return this.reserved(instanceType, startMs, endMs) + count <= this.#options.limitOf(instanceType);
  }

  /** The blocks of a type that end after that time. */
  #ofType(instanceType: string, afterMs: number): readonly CapacityBlock[] {
    return this.#database
      .prepare('SELECT block FROM capacity_blocks WHERE instance_type = ? AND end_ms > ?')
      .all(instanceType, afterMs)
      .map(blockOf);
  }

  #write(block: CapacityBlock): void {
    this.#database
      .prepare('UPDATE capacity_blocks SET end_ms = ?, block = ? WHERE id = ?')
      .run(block.endMs, JSON.stringify(block), block.id);
  }
}

const isSold = (count: number, durationMs: number): boolean =>
  blockSizes.includes(count) && blockDays.includes(durationMs / DAY_MS);

const blockOf = (row: Readonly<Record<string, unknown>>): CapacityBlock =>
  JSON.parse(row.block as string) as CapacityBlock;
