// Writes ops and regions as text: each in its short form if it has one that can express it, otherwise in the generic form.
import type { Op, Region, Value } from '../program.ts';
import { withSharding } from '../sharding/stated.ts';
import { formatType } from '../types.ts';
import type { FormWriter } from './form-text.ts';
import { textOfName } from './op-names.ts';
import { entriesOf, entry, type OpText } from './op-text.ts';
import { opTexts } from './op-texts.ts';
import { formatTypes, functionType } from './signature.ts';
import { quoted } from './strings.ts';

/** The forms of MLIR text: the short ones of ops, or the generic one. */
export type PrintedForm = 'pretty' | 'generic';
const nothing: ReadonlySet<string> = new Set();

/** Names values: %arg0, %arg1 … for arguments, %0, %1 … for ops, %2#1 for the second result of an op with several. */
export class OpWriter implements FormWriter {
  readonly #form: PrintedForm;
  readonly #names = new Map<Value, string>();
  #args = 0;
  #ops = 0;
  #indent: number;

  constructor(form: PrintedForm, indent: number) {
    this.#form = form;
    this.#indent = indent;
  }

  get pad(): string {
    return '  '.repeat(this.#indent);
  }

  // values

  argument(value: Value): string {
    const name = `%arg${this.#args++}`;
    this.#names.set(value, name);
    return name;
  }
  renamed(values: readonly Value[], names: readonly string[]): void {
    values.forEach((value, i) => {
      this.#names.set(value, names[i]!);
    });
  }
  /** `%0, %1` */
  names(values: readonly Value[]): string {
    // A value from outside the printed region (see printOp) is named when it is first used.
    return values.map(v => this.#names.get(v) ?? this.argument(v)).join(', ');
  }

  // ops

  /** Lines, with the names of the results. */
  op(op: Op): string {
    const text = this.#text(op);
    const count = op.results.length;
    const number = count === 0 ? 0 : this.#ops++;
    op.results.forEach((v, i) => {
      this.#names.set(v, count === 1 ? `%${number}` : `%${number}#${i}`);
    });
    const left = count === 0 ? '' : count === 1 ? `%${number} = ` : `%${number}:${count} = `;
    return `${this.pad}${left}${text}\n`;
  }
  #text(op: Op): string {
    const { form } = opTexts[op.name];
    if (this.#form === 'pretty' && form !== undefined) {
      const text = form.write(this, op);
      if (text !== undefined) return `${textOfName(op.name)}${text}`;
    }
    return this.#generic(op);
  }
  #generic(op: Op): string {
    const name = op.name === 'unregistered' ? op.attributes.name : textOfName(op.name);
    const entries = entriesOf(op, opTexts[op.name] as OpText<object>);
    const properties = op.name === 'unregistered' ? op.attributes.properties : entries === '' ? '' : `{${entries}}`;
    const operands = this.names(op.operands);
    const regions = op.regions.map(r => this.region(r, name.startsWith('sdy.') ? 'sdy.return' : undefined)).join(', ');
    return [
      `${quoted(name)}(${operands})`,
      properties === '' ? '' : ` <${properties}>`,
      regions === '' ? '' : ` (${regions})`,
      dictionaryOf(withSharding(op, 'op')),
      ` : ${functionType(op)}`,
    ].join('');
  }

  /** The value of an attribute in short forms; undefined if it is not written. */
  bare(op: Op, attribute: string): string | undefined {
    const text: OpText<object> = opTexts[op.name];
    return text.parts.find(part => part.name === attribute)?.bare(op.attributes, op);
  }
  /** ` {…}` with the attributes that a form does not cover; empty if there are none. */
  dictionary(op: Op, told: ReadonlySet<string> = nothing): string {
    const own = entriesOf(op, opTexts[op.name] as OpText<object>, told);
    const other = entriesOfText(withSharding(op, 'op'));
    const all = [own, other].filter(text => text !== '').join(', ');
    return all === '' ? '' : ` {${all}}`;
  }

  // regions

  /** `{ ^bb0(%a: type): … }` */
  region(region: Region, terminator?: string): string {
    const { pad } = this;
    const args = region.args.map(arg => `${this.argument(arg)}: ${formatType(arg.type)}`);
    const header = args.length === 0 ? '' : `${pad}^bb0(${args.join(', ')}):\n`;
    return `{\n${header}${this.body(region, terminator)}${pad}}`;
  }
  /** `{ … }`, indented by some levels; the arguments already have names. */
  block(region: Region, further: number, terminator?: string): string {
    this.#indent += further;
    const text = `{\n${this.body(region, terminator)}${this.pad}}`;
    this.#indent -= further;
    return text;
  }
  /** The lines of a region. */
  body(region: Region, terminator = 'stablehlo.return'): string {
    this.#indent++;
    const ops = region.ops.map(op => this.op(op)).join('');
    const last = `${this.pad}${this.#terminator(terminator, region.results)}\n`;
    this.#indent--;
    return `${ops}${last}`;
  }
  #terminator(name: string, values: readonly Value[]): string {
    const types = formatTypes(values.map(v => v.type));
    if (this.#form === 'generic')
      return `"${name === 'return' ? 'func.return' : name}"(${this.names(values)}) : (${types}) -> ()`;
    return values.length === 0 ? name : `${name} ${this.names(values)} : ${types}`;
  }
}

/** ` {a = 1, b}` or nothing. */
export function dictionaryOf(attributes: Op['discardable']): string {
  const text = entriesOfText(attributes);
  return text === '' ? '' : ` {${text}}`;
}
function entriesOfText(attributes: Op['discardable']): string {
  return Object.entries(attributes ?? {})
    .map(([name, value]) => entry(name, value))
    .join(', ');
}
