// The members, types and limits of a service's operations, as data. The JSON files are written by scripts/write-aws-models.ts.

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

/** `Inputs` has the types of the operations' inputs. */
export interface ServiceModel<Inputs extends Readonly<Record<string, object>> = Readonly<Record<string, object>>> {
  /** Such as `2017-07-24`. */
  readonly version: string;
  /** The prefix of the operation's name in X-Amz-Target. */
  readonly targetPrefix?: string | undefined;
  /** The shape of each operation's input; null if it has none. */
  readonly operations: Readonly<Record<keyof Inputs & string, string | null>>;
  readonly shapes: Readonly<Record<string, Shape>>;
  /** For the compiler only. */
  readonly inputs?: Inputs;
}

/** The type of an operation's input. */
export type InputOf<M extends ServiceModel, O extends keyof M['operations']> = O extends keyof NonNullable<M['inputs']>
  ? NonNullable<M['inputs']>[O]
  : never;

/** A model from a JSON file; a test checks these files. */
export const modelOf = <Inputs extends Readonly<Record<string, object>>>(data: object): ServiceModel<Inputs> =>
  data as ServiceModel<Inputs>;
