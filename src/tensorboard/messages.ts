// The protocol buffer messages of TensorBoard's event files, as plain data and as bytes: `event.proto`, `summary.proto`,
// `tensor.proto` and `graph.proto` of TensorFlow, and those of TensorBoard's plugins. Fields are written in the order of their
// numbers and omitted if they are zero, as in Python's library, so that equal events give equal bytes.
import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** One line of an event file. */
export interface LoggedEvent {
  /** Seconds since 1970. */
  readonly wallTime: number;
  readonly step: number | undefined;
  readonly what:
    | { readonly kind: 'file version'; readonly version: string; readonly writer: string }
    | { readonly kind: 'summary'; readonly values: readonly SummaryValue[] }
    | { readonly kind: 'graph'; readonly graph: Uint8Array }
    | { readonly kind: 'session start' };
}
/** The data that is logged under a tag. */
export interface SummaryValue {
  readonly tag: string;
  readonly content:
    | { readonly kind: 'scalar'; readonly value: number }
    | {
        readonly kind: 'image';
        readonly height: number;
        readonly width: number;
        readonly channels: number;
        readonly png: Uint8Array;
      }
    | { readonly kind: 'histogram'; readonly histogram: Histogram }
    | { readonly kind: 'floats'; readonly shape: readonly number[]; readonly values: readonly number[] }
    /** A tensor of shape [1], or a scalar with `shape` []. */
    | { readonly kind: 'strings'; readonly shape: readonly number[]; readonly values: readonly (string | Uint8Array)[] }
    | { readonly kind: 'none' };
  /** The TensorBoard plugin that shows it, with the plugin's own data. */
  readonly plugin?: { readonly name: string; readonly content: Uint8Array };
}
export interface Histogram {
  readonly min: number;
  readonly max: number;
  readonly num: number;
  readonly sum: number;
  readonly sumSquares: number;
  /** The right end of each bucket. */
  readonly bucketLimit: readonly number[];
  readonly bucket: readonly number[];
}

/** A message: calls must be in the order of field numbers. Zeros are omitted, as proto3 specifies. */
export class Message {
  readonly #writer = new BinaryWriter();

  #field(number: number, type: 0 | 1 | 2 | 5): BinaryWriter {
    return this.#writer.tag(number, type);
  }
  int(number: number, value: number): this {
    if (value !== 0) this.#field(number, 0).int64(value);
    return this;
  }
  bool(number: number, value: boolean, always = false): this {
    if (always || value) this.#field(number, 0).bool(value);
    return this;
  }
  /** `always`: also write zeros, as within a `oneof`. */
  double(number: number, value: number, always = false): this {
    if (always || value !== 0 || Object.is(value, -0)) this.#field(number, 1).double(value);
    return this;
  }
  float(number: number, value: number, always = false): this {
    if (always || value !== 0 || Object.is(value, -0)) this.#field(number, 5).float(Math.fround(value));
    return this;
  }
  string(number: number, value: string, always = false): this {
    if (always || value !== '') this.#field(number, 2).string(value);
    return this;
  }
  bytes(number: number, value: Uint8Array, always = false): this {
    if (always || value.byteLength > 0) this.#field(number, 2).bytes(value);
    return this;
  }
  message(number: number, value: Message): this {
    this.#field(number, 2).bytes(value.finish());
    return this;
  }
  /** A repeated number, packed. */
  packed(number: number, kind: 'double' | 'float', values: readonly number[]): this {
    if (values.length === 0) return this;
    const writer = this.#field(number, 2).fork();
    for (const value of values) writer[kind](value);
    writer.join();
    return this;
  }
  finish(): Uint8Array {
    return this.#writer.finish();
  }
}

/** An event as bytes. */
export function encodeEvent({ wallTime, step, what }: LoggedEvent): Uint8Array {
  const event = new Message().double(1, wallTime).int(2, step ?? 0);
  switch (what.kind) {
    case 'file version':
      return event.string(3, what.version).message(10, new Message().string(1, what.writer)).finish();
    case 'graph':
      return event.bytes(4, what.graph, true).finish();
    case 'summary':
      return event.message(5, summary(what.values)).finish();
    case 'session start':
      return event.message(7, new Message().int(1, 1)).finish();
  }
}

function summary(values: readonly SummaryValue[]): Message {
  const message = new Message();
  for (const value of values) message.message(1, summaryValue(value));
  return message;
}

function summaryValue({ tag, content, plugin }: SummaryValue): Message {
  const value = new Message().string(1, tag);
  switch (content.kind) {
    case 'scalar':
      value.float(2, content.value, true);
      break;
    case 'image':
      value.message(
        4,
        new Message().int(1, content.height).int(2, content.width).int(3, content.channels).bytes(4, content.png),
      );
      break;
    case 'histogram':
      value.message(5, histogramMessage(content.histogram));
      break;
    case 'floats':
      value.message(
        8,
        new Message()
          .int(1, dataTypes.float)
          .message(2, shapeMessage(content.shape))
          .packed(5, 'float', content.values),
      );
      break;
    case 'strings': {
      const tensor = new Message().int(1, dataTypes.string).message(2, shapeMessage(content.shape));
      for (const text of content.values) tensor.bytes(8, typeof text === 'string' ? encoder.encode(text) : text, true);
      value.message(8, tensor);
      break;
    }
    case 'none':
      break;
  }
  if (plugin !== undefined)
    value.message(9, new Message().message(1, new Message().string(1, plugin.name).bytes(2, plugin.content)));
  return value;
}
const encoder = new TextEncoder();
/** `types.proto`. */
const dataTypes = { float: 1, string: 7 } as const;

const histogramMessage = (h: Histogram): Message =>
  new Message()
    .double(1, h.min)
    .double(2, h.max)
    .double(3, h.num)
    .double(4, h.sum)
    .double(5, h.sumSquares)
    .packed(6, 'double', h.bucketLimit)
    .packed(7, 'double', h.bucket);

/** `TensorShapeProto`. */
export function shapeMessage(shape: readonly number[]): Message {
  const message = new Message();
  for (const size of shape) message.message(2, new Message().int(1, size));
  return message;
}
