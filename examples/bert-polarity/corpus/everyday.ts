// Opinions as people type them into a box: short, about anything, often without a verb. "Absolutely wonderful experience, highly
// recommend". The grammar of grammar.ts is about products in whole sentences; these make the trained model right about what a
// visitor tries first.
import type { Lexicon, Polarity } from './lexicon.ts';
import type { Random } from './random.ts';

const words = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s*[\n,]\s*/)
    .filter(word => word !== '');

const adjectives: Lexicon = {
  positive: words(`
    good, great, nice, wonderful, fantastic, amazing, awesome, excellent, superb, perfect, brilliant, beautiful, lovely, incredible,
    outstanding, terrific, delightful, delicious, charming, impressive, enjoyable, pleasant, fun, funny, exciting, touching, moving,
    friendly, helpful, polite, kind, clean, comfortable, cozy, solid, sturdy, reliable, durable, fast, quick, smooth, elegant,
    stylish, useful, handy, affordable, generous, fresh, tasty, clever, smart, memorable, magical, stunning, flawless, fabulous,
    marvelous, splendid, phenomenal, exceptional, satisfying, refreshing, gorgeous, adorable, professional, attentive, easy to use,
    well made, well written, first class, top notch, spot on, worth every penny, better than I expected, exactly as described`),
  negative: words(`
    bad, terrible, horrible, awful, poor, dreadful, disgusting, boring, dull, disappointing, useless, worthless, cheap, flimsy, weak,
    broken, faulty, defective, damaged, ugly, uncomfortable, slow, noisy, dirty, filthy, rude, unfriendly, unhelpful, lazy, cold,
    stale, bland, tasteless, overpriced, expensive, confusing, annoying, frustrating, irritating, ridiculous, pathetic, stupid,
    silly, pointless, predictable, painful, unreliable, unusable, dangerous, messy, smelly, misleading, dishonest, fake, mediocre,
    lousy, appalling, atrocious, abysmal, unacceptable, inferior, shoddy, unprofessional, hard to use, poorly made, badly written,
    a joke, a disaster, a nightmare, a mess, a scam, too long, too small, too loud, too expensive, worse than I expected,
    not as described, missing parts`),
};

/** Also read well after "not", which turns them around. */
const gradable: Lexicon = {
  positive: words('good, great, worth it, reliable, comfortable, helpful, easy, fresh, fun, clean'),
  negative: words('bad, expensive, boring, difficult, slow, noisy, cheap, ugly, too long'),
};

const things = words(`
  product, product, purchase, item, thing, gift, service, customer service, quality, value, design, experience, experience, book,
  story, novel, movie, movie, film, show, series, acting, plot, ending, song, album, game, app, website, phone, laptop, computer,
  battery, screen, camera, keyboard, headphones, speaker, charger, cable, printer, toy, blender, kettle, pan, vacuum, chair, desk,
  mattress, lamp, jacket, shirt, shoes, dress, watch, bag, food, meal, pizza, coffee, restaurant, hotel, room, staff, waiter, place,
  trip, delivery, shipping, seller, packaging, instructions, course, teacher, day`);
/** "The headphones are". */
const plurals = new Set(['headphones', 'shoes', 'instructions']);

const adverbs = words(
  'very, really, so, absolutely, truly, just, simply, incredibly, extremely, quite, totally, pretty',
);

const feelings: Lexicon = {
  positive: words(
    'happy, happy, pleased, satisfied, impressed, glad, delighted, thrilled, pleasantly surprised, amazed, grateful',
  ),
  negative: words(
    'disappointed, disappointed, disappointed, unhappy, angry, upset, annoyed, frustrated, dissatisfied, disgusted, fed up, sorry I bought it, let down',
  ),
};

/** {this} is "this movie", or just "this". */
const lines: Lexicon = {
  positive: words(`
    I love it, I love {this}, love {this}, loved it, loved every minute of it, I really enjoyed {this}, I like it a lot
    I adore {this}, my kids love it, everyone loved it, we had a great time, highly recommend, highly recommended
    highly recommend {this}, I highly recommend it, would recommend, I would recommend {this} to anyone, definitely recommend
    strongly recommended, can't recommend it enough, I cannot recommend it enough, would buy again, I will buy it again
    would order again, will be back, I will come back, works great, works perfectly, works like a charm, works as expected
    works as advertised, it just works, does what it says, does the job, no complaints, no complaints so far, no problems at all
    no issues, couldn't be happier, could not be better, couldn't ask for more, exceeded my expectations, better than expected
    beyond my expectations, great value for money, good value, worth it, worth the money, well worth the price, five stars, 5 stars
    10 out of 10, thank you, thanks so much, keep up the good work, best {thing} ever, the best {thing} I have ever had
    the best {thing} I've ever seen, my favorite {thing}, easily the best {thing}, one of the best, a must have, a must see
    made my day, fast delivery, arrived early, arrived on time, lasts forever, looks great, feels great, sounds great, fits perfectly
    tastes great, easy to set up, a pleasure to use, I am a fan, I can't stop smiling, what a treat, fixed my problem, saved me
    exactly what I needed, just what I wanted, you will not regret it, never lets me down, don't miss it, don't hesitate`),
  negative: words(`
    I hate it, I hate {this}, hated it, hated every minute of it, I did not enjoy {this}, I don't like it, can't stand it
    I despise {this}, my kids hate it, nobody liked it, we had a terrible time, not recommended, do not recommend
    I do not recommend {this}, I would not recommend it, would not recommend, I would not recommend {this} to anyone
    cannot recommend it, can't recommend {this}, avoid, avoid {this}, stay away, would not buy again, I will never buy it again
    never again, will not be back, I will never come back, doesn't work, does not work, did not work, it never worked
    stopped working, stopped working after a week, broke after two days, broke within a month, broke on the first day
    broke immediately, fell apart, died after an hour, does nothing, nothing works, nothing but problems, nothing but trouble
    full of problems, could not be worse, couldn't be worse, did not meet my expectations, worse than expected
    below my expectations, expected more, expected much better, bad value, not worth it, not worth the money, not worth the price
    one star, 1 star, zero stars, 0 out of 10, no thanks, never buy from them, worst {thing} ever, the worst {thing} I have ever had
    the worst {thing} I've ever seen, my least favorite {thing}, easily the worst {thing}, one of the worst, a waste of money
    a waste of time, complete waste of money, total waste of time, don't waste your money, don't waste your time, do not buy
    don't buy {this}, save your money, ruined my day, late delivery, arrived broken, arrived damaged, arrived late, never arrived
    parts were missing, looks awful, feels cheap, sounds terrible, does not fit, tastes awful, hard to set up, a pain to use
    I want my money back, I want a refund, I returned it, I sent it back, I threw it away, they ignored me, nobody answered
    I fell asleep, I regret buying {this}, I regret it, you will regret it, what a waste, what a joke, it let me down, made it worse
    not what I ordered, not what I wanted`),
};

/** One to three short opinions of the same polarity, as one text. */
export function everyday(polarity: Polarity, random: Random): string {
  const count = random.chance(0.45) ? 1 : random.chance(0.8) ? 2 : 3;
  let text = opinion(polarity, random);
  for (let i = 1; i < count; i++)
    text += random.pick([', ', ', ', '. ', '. ', ' and ', '! ']) + opinion(polarity, random);
  return text;
}

function opinion(polarity: Polarity, random: Random): string {
  const thing = random.pick(things);
  const fill = (line: string): string =>
    line.replace('{thing}', thing).replace('{this}', random.chance(0.4) ? 'this' : `this ${thing}`);
  const form = random.uniform();
  if (form < 0.48) return fill(random.pick(lines[polarity]));
  const subject = random.pick([`the ${thing}`, `the ${thing}`, `this ${thing}`, 'it', 'it', 'everything']);
  const be = plurals.has(thing) && subject.endsWith(thing) ? random.pick(['are', 'were']) : random.pick(['is', 'was']);
  if (form < 0.55) {
    const opposite = random.pick(gradable[polarity === 'positive' ? 'negative' : 'positive']);
    return random.pick([`not ${opposite}`, `not ${opposite} at all`, `${subject} ${be} not ${opposite}`]);
  }
  if (form < 0.57)
    return `I ${random.pick(['am', 'was'])} not ${random.pick(polarity === 'positive' ? ['disappointed', 'unhappy'] : ['happy', 'impressed', 'satisfied', 'pleased'])}`;
  if (form < 0.68) {
    const feeling = `${random.pick(['', ...adverbs])} ${random.pick(feelings[polarity])}`.trim();
    const about = random.pick(['', ` with this ${thing}`, ` with the ${thing}`]);
    return (
      random.pick([`I am ${feeling}`, `I'm ${feeling}`, `I was ${feeling}`, feeling]) +
      (feeling.includes('I') ? '' : about)
    );
  }
  const adjective = random.pick(adjectives[polarity]);
  // "An absolutely a joke" is not English.
  const stressed = adjective.includes(' ') ? adjective : `${random.pick(['', '', ...adverbs])} ${adjective}`.trim();
  if (form < 0.84) return `${subject} ${be} ${stressed}`;
  if (form < 0.88) return random.pick(["it's ", 'this is ', 'that was ', '']) + stressed;
  if (adjective.includes(' ')) return stressed;
  const article = plurals.has(thing) ? '' : /^[aeiou]/.test(stressed) ? 'an ' : 'a ';
  const opening = random.pick([
    '',
    '',
    `such ${article}`,
    `what ${article}`,
    ...(article === '' ? [] : [`this is ${article}`]),
  ]);
  return `${opening}${stressed} ${thing}`;
}
