// Colors that programs print with escape sequences (SGR), as classes. Other sequences are dropped.

export interface Span {
  readonly text: string;
  readonly classes: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with one
const SEQUENCE = /\x1b(?:\[([0-9;?]*)([ -/]*[@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;

export function parseAnsi(line: string): readonly Span[] {
  // A progress bar that overwrites itself: only its last state is shown.
  const text = line.includes('\r') ? (line.replace(/\r+$/, '').split('\r').at(-1) ?? '') : line;
  if (!text.includes('\x1b')) return [{ text, classes: '' }];
  const spans: Span[] = [];
  const style = { color: -1, bold: false, dim: false, italic: false, underline: false };
  const push = (part: string): void => {
    if (part === '') return;
    const classes = [
      style.color >= 0 ? `ansi-${style.color}` : '',
      ...(['bold', 'dim', 'italic', 'underline'] as const).map(name => (style[name] ? `ansi-${name}` : '')),
    ];
    spans.push({ text: part, classes: classes.filter(name => name !== '').join(' ') });
  };
  let end = 0;
  for (const match of text.matchAll(SEQUENCE)) {
    push(text.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[2] === 'm') apply(style, (match[1] ?? '').split(';').map(Number));
  }
  push(text.slice(end));
  return spans;
}

interface Style {
  color: number;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

function apply(style: Style, codes: readonly number[]): void {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === 0) Object.assign(style, { color: -1, bold: false, dim: false, italic: false, underline: false });
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.underline = true;
    else if (code === 22) Object.assign(style, { bold: false, dim: false });
    else if (code === 23) style.italic = false;
    else if (code === 24) style.underline = false;
    else if (code >= 30 && code <= 37) style.color = code - 30;
    else if (code >= 90 && code <= 97) style.color = code - 82;
    else if (code === 39) style.color = -1;
    else if (code === 38 && codes[i + 1] === 5) {
      style.color = (codes[i + 2] ?? 0) < 16 ? (codes[i + 2] ?? 0) : -1;
      i += 2;
    } else if ((code === 38 || code === 48) && codes[i + 1] === 2) i += 4;
    else if (code === 48 && codes[i + 1] === 5) i += 2;
  }
}

/** The text without sequences, for searching and copying. */
export const plainText = (line: string): string =>
  parseAnsi(line)
    .map(({ text }) => text)
    .join('');
