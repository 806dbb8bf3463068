// The subjects of the reviews: products, their buyers, and the parts of each product with phrases for good and bad ones. Only
// word lists; how they become sentences is in grammar.ts.

/** A part of a product: its name, then predicates that praise it and predicates that fault it. */
export interface Part {
  readonly name: string;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}
export interface Product {
  readonly names: readonly string[];
  /** Ends "I use it …". */
  readonly use: readonly string[];
  readonly parts: readonly Part[];
}

const part = (name: string, good: readonly string[], bad: readonly string[]): Part => ({ name, good, bad });

export const products: readonly Product[] = [
  {
    names: ['kettle', 'electric kettle'],
    use: ['to boil water for tea', 'every morning in the kitchen', 'at the office'],
    parts: [
      part(
        'lid',
        ['closes with a firm click', 'opens wide for cleaning'],
        ['leaks at the hinge', 'pops open while it boils'],
      ),
      part('handle', ['stays cool', 'sits well in the hand'], ['gets too hot to touch', 'came loose within a month']),
      part(
        'spout',
        ['pours without a drip', 'pours in a clean stream'],
        ['drips on the counter', 'splashes boiling water'],
      ),
      part('switch', ['turns off on time', 'has a solid feel'], ['sticks', 'broke on the third day']),
    ],
  },
  {
    names: ['headset', 'pair of headphones'],
    use: ['on the train', 'for music at work', 'for calls'],
    parts: [
      part('sound', ['is rich and clear', 'fills the room'], ['is thin and tinny', 'crackles at high volume']),
      part('cable', ['never tangles', 'is long enough'], ['frayed in a week', 'tangles all the time']),
      part('padding', ['is soft even after hours', 'keeps noise out'], ['peels off', 'hurts my ears']),
      part('microphone', ['picks up every word', 'makes calls easy'], ['picks up only wind', 'cuts out in calls']),
    ],
  },
  {
    names: ['novel', 'book', 'paperback'],
    use: ['before bed', 'on a long flight', 'for our reading group'],
    parts: [
      part(
        'plot',
        ['kept me up all night', 'surprises on every page'],
        ['drags for two hundred pages', 'makes no sense'],
      ),
      part(
        'ending',
        ['moved me to tears', 'ties everything together'],
        ['comes out of nowhere', 'ruins the whole story'],
      ),
      part(
        'hero',
        ['feels like a real person', 'grows with every chapter'],
        ['has no character', 'annoyed me from the start'],
      ),
      part('writing', ['flows like music', 'is witty and warm'], ['is full of mistakes', 'reads like a manual']),
    ],
  },
  {
    names: ['camera', 'digital camera'],
    use: ['on holiday', 'for family pictures', 'for my shop'],
    parts: [
      part(
        'lens',
        ['is sharp from edge to edge', 'focuses in an instant'],
        ['blurs every second picture', 'scratches easily'],
      ),
      part('battery', ['lasts for days', 'charges in an hour'], ['dies by noon', 'swelled up and had to go']),
      part(
        'screen',
        ['is bright in full sun', 'shows true colors'],
        ['cracked in my bag', 'is impossible to read outside'],
      ),
      part('menu', ['explains itself', 'has all I need on one page'], ['hides every setting', 'freezes at random']),
    ],
  },
  {
    names: ['vacuum', 'vacuum cleaner'],
    use: ['for the stairs', 'to clean up after two dogs', 'twice a week'],
    parts: [
      part(
        'motor',
        ['is strong and quiet', 'pulls dirt out of old carpets'],
        ['smells of burning', 'screams like a jet'],
      ),
      part('brush', ['picks up every hair', 'glides over wood'], ['jams with hair', 'pushes crumbs around']),
      part(
        'hose',
        ['reaches every corner', 'bends without kinks'],
        ['split along the seam', 'falls off while I clean'],
      ),
      part(
        'filter',
        ['rinses clean in seconds', 'catches the finest dust'],
        ['clogs after one room', 'costs a fortune to replace'],
      ),
    ],
  },
  {
    names: ['phone', 'smartphone'],
    use: ['for work and for fun', 'mostly for messages', 'as my only computer'],
    parts: [
      part(
        'battery',
        ['gets me through two days', 'charges in no time'],
        ['needs a charger at lunch', 'drains while it sleeps'],
      ),
      part(
        'screen',
        ['is a joy to look at', 'survived three falls'],
        ['flickers in the evening', 'shattered on the first fall'],
      ),
      part(
        'speaker',
        ['is loud enough for a kitchen', 'makes voices clear'],
        ['buzzes at half volume', 'went silent after an update'],
      ),
      part('signal', ['holds in the basement', 'never drops a call'], ['drops every other call', 'vanishes indoors']),
    ],
  },
  {
    names: ['pair of running shoes', 'pair of shoes'],
    use: ['for running', 'to walk to work', 'at the gym'],
    parts: [
      part(
        'sole',
        ['grips on wet stone', 'springs back at each step'],
        ['wore through by spring', 'slips on wet leaves'],
      ),
      part('fit', ['is true to size', 'was right from the first day'], ['is far too narrow', 'gave me blisters']),
      part(
        'stitching',
        ['has held for a thousand miles', 'is neat everywhere'],
        ['came apart at the toe', 'is crooked'],
      ),
      part(
        'color',
        ['is as bright as in the picture', 'has not faded'],
        ['rubbed off on my socks', 'is nothing like the picture'],
      ),
    ],
  },
  {
    names: ['blender', 'kitchen blender'],
    use: ['for soups', 'for breakfast smoothies', 'to crush ice'],
    parts: [
      part('blade', ['turns ice to snow', 'leaves no lumps'], ['leaves whole chunks', 'went dull in a month']),
      part('jug', ['cleans in seconds', 'pours without a mess'], ['cracked in the dishwasher', 'leaks from below']),
      part('base', ['stands like a rock', 'takes little space'], ['walks across the counter', 'smokes under load']),
      part('timer', ['is simple to set', 'stops at the right moment'], ['resets itself', 'ends whenever it likes']),
    ],
  },
  {
    names: ['movie', 'film', 'dvd'],
    use: ['with the whole family', 'on a rainy sunday', 'after dinner'],
    parts: [
      part(
        'story',
        ['holds you from start to finish', 'has a big heart'],
        ['has holes you could drive through', 'goes nowhere'],
      ),
      part(
        'acting',
        ['is superb throughout', 'makes you forget the camera'],
        ['is wooden', 'belongs in a school play'],
      ),
      part(
        'picture',
        ['looks stunning', 'is crisp in every scene'],
        ['is grainy and dark', 'skips in the last chapter'],
      ),
      part('humor', ['had us in stitches', 'lands every time'], ['falls flat', 'is plain embarrassing']),
    ],
  },
  {
    names: ['backpack', 'hiking backpack'],
    use: ['for day hikes', 'for school', 'as cabin luggage'],
    parts: [
      part('zipper', ['runs smoothly', 'has never caught'], ['burst on the first trip', 'catches the lining']),
      part('strap', ['spreads the weight well', 'adjusts with one hand'], ['cuts into the shoulder', 'ripped out']),
      part(
        'fabric',
        ['shrugs off rain', 'looks new after a year'],
        ['soaks through in minutes', 'wears thin at the corners'],
      ),
      part('pocket', ['fits a laptop', 'is just where I want it'], ['is too small for a phone', 'has a hole already']),
    ],
  },
  {
    names: ['coffee maker', 'coffee machine'],
    use: ['first thing in the morning', 'when guests come', 'at our shop'],
    parts: [
      part(
        'coffee',
        ['tastes like in a good cafe', 'comes out hot and strong'],
        ['tastes of plastic', 'comes out lukewarm'],
      ),
      part('grinder', ['is even and quick', 'wakes nobody'], ['wakes the whole house', 'choked on the first beans']),
      part('tank', ['is easy to fill', 'lasts for ten cups'], ['leaks onto the table', 'grows mold']),
      part('pump', ['hums quietly', 'has never let me down'], ['gave up in june', 'rattles the cups']),
    ],
  },
  {
    names: ['keyboard', 'wireless keyboard'],
    use: ['for typing all day', 'for games', 'with my tablet'],
    parts: [
      part('space bar', ['has a crisp travel', 'is whisper quiet'], ['sticks on one side', 'clacks loudly']),
      part(
        'lettering',
        ['has not worn off', 'is easy to read at night'],
        ['wore off in weeks', 'is too faint to read'],
      ),
      part(
        'connection',
        ['never drops', 'switches between devices at once'],
        ['lags behind my fingers', 'drops in the middle of a word'],
      ),
      part('frame', ['does not flex', 'feels like metal should'], ['bends in the middle', 'creaks with each key']),
    ],
  },
  {
    names: ['pan', 'frying pan'],
    use: ['for eggs', 'on an open fire', 'almost daily'],
    parts: [
      part('coating', ['lets eggs slide right off', 'shows no scratch'], ['flakes into the food', 'sticks like glue']),
      part('bottom', ['heats evenly', 'sits flat'], ['warped on low heat', 'burns everything in the center']),
      part('rim', ['pours cleanly', 'is well finished'], ['has sharp spots', 'drips oil everywhere']),
      part('weight', ['is just right', 'feels balanced'], ['tires my wrist', 'tips it off the stove']),
    ],
  },
  {
    names: ['game', 'board game'],
    use: ['with friends on fridays', 'with my nephews', 'over the holidays'],
    parts: [
      part(
        'rulebook',
        ['takes two minutes to read', 'answers every question'],
        ['contradicts itself', 'is badly translated'],
      ),
      part('board', ['is a work of art', 'folds flat'], ['will not lie flat', 'is printed off center']),
      part(
        'pace',
        ['never lets up', 'keeps everyone involved'],
        ['drags after ten minutes', 'leaves you waiting forever'],
      ),
      part('deck', ['shuffles nicely', 'is thick and clear'], ['sticks together', 'got dog ears at once']),
    ],
  },
];
