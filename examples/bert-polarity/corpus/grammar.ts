// The grammar: one review about one product that ends up as praise or complaint. No single word gives it away:
// negation turns words of praise around, and in a contrast only the part that counts in the end decides.
//
//   review  → everyday(p) | filler? · (plain | contrast | turn) · filler? · conclusion?
//   plain   → clause(p)+                       "The lid leaks. I threw it away."
//   contrast→ {a: clause(−p)} but {b: clause(p)}   "Although the lid leaks, I have had no problems with it."
//   turn    → clause(−p)+ · {b: clause(p)}     "The lid leaks. The cord is short. But overall I love it."
//   clause  → part does | part is ADJ(p) | part is not ADJ(−p) | statement(p)
import { everyday } from './everyday.ts';
import {
  buyers,
  conclusions,
  contrasts,
  copulas,
  fillers,
  intensifiers,
  mildAdjectives,
  negations,
  neutralTitles,
  occasions,
  type Polarity,
  statements,
  strongAdjectives,
  titles,
  turns,
} from './lexicon.ts';
import { type Product, products } from './products.ts';
import type { Random } from './random.ts';

export interface Review {
  readonly polarity: Polarity;
  readonly title: string;
  readonly text: string;
}

/** The share of reviews as people type them (everyday.ts). */
const everydayShare = 0.55;
/**
 * Shares of the three forms; the rest are turns. Set so that a small BERT gets there from scratch in two or three
 * epochs (0.97; a linear model of single words gets 0.965, of the contrasts alone 0.89). With many more contrasts and
 * bare negations it would need far more than ten thousand reviews.
 */
const plainShare = 0.92;
const contrastShare = 0.06;

const opposite = (polarity: Polarity): Polarity => (polarity === 'positive' ? 'negative' : 'positive');

/** One review that, in the end, is of the given polarity: about any product, or as people type one. */
export function writeReview(polarity: Polarity, random: Random): Review {
  if (!random.chance(everydayShare)) return writeReviewOf(random.pick(products), polarity, random);
  const text = punctuate(everyday(polarity, random), random);
  return style({ polarity, title: random.chance(0.2) ? random.pick(titles[polarity]) : '', text }, random);
}

/** The same about one product, in whole sentences. */
export function writeReviewOf(product: Product, polarity: Polarity, random: Random): Review {
  const name = random.pick(product.names);
  const say = (template: string): string => fill(template, product, name, random);
  const sentences: string[] = [];
  if (random.chance(0.25)) sentences.push(say(random.pick(fillers)));
  const form = random.uniform();
  if (form < plainShare) {
    sentences.push(clause(polarity, product, random));
    if (random.chance(0.8)) sentences.push(clause(polarity, product, random));
  } else if (form < plainShare + contrastShare) {
    sentences.push(contrast(polarity, product, random));
  } else {
    sentences.push(clause(opposite(polarity), product, random));
    if (random.chance(0.2)) sentences.push(clause(opposite(polarity), product, random));
    sentences.push(random.pick(turns).replace('{b}', clause(polarity, product, random)));
  }
  if (random.chance(0.1)) sentences.push(say(random.pick(fillers)));
  if (random.chance(form < plainShare ? 0.2 : 0.8))
    sentences.push(random.pick(conclusions).replace('{b}', clause(polarity, product, random)));
  const text = sentences.map(sentence => punctuate(say(sentence), random)).join(' ');
  return style({ polarity, title: title(polarity, say, random), text }, random);
}

function contrast(polarity: Polarity, product: Product, random: Random): string {
  const template = random.pick(contrasts);
  // A concession is inside a sentence: no imperatives there.
  let granted: string;
  do granted = clause(opposite(polarity), product, random);
  while (isCommand(granted));
  let point: string;
  do point = clause(polarity, product, random);
  while (isCommand(point) && !template.endsWith('. {b}'));
  // A function, because a dollar sign in a replacement text would mean something.
  return template.replace('{a}', () => granted).replace('{b}', () => point);
}

const isCommand = (clause: string): boolean => /^(?:do not|buy|think) /.test(clause);

function clause(polarity: Polarity, product: Product, random: Random): string {
  const form = random.uniform();
  if (form < 0.45) return random.pick(statements[polarity]);
  const part = random.pick(product.parts);
  const subject = random.chance(0.25) ? '{it}' : `the ${part.name}`;
  if (form < 0.53) return `the ${part.name} ${random.pick(polarity === 'positive' ? part.good : part.bad)}`;
  if (form < 0.56) {
    const negation = random.pick(negations);
    const atAll = random.chance(0.15) && !negation.endsWith('at all') ? ' at all' : '';
    return `${subject} ${negation} ${random.pick(mildAdjectives[opposite(polarity)])}${atAll}`;
  }
  const intensifier = random.pick(intensifiers);
  const adjective = random.pick((random.chance(0.45) ? strongAdjectives : mildAdjectives)[polarity]);
  // "very a joke" is not English.
  const stressed =
    intensifier === '' || /^(?:an?|as|what|worth|first|top|second|up|spot|beyond) /.test(adjective)
      ? adjective
      : `${intensifier} ${adjective}`;
  if (random.chance(0.08))
    return `${subject} is not only ${adjective} but also ${random.pick(mildAdjectives[polarity])}`;
  return `${subject} ${random.pick(copulas)} ${stressed}`;
}

function title(polarity: Polarity, say: (template: string) => string, random: Random): string {
  const form = random.uniform();
  if (form < 0.35) return '';
  if (form < 0.65) return say(random.pick(neutralTitles));
  return random.pick(titles[polarity]);
}

function fill(template: string, product: Product, name: string, random: Random): string {
  return template.replace(/\{(\w+)\}/g, (_, slot: string) => {
    if (slot === 'product') return name;
    if (slot === 'buyer') return random.pick(buyers);
    if (slot === 'occasion') return random.pick(occasions);
    if (slot === 'use') return random.pick(product.use);
    return random.pick(['it', 'it', `this ${name}`, `the ${name}`]);
  });
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function punctuate(sentence: string, random: Random): string {
  const inner = sentence.replace(
    /([.:] )(\w)/g,
    (_, mark: string, first: string) => mark + (mark === '. ' ? first.toUpperCase() : first),
  );
  return capitalized(inner) + (random.chance(0.08) ? '!' : random.chance(0.03) ? '!!' : '.');
}

/** How people type: some never press shift, some leave apostrophes out, and now and then a letter goes wrong. */
function style(review: Review, random: Random): Review {
  const lower = random.chance(0.08);
  const noApostrophes = random.chance(0.15);
  const typed = (text: string): string => {
    let out = text.replace(/[A-Za-z]{5,}/g, word => (random.chance(0.006) ? typo(word, random) : word));
    if (lower) out = out.toLowerCase();
    return noApostrophes ? out.replaceAll("'", '') : out;
  };
  return { ...review, title: capitalized(typed(review.title)), text: typed(review.text) };
}

function typo(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2);
  const swap = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
  const drop = word.slice(0, at) + word.slice(at + 1);
  const repeat = word.slice(0, at) + word[at] + word.slice(at);
  return random.pick([swap, drop, repeat]);
}
