// The members, types and limits of a service's operations, as data. The tables are written by scripts/write-aws-models.ts.

export type Shape =
  | {
      readonly type: 'structure';
      /** Shapes by member. */
      readonly members: Readonly<Record<string, string>>;
      readonly required: readonly string[];
    }
  | { readonly type: 'list'; readonly of: string; readonly min?: number | undefined; readonly max?: number | undefined }
  | {
      readonly type: 'map';
      readonly key: string;
      readonly value: string;
      readonly min?: number | undefined;
      readonly max?: number | undefined;
    }
  | {
      readonly type: 'string';
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      readonly pattern?: string | undefined;
      readonly enum?: readonly string[] | undefined;
    }
  | {
      readonly type: 'integer' | 'long' | 'float' | 'double';
      readonly min?: number | undefined;
      readonly max?: number | undefined;
    }
  | { readonly type: 'boolean' | 'timestamp' | 'blob' };

export interface ServiceModel {
  /** Such as `2017-07-24`. */
  readonly version: string;
  /** The prefix of the operation's name in X-Amz-Target. */
  readonly targetPrefix?: string | undefined;
  /** The shape of each operation's input; null if it has none. */
  readonly operations: Readonly<Record<string, string | null>>;
  readonly shapes: Readonly<Record<string, Shape>>;
}

/** The type of a shape's values, by the name of the shape. Timestamps are seconds since 1970, blobs base64. */
export type ValueOf<S extends ServiceModel['shapes'], N> = N extends keyof S
  ? S[N] extends { readonly type: 'structure'; readonly members: infer M; readonly required: readonly (infer R)[] }
    ? { readonly [K in keyof M as K extends R ? K : never]: ValueOf<S, M[K]> } & {
        readonly [K in keyof M as K extends R ? never : K]?: ValueOf<S, M[K]> | undefined;
      }
    : S[N] extends { readonly type: 'list'; readonly of: infer E }
      ? readonly ValueOf<S, E>[]
      : S[N] extends { readonly type: 'map'; readonly value: infer V }
        ? Readonly<Record<string, ValueOf<S, V>>>
        : S[N] extends { readonly type: 'string'; readonly enum: readonly (infer T)[] }
          ? T
          : S[N] extends { readonly type: 'string' | 'blob' }
            ? string
            : S[N] extends { readonly type: 'boolean' }
              ? boolean
              : number
  : never;

/** The type of an operation's input. */
export type InputOf<M extends ServiceModel, O extends keyof M['operations']> = ValueOf<M['shapes'], M['operations'][O]>;

/** The answers of a service: the shapes that its `ServiceModel` does not have. */
export interface AnswerModel {
  /** The shape of each operation's answer; null if it has none. */
  readonly operations: Readonly<Record<string, string | null>>;
  readonly shapes: Readonly<Record<string, Shape>>;
}

/** The type of an operation's answer. */
export type AnswerOf<M extends ServiceModel, A extends AnswerModel, O extends keyof A['operations']> = ValueOf<
  M['shapes'] & A['shapes'],
  A['operations'][O]
>;
