// Adapters of many requests in one step: each row adds the update of its own adapter. The matrices of S slots of rank R lie side
// by side, so all rows share two multiplies. What the other adapters compute for a row is dropped in between, so the bits of a
// row do not depend on them.
//
//   x [N, I] ─▶ A [S·R, I] ─▶ only its own R of S·R ─▶ B [O, S·R] ─▶ + base(x) [N, O]
import { TrenioError } from '../../base/errors.ts';
import { literal } from '../../hlo/literal.ts';
import { Module } from '../../nn/index.ts';
import { arange, compile, type Device, type DType, noGrad, type Tensor, tensor, zeros } from '../../tensor/index.ts';
import { loadedFrom, noteSource } from '../pretrained.ts';
import { inPanels, PanelLinear, PanelMatrix } from '../quantized/panels.ts';
import type { NameRule } from '../tensor-names.ts';
import { loadAdapter } from './adapter.ts';
import { readLoraConfig } from './lora-config.ts';
import { LinearOutline, type LoraLinear } from './lora-layer.ts';
import { QuantizedLinear } from './quantized-linear.ts';

export interface AdapterSlotsOptions {
  /** The number of adapters that can be loaded at once. */
  readonly count: number;
  /** The maximum rank of an adapter: a power of two from 8 on. */
  readonly rank: number;
  readonly device: Device;
  readonly dtype: DType;
}

/** The part of A and that of B of one slot, in panels; of A only the first R columns of each. */
type Parts = readonly [a: Tensor, b: Tensor];

export class AdapterSlots {
  readonly count: number;
  readonly rank: number;
  readonly #options: AdapterSlotsOptions;
  readonly #model: Module;
  readonly #layers = new Map<string, SlottedLinear>();
  readonly #write: (slot: { readonly starts: readonly Tensor[]; readonly parts: readonly Parts[] }) => Tensor;
  /** Whether each row uses each of the S·R rows of A; set while a step is traced. */
  #own: Tensor | undefined;

  /** Replaces the linear layers of a model that is prepared for an engine. */
  constructor(model: Module, options: AdapterSlotsOptions) {
    this.count = options.count;
    this.rank = options.rank;
    this.#options = options;
    this.#model = model;
    for (const [name, base] of [...model.namedModules()]) {
      if (!(base instanceof PanelLinear || base instanceof QuantizedLinear) || name === 'lm_head') continue;
      const layer = new SlottedLinear(base, options, () => this.#own);
      this.#layers.set(name, layer);
      model.setSubmodule(name, layer);
    }
    this.#write = compile(({ starts, parts }) => {
      const [panel, column, word, zero] = starts as [Tensor, Tensor, Tensor, Tensor];
      [...this.#layers.values()].forEach(({ a, b }, i) => {
        const [down, up] = parts[i]!;
        a.write(down.narrow(2, 0, Math.min(this.rank, 32)), [panel, zero, column, zero].slice(0, a.panels.ndim));
        b.write(up, [zero, word, zero, zero].slice(0, b.panels.ndim));
      });
      return zero.add(1);
    });
  }

  /** Runs `body`, in which each row uses the adapter in its slot: i32 [N], −1 for none. */
  within<T>(slots: Tensor, body: () => T): T {
    const { count, rank } = this;
    const { device } = this.#options;
    const owners = arange(count, { device, dtype: 'int32' }).reshape(count, 1).expand(count, rank).reshape(1, -1);
    this.#own = slots
      .reshape(-1, 1)
      .eq(owners)
      .reshape(-1, 1, count * rank);
    try {
      return body();
    } finally {
      this.#own = undefined;
    }
  }

  /** Compiles the program that fills slots. */
  async prepare(): Promise<void> {
    await this.#fill(0, undefined);
  }

  /**
   * Reads the adapter of a directory into a slot that no running step uses.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {ADAPTER_MISMATCH} @throws {UNSUPPORTED}
   * @throws {SAFETENSORS_INVALID} @throws {FILE_UNREADABLE}
   */
  async load(slot: number, directory: string, onWarning: (message: string) => void): Promise<void> {
    const { use_dora, bias, modules_to_save: wholes } = await readLoraConfig(directory);
    const refused = use_dora ? 'use_dora' : bias !== 'none' ? 'bias' : wholes?.length ? 'modules_to_save' : undefined;
    if (refused !== undefined)
      throw new TrenioError('UNSUPPORTED', {
        what: `an adapter with ${refused}`,
        where: 'a server of several adapters',
        instead: 'merge the adapter into its model, and serve that',
      });
    // The adapter is read into the names and sizes of the layers: steps that run meanwhile see none of it.
    const outline = new Outline(this.#model, this.#model);
    const { layers } = await loadAdapter(outline, directory, { onWarning });
    const differences = [...layers].flatMap(([name, layer]) => this.#problemOf(name, layer));
    if (differences.length > 0)
      throw new TrenioError('ADAPTER_MISMATCH', {
        file: directory,
        model: 'the served model',
        base: undefined,
        differences,
      });
    await this.#fill(slot, layers);
  }

  #problemOf(name: string, layer: LoraLinear): readonly string[] {
    const { a, b } = layer.factors();
    const rank = a.shape[0]!;
    if (!this.#layers.has(name)) return [`${name}: adapters of this layer cannot be served`];
    if (rank > this.rank) return [`${name} has rank ${rank}, at most ${this.rank} is served (--max-lora-rank)`];
    const areFinite = [a, b].every(one => floats(one).every(Number.isFinite));
    return areFinite ? [] : [`${name} has values that are not finite`];
  }

  /** Writes an adapter, or zeros. */
  async #fill(slot: number, adapter: ReadonlyMap<string, LoraLinear> | undefined): Promise<void> {
    const { rank } = this;
    const { device } = this.#options;
    const parts: Parts[] = [];
    for (const [name, layer] of this.#layers) {
      parts.push(this.#partsOf(layer, adapter?.get(name)));
      // Requests are answered meanwhile.
      await new Promise(resolve => setImmediate(resolve));
    }
    const row = slot * rank;
    const starts = [Math.floor(row / 32), row % 32, this.#isWide ? row : row / 2, 0].map(start =>
      tensor(Int32Array.of(start), { shape: [], device }),
    );
    await noGrad(() => this.#write({ starts, parts })).ready();
  }

  #partsOf({ base: { inFeatures, outFeatures } }: SlottedLinear, update: LoraLinear | undefined): Parts {
    const { rank } = this;
    const a = new Float32Array(rank * inFeatures);
    const b = new Float32Array(outFeatures * rank);
    if (update !== undefined) {
      const { a: down, b: up, scaling } = update.factors();
      const own = down.shape[0]!;
      a.set(floats(down));
      const from = floats(up);
      for (let row = 0; row < outFeatures; row++)
        for (let k = 0; k < own; k++) b[row * rank + k] = from[row * own + k]! * scaling;
    }
    const upload = (values: Float32Array, shape: readonly [number, number]): Tensor =>
      tensor(inPanels(literal(this.#isWide ? 'f32' : 'bf16', shape, values)), { device: this.#options.device });
    return [upload(a, [rank, inFeatures]), upload(b, [outFeatures, rank])];
  }

  get #isWide(): boolean {
    return ['f32', 'float32'].includes(this.#options.dtype);
  }
}

const floats = (x: Tensor): Float32Array => x.literal().data as Float32Array;

/** A linear layer, and the updates of all slots. */
class SlottedLinear extends Module {
  base: PanelLinear | QuantizedLinear;
  a: PanelMatrix;
  b: PanelMatrix;
  readonly #own: () => Tensor | undefined;
  constructor(
    base: SlottedLinear['base'],
    { count, rank, device, dtype }: AdapterSlotsOptions,
    own: () => Tensor | undefined,
  ) {
    super();
    this.base = base;
    this.#own = own;
    this.a = new PanelMatrix(zeros([count * rank, base.inFeatures], { device, dtype }));
    this.b = new PanelMatrix(zeros([base.outFeatures, count * rank], { device, dtype }));
  }
  override forward(x: Tensor): Tensor {
    const y = this.base.forward(x);
    const own = this.#own();
    // Not multiplied by 0: an adapter's infinity would become NaN for all.
    return own === undefined ? y : y.add(this.b.forward(this.a.forward(x).maskedFill(own.logicalNot(), 0)));
  }
}

/** The names and the sizes of a model's adaptable layers, without their weights. */
class Outline extends Module {
  readonly tensorNames: readonly NameRule[];
  readonly moduleNames: readonly NameRule[] | undefined;
  constructor(module: Module, model: Module) {
    super();
    const { tensorNames = [], moduleNames } = model as Partial<
      Record<'tensorNames' | 'moduleNames', readonly NameRule[]>
    >;
    this.tensorNames = tensorNames;
    this.moduleNames = moduleNames;
    for (const [name, child] of module.namedChildren())
      this.addModule(
        name,
        child instanceof SlottedLinear
          ? new LinearOutline(child.base.inFeatures, child.base.outFeatures)
          : new Outline(child, model),
      );
    const source = loadedFrom(model);
    if (source !== undefined) noteSource(this, source);
  }
  override forward(): never {
    throw new TypeError('an outline has no weights');
  }
}
