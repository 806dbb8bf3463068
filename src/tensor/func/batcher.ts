// Rewrites ops recorded for one example into ops for all examples, one by one, together with the metadata for
// gradients: values that stop them, and computations with a custom gradient.
import { type BatchOptions, batchOp, type Image, inFull } from '../../autodiff/index.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { Device } from '../device.ts';
import type { GradientNode } from '../gradients/gradient-node.ts';
import { type IndexCheck, noteCheck, noWrongIndex } from '../step/index-checks.ts';
import type { Trace } from '../step/trace.ts';
import { recordExample, recordedOps } from './example.ts';

/** The shape of a value without the dim of the examples. */
export function firstExample(trace: Trace, value: Value): Value {
  const { builder } = trace;
  const [size, ...shape] = shapeOf(value) as [number, ...number[]];
  if (size === 0) return builder.reshape(builder.fill(tensorTypeOf(value).elementType, shape, 0), shape);
  return builder.reshape(builder.slice(value, [0, ...shape.map(() => 0)], [1, ...shape]), shape);
}

export class Batcher {
  readonly #device: Device;
  readonly #trace: Trace;
  readonly #start: number;
  readonly #options: BatchOptions;
  readonly #images = new Map<Value, Image>();
  readonly #done = new Set<Value>();
  readonly #nodes = new Set<GradientNode>();

  /** For ops recorded in the open trace from now on. */
  constructor(device: Device, options: BatchOptions) {
    this.#device = device;
    this.#trace = device.trace;
    this.#start = device.trace.builder.lastId;
    this.#options = options;
  }

  /** Makes one example of a value that has all examples along dim 0. */
  example(all: Value): Value {
    const value = firstExample(this.#trace, all);
    this.#images.set(value, { value: all, isBatched: true });
    return value;
  }

  /** The values for all examples, for values recorded for one. */
  batch(values: readonly Value[]): readonly Image[] {
    const trace = this.#trace;
    const { builder } = trace;
    const isEnd = (v: Value): boolean => this.#images.has(v) || this.#done.has(v);
    for (const op of recordedOps(trace, this.#start, values, isEnd, true)) {
      batchOp(builder, op, this.#images, this.#options);
      for (const value of op.results) {
        const image = this.#images.get(value);
        if (image?.isBatched !== true) this.#done.add(value);
        else if (trace.stopped.has(value)) trace.stopped.add(image.value);
        const node = trace.nodes.get(value);
        if (node !== undefined && node.outputs.at(-1) === value && !this.#nodes.has(node)) this.#batchNode(node);
      }
      const batched = op.results.map(value => this.#images.get(value)).find(image => image?.isBatched === true);
      if (batched !== undefined) for (const check of trace.checks.get(op) ?? []) this.#batchCheck(check, batched.value);
    }
    return values.map(value => this.#imageOf(value));
  }
  /** The index check of a lookup, for all examples. */
  #batchCheck(check: IndexCheck, result: Value): void {
    const [{ value, isBatched }] = this.batch([check.wrong]) as [Image];
    const { builder } = this.#trace;
    const { elementType } = tensorTypeOf(value);
    const wrong = isBatched
      ? builder.reduce('maximum', value, builder.fill(elementType, [], noWrongIndex), [0])
      : value;
    noteCheck(this.#trace, result, { ...check, wrong });
  }
  #imageOf(value: Value): Image {
    return this.#images.get(value) ?? { value, isBatched: false };
  }

  #batchNode(node: GradientNode): void {
    this.#nodes.add(node);
    const trace = this.#trace;
    const { builder } = trace;
    const { size } = this.#options;
    const inputs = node.inputs.map(value => this.#imageOf(value));
    if (!inputs.some(image => image.isBatched) && !node.outputs.some(v => this.#imageOf(v).isBatched)) return;
    const outputs = node.outputs.map(value => {
      const image = this.#imageOf(value);
      const all = inFull(builder, image, size);
      this.#images.set(value, { value: all, isBatched: true });
      return all;
    });
    const batchedNode: GradientNode = {
      name: node.name,
      location: node.location,
      inputs: inputs.map(image => image.value),
      outputs,
      gradient: ({ cotangents, needs }) => {
        const examples = cotangents.map(all => all && this.example(all));
        const found = recordExample(
          node.name,
          this.#device,
          examples.filter(value => value !== undefined),
          () => node.gradient({ cotangents: examples, needs: value => needs(this.#imageOf(value).value) }),
        );
        return found.map((value, i) => {
          if (value === undefined) return undefined;
          const [image] = this.batch([value]) as [Image];
          if (inputs[i]!.isBatched) return inFull(builder, image, size);
          return builder.sum(inFull(builder, image, size), [0]);
        });
      },
    };
    for (const value of outputs) if (!trace.stopped.has(value)) trace.nodes.set(value, batchedNode);
  }
}
