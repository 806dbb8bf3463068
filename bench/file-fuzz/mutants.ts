// Random edits of files: of bytes, and of single values of JSON.

/** At least 0 and below `limit`: xorshift. */
export type Random = (limit: number) => number;
export function randomOf(seed: number): Random {
  let state = (seed * 2654435761) >>> 0 || 1;
  return limit => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
const numbers = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];
const words = [
  '',
  '9'.repeat(12),
  '"',
  '{',
  '[',
  ']',
  '}',
  '\\',
  '-1',
  '1e999',
  '(a+)+$',
  '{{',
  '%}',
  '__proto__',
  'null',
  '\0',
];
function editedBytes(samples: readonly Uint8Array[], random: Random): Buffer {
  let bytes: Buffer = Buffer.from(samples[random(samples.length)]!);
  for (let edits = 1 + random(4); edits > 0; edits--) {
    const at = random(bytes.length + 1);
    // Headers decide most: half of the edits are near the start.
    const place = random(2) === 0 ? at : Math.min(at, random(64));
    const part = samples[random(samples.length)]!;
    const from = random(part.length + 1);
    switch (random(7)) {
      case 0:
        if (place < bytes.length) bytes[place] = random(256);
        break;
      case 1:
        if (place + 4 <= bytes.length) bytes.writeUInt32LE(numbers[random(numbers.length)]!, place);
        break;
      case 2:
        if (place + 4 <= bytes.length) bytes.writeUInt32BE(numbers[random(numbers.length)]!, place);
        break;
      case 3:
        bytes = bytes.subarray(0, at);
        break;
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, place),
          part.subarray(from, from + random(200)),
          bytes.subarray(place),
        ]);
        break;
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + random(40))]);
        break;
      case 6:
        bytes = Buffer.concat([
          bytes.subarray(0, place),
          Buffer.from(words[random(words.length)]!),
          bytes.subarray(place),
        ]);
    }
  }
  return bytes;
}

const values: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    2.5,
    1e300,
    -1e9,
    2 ** 31,
    2 ** 53,
    '',
    'x',
    '\uffff',
    '<s>',
    '(',
    '[',
    '\\',
    '.*+',
    '(a*)*b',
  ],
  ...[[], [[]], [null], {}, { type: 'x' }, { type: 'Sequence' }, { id: 1 }, JSON.parse('{"__proto__": {"a": 1}}')],
];
/** One value is replaced, removed, or copied to another place. */
function editedJson(json: unknown, random: Random): Buffer {
  const places: [Record<string, unknown>, string][] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const keys = Object.keys(value);
    // Of long vocabularies, a few entries are enough.
    for (const key of keys.length > 50 ? keys.slice(0, 20) : keys) {
      places.push([value as Record<string, unknown>, key]);
      collect((value as Record<string, unknown>)[key]);
    }
  };
  collect(json);
  for (let edits = 1 + random(2); edits > 0; edits--) {
    const [at, key] = places[random(places.length)] ?? [{}, 'x'];
    const [other, from] = places[random(places.length)] ?? [{}, 'x'];
    if (random(8) === 0) delete at[key];
    else at[key] = structuredClone(random(4) === 0 ? other[from] : values[random(values.length)]);
  }
  return Buffer.from(JSON.stringify(json));
}

/** An edited copy of one of the samples; most edits of JSON leave it JSON. */
export function mutant(samples: readonly Uint8Array[], random: Random): Buffer {
  if (random(4) > 0) {
    const sample = samples[random(samples.length)]!;
    try {
      if (sample[0] === 0x7b || sample[0] === 0x5b)
        return editedJson(JSON.parse(Buffer.from(sample).toString()), random);
    } catch {
      // It is not JSON.
    }
  }
  return editedBytes(samples, random);
}
