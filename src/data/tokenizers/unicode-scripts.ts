// The pre-tokenizer UnicodeScripts: splits a text where the script of its letters changes. Kana counts as Han; spaces, and
// characters that Hugging Face's table does not know, belong to every script.
import { newerThanScripts } from '../text/unicode-differences.ts';

const names = `
  Common Latin Bopomofo Inherited Greek Coptic Cyrillic Armenian Hebrew Arabic Syriac Thaana Nko Samaritan Mandaic
  Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian
  Hangul Ethiopic Cherokee Canadian_Aboriginal Ogham Runic Tagalog Hanunoo Buhid Tagbanwa Khmer Mongolian Limbu Tai_Le
  New_Tai_Lue Buginese Tai_Tham Balinese Sundanese Batak Lepcha Ol_Chiki Braille Glagolitic Tifinagh Han Yi Lisu Vai Bamum
  Syloti_Nagri Phags_Pa Saurashtra Kayah_Li Rejang Javanese Cham Tai_Viet Meetei_Mayek Linear_B Lycian Carian Old_Italic
  Gothic Old_Permic Ugaritic Old_Persian Deseret Shavian Osmanya Osage Elbasan Caucasian_Albanian Linear_A Cypriot
  Imperial_Aramaic Palmyrene Nabataean Hatran Phoenician Lydian Meroitic_Hieroglyphs Meroitic_Cursive Kharoshthi
  Old_South_Arabian Old_North_Arabian Manichaean Avestan Inscriptional_Parthian Inscriptional_Pahlavi Psalter_Pahlavi
  Old_Turkic Old_Hungarian Brahmi Kaithi Sora_Sompeng Chakma Mahajani Sharada Khojki Multani Khudawadi Grantha Newa
  Tirhuta Siddham Modi Takri Ahom Warang_Citi Pau_Cin_Hau Bhaiksuki Marchen Cuneiform Egyptian_Hieroglyphs
  Anatolian_Hieroglyphs Mro Bassa_Vah Pahawh_Hmong Miao Tangut Duployan SignWriting Mende_Kikakui Adlam`;
const newer = new RegExp(`[ ${newerThanScripts}]`, 'u');
/** Characters whose script has changed since, and the long-vowel mark of kana, which is Common. */
const changed = new Map([
  ['\u0589', 'Common'],
  ['\u061c', 'Common'],
  ['\u0953', 'Devanagari'],
  ['\u0954', 'Devanagari'],
  ['\u30fc', 'Han'],
]);
let expressions: readonly (readonly [script: string, expression: RegExp])[] | undefined;

/** Undefined: it belongs to every script. */
function scriptOf(character: string): string | undefined {
  if (newer.test(character)) return undefined;
  expressions ??= [
    ...names
      .trim()
      .split(/\s+/)
      .map(name => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const),
    ['Han', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ];
  return changed.get(character) ?? expressions.find(([, expression]) => expression.test(character))?.[0];
}

/** The parts of a text; as in the Rust library, without the characters before its first script. */
export function splitAtScripts(text: string): readonly string[] {
  const known = new Map<string, string | undefined>();
  const starts: number[] = [];
  let last: string | undefined;
  let at = 0;
  for (const character of text) {
    if (!known.has(character)) known.set(character, scriptOf(character));
    const script = known.get(character);
    if (script !== undefined && script !== last) {
      starts.push(at);
      last = script;
    }
    at += character.length;
  }
  return starts.map((start, i) => text.slice(start, starts[i + 1]));
}
