/** Escapes of terminals in what programs write: colours are kept, all else that is not text is left out or shown as a sign. */
export interface Piece {
  readonly text: string;
  /** `bold`, `dim`, `red` …, separated by spaces; '' for plain text. */
  readonly look: string;
}

const escapes = String.raw`\u001b\[([0-?]*)[ -/]*([@-~])|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?`;
const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Signs of controls stand in a block of their own in Unicode; tabs are kept. */
function shown(text: string): string {
  return text.replace(hidden, (one) => {
    const code = one.codePointAt(0) ?? 0;
    if (one === '\t') return one;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : code === 0x7f ? '␡' : '�';
  });
}

export function withoutControls(text: string): string {
  return shown(text.includes('\u001b') ? text.replace(new RegExp(escapes, 'g'), '') : text);
}

export function piecesOf(text: string): readonly Piece[] {
  if (!text.includes('\u001b')) return [{ text: shown(text), look: '' }];
  const pieces: Piece[] = [];
  let looks: ReadonlySet<string> = new Set();
  let from = 0;
  const add = (to: number): void => {
    if (to > from) pieces.push({ text: shown(text.slice(from, to)), look: [...looks].join(' ') });
  };
  for (const match of text.matchAll(new RegExp(escapes, 'g'))) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') looks = changed(looks, match[1] ?? '');
  }
  add(text.length);
  return pieces;
}

/** Colours of 256 and of 16 million are left out with the numbers that belong to them. */
function changed(before: ReadonlySet<string>, parameters: string): ReadonlySet<string> {
  const looks = new Set(before);
  const codes = parameters.split(/[;:]/).map(Number);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) at += codes[at + 1] === 2 ? 4 : 2;
    else if (code === 0) looks.clear();
    else if (code === 1) looks.add('bold');
    else if (code === 2) looks.add('dim');
    else if (code === 22) for (const look of ['bold', 'dim']) looks.delete(look);
    else if ((code >= 30 && code <= 39) || (code >= 90 && code <= 97)) {
      for (const colour of colours) looks.delete(colour);
      const colour = colours[code % 10];
      if (colour !== undefined && code !== 39) looks.add(colour);
    }
  }
  return looks;
}
