// The types of inputs and answers on the wire, from those of AWS's SDK. For the compiler only: the package needs no SDK.

/** An SDK's value as JSON: times are seconds since 1970, blobs base64; required members are there. */
export type Wire<T> = T extends Date
  ? number
  : T extends Uint8Array
    ? string
    : T extends readonly (infer E)[]
      ? readonly Wire<E>[]
      : T extends object
        ? {
            readonly [K in keyof T]: Record<never, never> extends Pick<T, K>
              ? Wire<T[K]>
              : Wire<Exclude<T[K], undefined>>;
          }
        : T;

/** The SDK's methods take an input, options and a callback for the answer. */
type Call<C, O extends string> = Uncapitalize<O> extends keyof C ? C[Uncapitalize<O>] : never;

/** The inputs of operations, by their names. */
export type InputsOf<C, O extends string> = {
  readonly [K in O]: Call<C, K> extends (input: infer I, options: never, done: never) => void ? Wire<I> : never;
};

/** The answers of operations, by their names. */
export type AnswersOf<C, O extends string> = {
  readonly [K in O]: Call<C, K> extends (
    input: never,
    options: never,
    done: (error: never, answer?: infer A) => void,
  ) => void
    ? Wire<Omit<A, '$metadata'>>
    : never;
};
