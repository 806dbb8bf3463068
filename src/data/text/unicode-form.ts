// Unicode's normalization forms as Hugging Face's tokenizers compute them: by Unicode 15, whatever the version of the engine.
import { keptByCompatibility, unassignedMarks, undecomposed } from './unicode-differences.ts';

/** A normalization form (Unicode Standard Annex 15). */
export type UnicodeForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

const unknown = `${undecomposed}${unassignedMarks}`;
const known = {
  canonical: new RegExp(`[^${unknown}]+`, 'gv'),
  compatibility: new RegExp(`[^${unknown}${keptByCompatibility}]+`, 'gv'),
};
const composedToday = new RegExp(`[${undecomposed}]`, 'gv');

/** The function that brings text into a form. */
export function unicodeForm(form: UnicodeForm): (text: string) => string {
  // Marks are not reordered across a character that Unicode 15 does not know, nor does anything compose with one.
  const parts = form.startsWith('NFK') ? known.compatibility : known.canonical;
  const composes = form === 'NFC' || form === 'NFKC';
  return text =>
    text.replace(parts, part => {
      const normalized = part.normalize(form);
      return composes ? normalized.replace(composedToday, composed => composed.normalize('NFD')) : normalized;
    });
}
