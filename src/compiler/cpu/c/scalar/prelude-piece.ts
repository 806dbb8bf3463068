// A helper of emitted C. A unit gets those that its text uses, and their dependencies.

export interface PreludePiece {
  readonly name: string;
  readonly text: string;
  /** Additional names that the text defines. */
  readonly also?: readonly string[];
}

/** A function to be inlined, from its text. */
export const inlinePiece = (name: string, text: string): PreludePiece => ({
  name,
  text: `static inline __attribute__((always_inline)) ${text}`,
});
