// Reachability between the nodes of a graph, kept up to date while nodes are merged: it shows whether fusing two kernels would
// create a cycle. One row of bits per node.

export class Reach {
  readonly #rows: Uint32Array[] = [];
  readonly #words: number;

  constructor(maxNodes: number) {
    this.#words = Math.ceil((maxNodes + 1) / 32);
  }

  /** A node from which the consumers, and all that they reach, can be reached. */
  add(consumers: Iterable<number>): number {
    const row = new Uint32Array(this.#words);
    for (const c of consumers) this.#include(row, c);
    this.#rows.push(row);
    return this.#rows.length - 1;
  }
  #include(row: Uint32Array, node: number): void {
    const from = this.#rows[node]!;
    for (let w = 0; w < row.length; w++) row[w]! |= from[w]!;
    row[node >> 5]! |= 1 << (node & 31);
  }

  reaches(from: number, to: number): boolean {
    return (this.#rows[from]![to >> 5]! & (1 << (to & 31))) !== 0;
  }

  /** Records that `node` also feeds the consumers, as does everything that reaches it. */
  connect(node: number, consumers: Iterable<number>): void {
    const row = this.#rows[node]!;
    const before = row.slice();
    for (const c of consumers) if (c !== node) this.#include(row, c);
    if (row.every((w, i) => w === before[i])) return;
    for (let x = 0; x < this.#rows.length; x++)
      if (x !== node && this.reaches(x, node)) this.#include(this.#rows[x]!, node);
  }

  /** Merges two nodes that do not reach each other: `kept` gets the successors and predecessors of `gone`. */
  merge(kept: number, gone: number): void {
    const goneRow = this.#rows[gone]!;
    const row = this.#rows[kept]!;
    for (let w = 0; w < row.length; w++) row[w]! |= goneRow[w]!;
    for (let x = 0; x < this.#rows.length; x++) {
      if (x !== kept && x !== gone && (this.reaches(x, gone) || this.reaches(x, kept)))
        this.#include(this.#rows[x]!, kept);
    }
  }
}
