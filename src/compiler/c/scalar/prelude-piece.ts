// A helper of emitted C. A unit gets those that its text names, with what these need.

export interface PreludePiece {
  readonly name: string;
  readonly text: string;
  /** Further names that the text defines. */
  readonly also?: readonly string[];
}

/** A function to be inlined, from its text. */
export const inlinePiece = (name: string, text: string): PreludePiece => ({
  name,
  text: `static inline __attribute__((always_inline)) ${text}`,
});
