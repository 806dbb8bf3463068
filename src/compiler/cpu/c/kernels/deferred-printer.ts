// The C of a row's last stage that runs together with the next row's stages (kernels/deferred-plan.ts): two alternating rows of
// scratch, and names for the values of the previous row.

import type { Nest } from '../../../ir/nest.ts';
import type { Node } from '../../../ir/node.ts';
import type { DeferredStage } from '../../ir/row.ts';
import { registerType, storedExactly } from '../scalar/c-types.ts';
import type { Writer } from '../writer.ts';
import { decodeLoops } from './loops.ts';
import { atom, declare, indexText, loopName, type RandomText } from './node-text.ts';
import { sizeText } from './size-text.ts';

export class Deferred {
  readonly #nest: Nest;
  readonly #stage: DeferredStage;
  readonly #overrides: ReadonlyMap<Node, string>;
  readonly #random: RandomText;

  /** `overrides`: replacements for values of earlier stages; `scratch`: the text of a saved element. */
  constructor(
    nest: Nest,
    stage: DeferredStage,
    overrides: ReadonlyMap<Node, string>,
    scratch: (node: Node) => string,
    random: RandomText,
  ) {
    this.#nest = nest;
    this.#stage = stage;
    this.#random = random;
    const before = stage.saved.map(({ node: n }) => [n, scratch(n).replace(scratchName(n), beforeName(n))] as const);
    this.#overrides = new Map([...overrides, ...before]);
  }

  /** Before the loop over rows, which starts at `first`. */
  declare(out: Writer, first: string): void {
    for (const { node, apart } of this.#stage.saved) {
      const rows = `${scratchName(node)}_rows`;
      const c = registerType(node.type);
      out.line(
        `_Alignas(64) ${c} ${rows}[2][${apart}], *${scratchName(node)} = ${rows}[0], *${beforeName(node)} = ${rows}[0];`,
      );
    }
    for (const n of this.#stage.uniform) out.line(`${registerType(n.type)} ${valueBefore(n)} = 1;`);
    out.line(`int64_t before = ${first};`);
  }
  /** An element of the previous row, in a loop that computes one of this row. */
  beside(out: Writer): void {
    out.open('');
    this.#start(out);
    this.#element(out);
    out.close();
  }
  /** At the end of a row. */
  handOver(out: Writer): void {
    out.line('before = row;');
    for (const n of this.#stage.uniform) out.line(`${valueBefore(n)} = ${atom(n, this.#overrides)};`);
    for (const { node } of this.#stage.saved) {
      const [name, rows] = [scratchName(node), `${scratchName(node)}_rows`];
      out.line(`${beforeName(node)} = ${name};`);
      out.line(`${name} = ${name} == ${rows}[0] ? ${rows}[1] : ${rows}[0];`);
    }
  }
  /** After the loop over rows: the stage of the last row. */
  finish(out: Writer): void {
    const loop = this.#nest.inner.find(l => l.size !== 1)!;
    this.#start(out);
    out.line('#pragma omp simd');
    out.open(`for (int64_t ${loopName(loop)} = 0; ${loopName(loop)} < ${sizeText(loop.size)}; ${loopName(loop)}++)`);
    this.#element(out);
    out.close();
  }

  #start(out: Writer): void {
    decodeLoops(out, this.#nest.kept, 'before');
    for (const n of this.#stage.uniform)
      out.line(`const ${registerType(n.type)} ${atom(n, this.#overrides)} = ${valueBefore(n)};`);
  }
  #element(out: Writer): void {
    for (const n of this.#stage.nodes) if (n.kind !== 'literal') declare(out, n, this.#overrides, this.#random);
    for (const o of this.#stage.outputs)
      out.line(`p${o.slot}[${indexText(o.index)}] = ${storedExactly(o.type, atom(o.node, this.#overrides))};`);
  }
}

const scratchName = (n: Node): string => `s${n.id}`;
const beforeName = (n: Node): string => `s${n.id}_before`;
const valueBefore = (n: Node): string => `v${n.id}_before`;
