// Recurrent networks with PyTorch's names and weight layouts: RNN, LSTM, GRU and their cells.
//
// The inputs of all steps are multiplied by their weights at once; only the product with the state is computed step by step. Up
// to `unrolledSteps` steps are unrolled; longer sequences, and those whose lengths change, are recorded as a loop.

import { scan } from '../../tensor/control/index.ts';
import { cat, checkCount, stack, type Tensor, tensor, wrongArgument, zeros } from '../../tensor/index.ts';
import { checkWord, requiredFirst, type Settings, settle, wrongText } from '../../tensor/settings.ts';
import * as F from '../functional/functional.ts';
import { PackedSequence, packPaddedSequence, padPackedSequence } from '../functional/packed-sequence.ts';
import * as init from '../init.ts';
import { Module } from '../module/module.ts';
import { python } from '../module/module-text.ts';
import { Parameter } from '../module/parameter.ts';

const unrolledSteps = 32;

type Kind = 'tanh' | 'relu' | 'lstm' | 'gru';
const gateCounts = { tanh: 1, relu: 1, lstm: 4, gru: 3 } as const;

/** The next state from the products of the input and the state: [h] or [h, c]. */
function advance(kind: Kind, fromInput: Tensor, fromState: Tensor, state: readonly Tensor[]): readonly Tensor[] {
  const [h, c] = state as [Tensor, Tensor];
  const size = fromState.shape.at(-1)! / gateCounts[kind];
  const gate = (x: Tensor, i: number): Tensor => x.narrow(-1, i * size, size);
  switch (kind) {
    case 'tanh':
      return [fromInput.add(fromState).tanh()];
    case 'relu':
      return [fromInput.add(fromState).relu()];
    case 'lstm': {
      const sum = fromInput.add(fromState);
      const next = gate(sum, 1)
        .sigmoid()
        .mul(c)
        .add(gate(sum, 0).sigmoid().mul(gate(sum, 2).tanh()));
      return [gate(sum, 3).sigmoid().mul(next.tanh()), next];
    }
    case 'gru': {
      const reset = gate(fromInput, 0).add(gate(fromState, 0)).sigmoid();
      const update = gate(fromInput, 1).add(gate(fromState, 1)).sigmoid();
      const candidate = gate(fromInput, 2)
        .add(reset.mul(gate(fromState, 2)))
        .tanh();
      return [candidate.add(update.mul(h.sub(candidate)))];
    }
  }
}

/** The parameters of one direction of one layer. */
interface Weights {
  readonly input: Tensor;
  readonly state: Tensor;
  readonly inputBias: Tensor | undefined;
  readonly stateBias: Tensor | undefined;
  readonly projection: Tensor | undefined;
}
/** How the steps of sequences are recorded; `active` [T, N, 1] is false after the end of a sequence. */
interface Steps {
  readonly isLoop: boolean;
  readonly active: Tensor | undefined;
}
/** One direction of one layer over x [T, N, I]: [outputs [T, N, H], last state]. */
function run(
  kind: Kind,
  x: Tensor,
  first: readonly Tensor[],
  w: Weights,
  reverse: boolean,
  { isLoop, active }: Steps,
): readonly [Tensor, readonly Tensor[]] {
  const inputs = F.linear(x, w.input, w.inputBias);
  const turn = (state: readonly Tensor[], input: Tensor, isActive: Tensor | undefined): readonly Tensor[] => {
    const [h, ...rest] = advance(kind, input, F.linear(state[0]!, w.state, w.stateBias), state);
    const next = [w.projection === undefined ? h! : F.linear(h!, w.projection), ...rest];
    return isActive === undefined ? next : next.map((value, i) => value.where(isActive, state[i]!));
  };
  const steps = x.shape[0]!;
  if (isLoop) {
    const xs = active === undefined ? { input: inputs } : { input: inputs, active };
    const [last, outputs] = scan(
      (state: Tensor[], at: { readonly input: Tensor; readonly active?: Tensor }) => {
        const next = [...turn(state, at.input, at.active)];
        return [next, next[0]!];
      },
      [...first],
      xs as never,
      { reverse },
    );
    return [outputs as unknown as Tensor, last];
  }
  const outputs: Tensor[] = new Array(steps);
  let state = first;
  for (let i = 0; i < steps; i++) {
    const t = reverse ? steps - 1 - i : i;
    state = turn(state, inputs.select(0, t), active?.select(0, t));
    outputs[t] = state[0]!;
  }
  return [stack(outputs, 0), state];
}

/** The sizes that every recurrent layer needs, by name. */
export interface RecurrentSizes {
  /** The number of features of the input. */
  readonly inputSize: number;
  /** The number of features of the state. */
  readonly hiddenSize: number;
}
const sizesFirst = (args: readonly unknown[]): [number, number, ...unknown[]] =>
  requiredFirst(['inputSize', 'hiddenSize'], args) as [number, number, ...unknown[]];
/** Settings that `RNN`, `LSTM` and `GRU` share. N is the batch, T the length, I the input size. */
export interface RecurrentSettings {
  /** The number of layers, each of which reads the outputs of the previous one; 1 by default. */
  readonly numLayers?: number;
  /** Whether there is a bias. */
  readonly bias?: boolean;
  /** [N, T, I] in place of [T, N, I]. */
  readonly batchFirst?: boolean;
  /** The probability of dropping an output of any layer but the last, during training. */
  readonly dropout?: number;
  /** Whether the sequence is also read backwards. */
  readonly bidirectional?: boolean;
}
/** Settings of `RNN`. */
export interface RnnSettings extends RecurrentSettings {
  /** The activation. */
  readonly nonlinearity?: 'tanh' | 'relu';
}
/** Settings of `LSTM`. */
export interface LstmSettings extends RecurrentSettings {
  /** The size that outputs are projected to; none by default. */
  readonly projSize?: number;
}
const rnnOrder = ['numLayers', 'nonlinearity', 'bias', 'batchFirst', 'dropout', 'bidirectional'] as const;
const lstmOrder = ['numLayers', 'bias', 'batchFirst', 'dropout', 'bidirectional', 'projSize'] as const;
const gruOrder = ['numLayers', 'bias', 'batchFirst', 'dropout', 'bidirectional'] as const;

/** The common part of RNN, LSTM and GRU. */
abstract class Recurrent extends Module {
  /** The number of features of the input. */
  readonly inputSize: number;
  /** The number of features of the hidden state. */
  readonly hiddenSize: number;
  /** The number of stacked layers. */
  readonly numLayers: number;
  /** Whether there is a bias. */
  readonly bias: boolean;
  /** Whether the batch is the first dim: [batch, time, features] instead of [time, batch, features]. */
  readonly batchFirst: boolean;
  /** The dropout probability between layers. */
  readonly dropout: number;
  /** Whether the sequence is also read backwards. */
  readonly bidirectional: boolean;
  /** The size that the hidden state of an LSTM is projected to; 0 for no projection. */
  readonly projSize: number;
  readonly #kind: Kind;
  /** The length of the first sequences. */
  #steps: number | undefined;

  constructor(call: string, kind: Kind, inputSize: number, hiddenSize: number, given: LstmSettings) {
    super();
    checkCount(call, 'inputSize', inputSize);
    checkCount(call, 'hiddenSize', hiddenSize);
    const { numLayers = 1, bias = true, batchFirst = false, dropout = 0, bidirectional = false, projSize = 0 } = given;
    checkCount(call, 'numLayers', numLayers);
    if (!(dropout >= 0 && dropout <= 1))
      throw wrongArgument({ call, argument: 'dropout' }, dropout, 'a probability in [0, 1]');
    if (!Number.isInteger(projSize) || projSize < 0 || projSize >= hiddenSize)
      throw wrongArgument({ call, argument: 'projSize' }, projSize, `an integer below ${hiddenSize}`);
    this.inputSize = inputSize;
    this.hiddenSize = hiddenSize;
    this.numLayers = numLayers;
    this.bias = bias;
    this.batchFirst = batchFirst;
    this.dropout = dropout;
    this.bidirectional = bidirectional;
    this.projSize = projSize;
    this.#kind = kind;
    const bound = 1 / Math.sqrt(hiddenSize);
    const gates = gateCounts[kind] * hiddenSize;
    const output = projSize || hiddenSize;
    const add = (name: string, ...shape: number[]): void =>
      this.registerParameter(name, new Parameter(init.uniform(shape, -bound, bound), { fresh: true }));
    for (let layer = 0; layer < numLayers; layer++)
      for (const suffix of this.#suffixes(layer)) {
        add(`weight_ih${suffix}`, gates, layer === 0 ? inputSize : output * (bidirectional ? 2 : 1));
        add(`weight_hh${suffix}`, gates, output);
        if (bias) add(`bias_ih${suffix}`, gates);
        if (bias) add(`bias_hh${suffix}`, gates);
        if (projSize > 0) add(`weight_hr${suffix}`, projSize, hiddenSize);
      }
  }
  #suffixes(layer: number): string[] {
    return this.bidirectional ? [`_l${layer}`, `_l${layer}_reverse`] : [`_l${layer}`];
  }
  #weights(suffix: string): Weights {
    const fields = this as unknown as Record<string, Parameter | undefined>;
    return {
      input: fields[`weight_ih${suffix}`]!,
      state: fields[`weight_hh${suffix}`]!,
      inputBias: fields[`bias_ih${suffix}`],
      stateBias: fields[`bias_hh${suffix}`],
      projection: fields[`weight_hr${suffix}`],
    };
  }

  /** x [T, N, I] → [outputs [T, N, directions · H], states, each [layers · directions, N, H]]. */
  #layers(x: Tensor, initial: readonly Tensor[], active: Tensor | undefined): [Tensor, Tensor[]] {
    const length = x.shape[0]!;
    this.#steps ??= length;
    const steps = { isLoop: length > unrolledSteps || length !== this.#steps || active !== undefined, active };
    const last: (readonly Tensor[])[] = [];
    let y = x;
    for (let layer = 0; layer < this.numLayers; layer++) {
      const outputs = this.#suffixes(layer).map((suffix, direction) => {
        const first = initial.map(state => state.select(0, last.length));
        const [output, state] = run(this.#kind, y, first, this.#weights(suffix), direction === 1, steps);
        last.push(state);
        return output;
      });
      y = outputs.length === 1 ? outputs[0]! : cat(outputs, -1);
      if (layer < this.numLayers - 1) y = F.dropout(y, this.dropout, this.training);
    }
    return [y, initial.map((_, i) => stack(last.map(state => state[i]!)))];
  }

  /**
   * Runs the network; `states` are [h] or [h, c], each [layers · directions, N, H], or [layers · directions, H] without a
   * batch.
   */
  protected runAll(
    x: Tensor | PackedSequence,
    states: readonly Tensor[] | undefined,
  ): [Tensor | PackedSequence, Tensor[]] {
    const call = this.constructor.name;
    if (x instanceof PackedSequence) {
      const { batchSizes, sortedIndices, lengths } = x;
      const order = tensor(Int32Array.from(sortedIndices), { device: x.data.device });
      const back = tensor(
        Int32Array.from(sortedIndices, (_, i) => sortedIndices.indexOf(i)),
        { device: x.data.device },
      );
      const sorted = new PackedSequence(
        x.data,
        batchSizes,
        lengths.map((_, i) => i),
      );
      const [padded] = padPackedSequence(sorted);
      const active = tensor(Uint8Array.from(batchSizes.flatMap(size => lengths.map((_, i) => (i < size ? 1 : 0)))), {
        shape: [batchSizes.length, lengths.length, 1],
        dtype: 'bool',
        device: x.data.device,
      });
      const initial = this.#initial(
        padded,
        states?.map(state => state.indexSelect(1, order)),
      );
      const [output, last] = this.#layers(padded, initial, active);
      const packed = packPaddedSequence(output, lengths);
      return [
        new PackedSequence(packed.data, batchSizes, sortedIndices),
        last.map(state => state.indexSelect(1, back)),
      ];
    }
    if (x.ndim !== 2 && x.ndim !== 3)
      throw wrongText(
        { call, argument: 'the input' },
        `a tensor of ${x.ndim} dims`,
        '[T, N, I], or [T, I] without a batch',
      );
    if (x.shape.at(-1) !== this.inputSize)
      throw wrongText({ call, argument: 'the input' }, `[${x.shape.join(', ')}]`, `${this.inputSize} as its last size`);
    if (x.ndim === 2) {
      const [y, last] = this.#layers(
        x.unsqueeze(1),
        this.#initial(
          x.unsqueeze(1),
          states?.map(state => state.unsqueeze(1)),
        ),
        undefined,
      );
      return [y.squeeze(1), last.map(state => state.squeeze(1))];
    }
    const time = this.batchFirst ? x.transpose(0, 1) : x;
    const [y, last] = this.#layers(time, this.#initial(time, states), undefined);
    return [this.batchFirst ? y.transpose(0, 1) : y, last];
  }
  #initial(x: Tensor, given: readonly Tensor[] | undefined): readonly Tensor[] {
    const count = this.numLayers * (this.bidirectional ? 2 : 1);
    const sizes = this.#kind === 'lstm' ? [this.projSize || this.hiddenSize, this.hiddenSize] : [this.hiddenSize];
    return sizes.map((size, i) => {
      const shape = [count, x.shape[1]!, size];
      const state = given?.[i];
      if (state === undefined) return zeros(shape, { dtype: x.dtype, device: x.device });
      if (state.ndim !== 3 || shape.some((d, k) => d !== state.shape[k]))
        throw wrongText(
          { call: this.constructor.name, argument: 'the state' },
          `[${state.shape.join(', ')}]`,
          `[${shape.join(', ')}]`,
        );
      return state;
    });
  }
  protected override extraRepr(): string {
    return [
      `${this.inputSize}, ${this.hiddenSize}`,
      ...(this.projSize > 0 ? [`proj_size=${this.projSize}`] : []),
      ...(this.numLayers === 1 ? [] : [`num_layers=${this.numLayers}`]),
      ...(this.bias ? [] : ['bias=False']),
      ...(this.batchFirst ? ['batch_first=True'] : []),
      ...(this.dropout === 0 ? [] : [`dropout=${python(this.dropout)}`]),
      ...(this.bidirectional ? ['bidirectional=True'] : []),
    ].join(', ');
  }
}

/**
 * h' = tanh(W_ih · x + b_ih + W_hh · h + b_hh), step by step over sequences [T, N, I].
 *
 *     const rnn = new RNN(10, 20, { numLayers: 2, batchFirst: true });
 *     const [output, hidden] = rnn(x);                      // x [N, T, 10] → [N, T, 20], [2, N, 20]
 *
 * A `PackedSequence` gives a PackedSequence.
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const rnn = new nn.RNN(8, 16, { batchFirst: true });
 * const [output, hidden] = rnn(randn(4, 10, 8));
 * output.shape // [4, 10, 16]
 * hidden.shape // [1, 4, 16]
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the calls of the interface are those of `forward`
export class RNN extends Recurrent {
  /** The activation. */
  readonly nonlinearity: 'tanh' | 'relu';
  constructor(options: RecurrentSizes & RnnSettings);
  constructor(inputSize: number, hiddenSize: number, ...rest: Settings<RnnSettings, typeof rnnOrder>);
  constructor(...args: readonly unknown[]) {
    const [inputSize, hiddenSize, ...rest] = sizesFirst(args);
    const { nonlinearity = 'tanh', ...given } = settle<RnnSettings>('RNN', rnnOrder, rest);
    super('RNN', checkWord('RNN', 'nonlinearity', nonlinearity, ['tanh', 'relu']), inputSize, hiddenSize, given);
    this.nonlinearity = nonlinearity;
  }
  /** The output of each step, and the last hidden state [layers, N, H]; `hidden` is the first one, zeros by default. */
  override forward(x: PackedSequence, hidden?: Tensor): [PackedSequence, Tensor];
  /**
   * The output of each step [T, N, H], and the last hidden state [layers, N, H]; `hidden` is the first one, zeros by default.
   */
  override forward(x: Tensor, hidden?: Tensor): [Tensor, Tensor];
  override forward(x: Tensor | PackedSequence, hidden?: Tensor): [Tensor | PackedSequence, Tensor] {
    const [y, [h]] = this.runAll(x, hidden && [hidden]);
    return [y, h!];
  }
}
/**
 * Long short-term memory (Hochreiter and Schmidhuber, 1997) over sequences [T, N, I].
 *
 *     const lstm = new LSTM(10, 20, { bidirectional: true });
 *     const [output, [hidden, cell]] = lstm(x);             // x [T, N, 10] → [T, N, 40], [2, N, 20] each
 *
 * Errors as `RNN`.
 * @example
 * const lstm = new nn.LSTM(8, 16, { numLayers: 2, batchFirst: true });
 * const [output, [hidden, cell]] = lstm(randn(4, 10, 8));
 * output.shape // [4, 10, 16]
 * cell.shape // [2, 4, 16]
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the calls of the interface are those of `forward`
export class LSTM extends Recurrent {
  constructor(options: RecurrentSizes & LstmSettings);
  constructor(inputSize: number, hiddenSize: number, ...rest: Settings<LstmSettings, typeof lstmOrder>);
  constructor(...args: readonly unknown[]) {
    const [inputSize, hiddenSize, ...rest] = sizesFirst(args);
    super('LSTM', 'lstm', inputSize, hiddenSize, settle<LstmSettings>('LSTM', lstmOrder, rest));
  }
  /** The output of each step, and the last hidden and cell states; `states` are the first ones, zeros by default. */
  override forward(x: PackedSequence, states?: readonly [Tensor, Tensor]): [PackedSequence, [Tensor, Tensor]];
  /** The output of each step [T, N, H], and the last hidden and cell states; `states` are the first ones, zeros by default. */
  override forward(x: Tensor, states?: readonly [Tensor, Tensor]): [Tensor, [Tensor, Tensor]];
  override forward(
    x: Tensor | PackedSequence,
    states?: readonly [Tensor, Tensor],
  ): [Tensor | PackedSequence, [Tensor, Tensor]] {
    const [y, [h, c]] = this.runAll(x, states);
    return [y, [h!, c!]];
  }
}
/**
 * Gated recurrent units (Cho et al., 2014) over sequences [T, N, I]: `const [output, hidden] = new GRU(10, 20)(x)`. Errors as
 * `RNN`.
 * @example
 * const gru = new nn.GRU(8, 16, { bidirectional: true, batchFirst: true });
 * const [output, hidden] = gru(randn(4, 10, 8));
 * output.shape // [4, 10, 32]
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the calls of the interface are those of `forward`
export class GRU extends Recurrent {
  constructor(options: RecurrentSizes & RecurrentSettings);
  constructor(inputSize: number, hiddenSize: number, ...rest: Settings<RecurrentSettings, typeof gruOrder>);
  constructor(...args: readonly unknown[]) {
    const [inputSize, hiddenSize, ...rest] = sizesFirst(args);
    super('GRU', 'gru', inputSize, hiddenSize, settle<RecurrentSettings>('GRU', gruOrder, rest));
  }
  /** The output of each step, and the last hidden state [layers, N, H]; `hidden` is the first one, zeros by default. */
  override forward(x: PackedSequence, hidden?: Tensor): [PackedSequence, Tensor];
  /**
   * The output of each step [T, N, H], and the last hidden state [layers, N, H]; `hidden` is the first one, zeros by default.
   */
  override forward(x: Tensor, hidden?: Tensor): [Tensor, Tensor];
  override forward(x: Tensor | PackedSequence, hidden?: Tensor): [Tensor | PackedSequence, Tensor] {
    const [y, [h]] = this.runAll(x, hidden && [hidden]);
    return [y, h!];
  }
}

/** Settings of recurrent cells. */
export interface CellSettings {
  /** Whether there is a bias. */
  readonly bias?: boolean;
  /** The activation. */
  readonly nonlinearity?: 'tanh' | 'relu';
}
/** One step of a recurrent network. */
abstract class Cell extends Module {
  /** The number of features of the input. */
  readonly inputSize: number;
  /** The number of features of the hidden state. */
  readonly hiddenSize: number;
  /** [gates · H, I] */
  weight_ih: Parameter;
  /** [gates · H, H] */
  weight_hh: Parameter;
  /** The bias of the input; null without one. */
  bias_ih: Parameter | null;
  /** The bias of the hidden state; null without one. */
  bias_hh: Parameter | null;
  readonly #kind: Kind;
  constructor(call: string, kind: Kind, inputSize: number, hiddenSize: number, bias: boolean) {
    super();
    checkCount(call, 'inputSize', inputSize);
    checkCount(call, 'hiddenSize', hiddenSize);
    this.inputSize = inputSize;
    this.hiddenSize = hiddenSize;
    this.#kind = kind;
    const bound = 1 / Math.sqrt(hiddenSize);
    const gates = gateCounts[kind] * hiddenSize;
    const parameter = (...shape: number[]): Parameter =>
      new Parameter(init.uniform(shape, -bound, bound), { fresh: true });
    this.weight_ih = parameter(gates, inputSize);
    this.weight_hh = parameter(gates, hiddenSize);
    this.bias_ih = bias ? parameter(gates) : null;
    this.bias_hh = bias ? parameter(gates) : null;
  }
  protected step(x: Tensor, given: readonly (Tensor | undefined)[]): readonly Tensor[] {
    if (x.shape.at(-1) !== this.inputSize || x.ndim < 1 || x.ndim > 2)
      throw wrongText(
        { call: this.constructor.name, argument: 'the input' },
        `[${x.shape.join(', ')}]`,
        `[N, ${this.inputSize}] or [${this.inputSize}]`,
      );
    const shape = [...x.shape.slice(0, -1), this.hiddenSize];
    const state = given.map(one => one ?? zeros(shape, { dtype: x.dtype, device: x.device }));
    const fromInput = F.linear(x, this.weight_ih, this.bias_ih);
    return advance(this.#kind, fromInput, F.linear(state[0]!, this.weight_hh, this.bias_hh), state);
  }
  protected override extraRepr(): string {
    return `${this.inputSize}, ${this.hiddenSize}${this.bias_ih === null ? ', bias=False' : ''}`;
  }
}
/**
 * One step of an RNN: x [N, I], h [N, H] → [N, H].
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.RNNCell(8, 16)(randn(4, 8)).shape // [4, 16]
 */
export class RNNCell extends Cell {
  /** The activation. */
  readonly nonlinearity: 'tanh' | 'relu';
  constructor(options: RecurrentSizes & CellSettings);
  constructor(inputSize: number, hiddenSize: number, ...rest: Settings<CellSettings, ['bias', 'nonlinearity']>);
  constructor(...args: readonly unknown[]) {
    const [inputSize, hiddenSize, ...rest] = sizesFirst(args);
    const { bias = true, nonlinearity = 'tanh' } = settle<CellSettings>('RNNCell', ['bias', 'nonlinearity'], rest);
    super('RNNCell', checkWord('RNNCell', 'nonlinearity', nonlinearity, ['tanh', 'relu']), inputSize, hiddenSize, bias);
    this.nonlinearity = nonlinearity;
  }
  override forward(x: Tensor, hidden?: Tensor): Tensor {
    return this.step(x, [hidden])[0]!;
  }
  protected override extraRepr(): string {
    return `${super.extraRepr()}${this.nonlinearity === 'tanh' ? '' : `, nonlinearity=${this.nonlinearity}`}`;
  }
}
/**
 * One step of an LSTM: x [N, I], [h, c] each [N, H] → [h, c].
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const [hidden, cell] = new nn.LSTMCell(8, 16)(randn(4, 8));
 * hidden.shape // [4, 16]
 */
export class LSTMCell extends Cell {
  constructor(options: RecurrentSizes & Pick<CellSettings, 'bias'>);
  constructor(inputSize: number, hiddenSize: number, ...rest: Settings<Pick<CellSettings, 'bias'>, ['bias']>);
  constructor(...args: readonly unknown[]) {
    const [inputSize, hiddenSize, ...rest] = sizesFirst(args);
    super('LSTMCell', 'lstm', inputSize, hiddenSize, settle<CellSettings>('LSTMCell', ['bias'], rest).bias ?? true);
  }
  override forward(x: Tensor, states?: readonly [Tensor, Tensor]): [Tensor, Tensor] {
    const [h, c] = this.step(x, [states?.[0], states?.[1]]);
    return [h!, c!];
  }
}
/**
 * One step of a GRU: x [N, I], h [N, H] → [N, H].
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.GRUCell(8, 16)(randn(4, 8), zeros(4, 16)).shape // [4, 16]
 */
export class GRUCell extends Cell {
  constructor(options: RecurrentSizes & Pick<CellSettings, 'bias'>);
  constructor(inputSize: number, hiddenSize: number, ...rest: Settings<Pick<CellSettings, 'bias'>, ['bias']>);
  constructor(...args: readonly unknown[]) {
    const [inputSize, hiddenSize, ...rest] = sizesFirst(args);
    super('GRUCell', 'gru', inputSize, hiddenSize, settle<CellSettings>('GRUCell', ['bias'], rest).bias ?? true);
  }
  override forward(x: Tensor, hidden?: Tensor): Tensor {
    return this.step(x, [hidden])[0]!;
  }
}

export interface RNN {
  /** For packed sequences. */
  (x: PackedSequence, hidden?: Tensor): [PackedSequence, Tensor];
  /** For padded sequences. */
  (x: Tensor, hidden?: Tensor): [Tensor, Tensor];
}

export interface LSTM {
  /** For packed sequences. */
  (x: PackedSequence, states?: readonly [Tensor, Tensor]): [PackedSequence, [Tensor, Tensor]];
  /** For padded sequences. */
  (x: Tensor, states?: readonly [Tensor, Tensor]): [Tensor, [Tensor, Tensor]];
}

export interface GRU {
  /** For packed sequences. */
  (x: PackedSequence, hidden?: Tensor): [PackedSequence, Tensor];
  /** For padded sequences. */
  (x: Tensor, hidden?: Tensor): [Tensor, Tensor];
}
