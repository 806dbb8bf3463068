// A value with where it was read. The catalogue holds nothing else, so that every figure can be traced and disputed.

export interface Fact<T> {
  readonly value: T;
  /** The page or document it was read from, with its date or version. */
  readonly source: string;
  /** Set where sources disagree or only a second-hand source was found. */
  readonly uncertain?: true;
  /** Other published values for the same thing, and why they are not the one used. */
  readonly alternatives?: readonly { readonly value: T; readonly note: string }[];
}
