// Regular expressions of tokenizer.json. The usual ones take time in proportion to the text and run as they are; with others, or
// on a long text, the time is limited.
import { OutOfTime, withinTime } from '../../base/time-limit.ts';

/** Below, the square of the length is no problem. */
const longText = 10_000;

/** Runs a step of a tokenizer on a text. @throws the error that `tooSlow` makes */
export type Guard = <T>(characters: number, step: () => T) => T;

/** `parts`: the JSON of normalizers, pre-tokenizers and decoders. */
export function patternGuard(parts: unknown, tooSlow: (problem: string) => Error, limitMs = 5000): Guard {
  const patterns = patternsOf(parts);
  if (patterns.length === 0) return (_, step) => step();
  const isPlain = patterns.every(isPlainPattern);
  return (characters, step) => {
    if (isPlain && characters < longText) return step();
    // Far more than a long text takes.
    const milliseconds = limitMs + Math.floor(characters / 20);
    try {
      return withinTime(milliseconds, step);
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      throw tooSlow(`its patterns take more than ${milliseconds / 1000} seconds on a text of ${characters} characters`);
    }
  };
}

function patternsOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    name === 'Regex' && typeof value === 'string' ? [value] : patternsOf(value),
  );
}

/**
 * Whether a match takes at most time in proportion to the text at each position: no repeated groups, no references, and in each
 * alternative one repetition, or two of which the second is the end.
 */
export function isPlainPattern(pattern: string): boolean {
  // Escapes and classes become one character.
  const atoms = pattern.replace(/\\(?:[pP]\{[^}]*\}|[^1-9])/g, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x');
  if (/\)[*+{]|\\/.test(atoms)) return false;
  // Optional groups without repetitions cannot fail.
  const branches = atoms.replace(/\((?:\?[a-z-]*:|(?!\?))[^()*+{]*\)\?/g, 'x?').split('|');
  return branches.every(branch => {
    const repeated = branch.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
    return repeated <= 1 || (repeated === 2 && /(?:[*+]|\{\d+,\})(?:x\?)?\)*$/.test(branch));
  });
}
