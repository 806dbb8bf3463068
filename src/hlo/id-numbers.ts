// Numbers of values by their ids, which are unique in a function and nearly all close together: a table is five times as fast as
// a map of the values.

const unknown = -(2 ** 31);
/** The table of one that is done: allocating it for each function would take longer than filling it. */
let spare = new Int32Array(0);

export class IdNumbers {
  readonly #table: Int32Array<ArrayBuffer>;
  readonly #size: number;
  readonly #firstId: number;
  readonly #far = new Map<number, number>();

  /** For about `count` values with ids around `middle`. */
  constructor(middle: number, count: number) {
    this.#size = 4 * count;
    this.#firstId = middle - 2 * count;
    this.#table = spare.length < this.#size ? new Int32Array(this.#size) : spare;
    spare = new Int32Array(0);
    this.#table.fill(unknown, 0, this.#size);
  }

  set(id: number, number: number): void {
    const at = id - this.#firstId;
    if (at >= 0 && at < this.#size) this.#table[at] = number;
    else this.#far.set(id, number);
  }
  get(id: number): number | undefined {
    const at = id - this.#firstId;
    const number = at >= 0 && at < this.#size ? this.#table[at]! : (this.#far.get(id) ?? unknown);
    return number === unknown ? undefined : number;
  }
  /** It will not be used any more. */
  release(): void {
    if (this.#table.length > spare.length) spare = this.#table;
  }
}
