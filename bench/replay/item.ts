// A recorded item: the C of a program for a target, or a prediction. The parts of the text that can be ignored
// differ between the two.
import { hash } from 'node:crypto';
import { canonicalC, type Ignorable, type Ignored, ignorable } from './canonical-c.ts';
import { answerText, questionsOf } from './predictions.ts';
import { brokenMark, printedPrograms, sectionMark } from './printed-program.ts';
import { programsOf } from './programs.ts';
import type { ProgramSet } from './replay-program.ts';
import { targetNames, targets } from './targets.ts';

/** The target name of predictions. */
export const predictionTarget = 'prediction';

export interface Item {
  readonly name: string;
  /** A target's name, or `prediction`. */
  readonly target: string;
  readonly text: string;
}
export const isBroken = ({ text }: Item): boolean => text.includes(brokenMark);

const everything: Ignored = new Set(ignorable);
const short = (text: string): string => hash('sha256', text, 'hex').slice(0, 16);

export const textHash = ({ text }: Item): string => short(text);
/** Equal for items that differ only in comments, names and white space. Slower. */
export const codeHash = (item: Item): string => short(comparable(item, everything));

/** The parts of a text: its units and its plan, or all of it. */
export const sectionsOf = ({ text, target }: Item): readonly string[] =>
  target === predictionTarget ? [text] : text.split(new RegExp(`^(?=${sectionMark})`, 'm'));

/** Equal for items that differ only in the ignored parts. In a prediction, sentences count as comments. */
export function comparable(item: Item, ignored: Ignored): string {
  if (ignored.size === 0) return item.text;
  if (item.target !== predictionTarget) return canonicalC(item.text, ignored);
  return ignored.has('comments') ? item.text.replace(/^ *(?:"[^"]*": )?".* .*",?$\n|,$/gm, '') : item.text;
}

/** The kind of difference: `code` if more than comments, names and white space differs. */
export type ChangeKind = Ignorable | 'comments, names or whitespace' | 'code';
export function kindOfChange(before: Item, after: Item): ChangeKind {
  const equalWithout = (ignored: Ignored): boolean => comparable(before, ignored) === comparable(after, ignored);
  if (!equalWithout(everything)) return 'code';
  return ignorable.find(each => equalWithout(new Set([each]))) ?? 'comments, names or whitespace';
}

export interface ItemOptions {
  readonly set: ProgramSet;
  /** Only items whose name contains this. */
  readonly only: string | undefined;
  readonly onProgress: (text: string) => void;
}
/** All recorded items, one after another. */
export function* itemsOf({ set, only = '', onProgress }: ItemOptions): Generator<Item> {
  const programs = programsOf(set).filter(({ name }) => name.includes(only));
  const questions = questionsOf(set).filter(({ name }) => name.includes(only));
  const all = programs.length + questions.length;
  let done = 0;
  for (const { name, modules } of programs) {
    onProgress(`${done++} of ${all}: recording ${name}`);
    const made = modules();
    for (const target of targetNames) {
      onProgress(`${done} of ${all}: ${name} for ${target}`);
      yield { name, target, text: printedPrograms(made, targets[target]) };
    }
  }
  for (const question of questions) {
    onProgress(`${++done} of ${all}: ${question.name}`);
    yield { name: question.name, target: predictionTarget, text: answerText(question) };
  }
}
