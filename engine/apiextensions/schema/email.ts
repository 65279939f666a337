/** Addresses of mail as Go's mail.ParseAddress reads them: `a@b.c`, `Name <a@b.c>`, with quoted texts and comments. Mirrors net/mail/message.go. */

/** Characters of atoms beside letters and digits. */
const atomMarks = "!#$%&'*+-/=?^_`{|}~";

export function isEmail(text: string): boolean {
  return new Reader(text).isAddress();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAddress(): boolean {
    return this.#address(true) === 1 && this.#comments() && this.#isDone();
  }

  /** How many addresses were read; a group, `name: a@b, c@d;`, has any number of them. */
  #address(mayBeGroup: boolean): number {
    if (!this.#comments() || this.#isDone()) return 0;
    const start = this.#at;
    if (this.#addrSpec() && (this.#comments(), this.#isDone() || (!mayBeGroup && /[,;]/.test(this.#text[this.#at] as string)))) return 1;
    this.#at = start;
    if (!this.#peek('<') && !this.#phrase()) return 0;
    this.#space();
    if (mayBeGroup && this.#take(':')) return this.#group();
    return this.#take('<') && this.#addrSpec() && this.#take('>') ? 1 : 0;
  }

  #group(): number {
    let count = 0;
    this.#space();
    while (!this.#take(';')) {
      if (count > 0 && !this.#take(',')) return 0;
      if (this.#address(false) === 0 || !this.#comments()) return 0;
      count++;
    }
    return count;
  }

  #isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  #peek(mark: string): boolean {
    return this.#text[this.#at] === mark;
  }

  #take(mark: string): boolean {
    if (!this.#peek(mark)) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    while (this.#peek(' ') || this.#peek('\t')) this.#at++;
  }

  /** False where one does not end. */
  #comments(): boolean {
    this.#space();
    while (this.#take('(')) {
      let depth = 1;
      while (depth > 0) {
        if (this.#isDone()) return false;
        if (this.#peek('\\') && this.#at + 1 < this.#text.length) this.#at++;
        else if (this.#peek('(')) depth++;
        else if (this.#peek(')')) depth--;
        this.#at++;
      }
      this.#space();
    }
    return true;
  }

  #addrSpec(): boolean {
    this.#space();
    const hasLocal = this.#peek('"') ? this.#quoted(false) : this.#atom(true, false);
    if (!hasLocal || !this.#take('@')) return false;
    this.#space();
    if (this.#isDone()) return false;
    return this.#peek('[') ? this.#literal() : this.#atom(true, false);
  }

  #literal(): boolean {
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) return false;
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return isAddressOfNet(inside);
  }

  /** Words before an address in brackets. */
  #phrase(): boolean {
    let words = 0;
    for (;;) {
      if (words > 0 && !this.#comments()) return false;
      this.#space();
      if (this.#isDone()) break;
      const isWord = this.#peek('"') ? this.#quoted(true) : this.#atom(true, true);
      if (!isWord) break;
      words++;
    }
    return words > 0;
  }

  #quoted(mayBeEmpty: boolean): boolean {
    const start = ++this.#at;
    while (!this.#isDone() && !this.#peek('"')) {
      if (this.#peek('\\')) this.#at++;
      const letter = this.#text[this.#at];
      if (letter === undefined || (letter !== '\t' && (letter < ' ' || letter === '\x7f'))) return false;
      this.#at++;
    }
    return (mayBeEmpty || this.#at > start) && this.#take('"');
  }

  /** Atoms with dots between them; where it is permissive, dots may stand anywhere. */
  #atom(withDots: boolean, isPermissive: boolean): boolean {
    const start = this.#at;
    while (!this.#isDone() && isAtomLetter(this.#text[this.#at] as string, withDots)) this.#at++;
    const atom = this.#text.slice(start, this.#at);
    if (atom === '') return false;
    return isPermissive || (!atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..'));
  }
}

function isAtomLetter(letter: string, withDots: boolean): boolean {
  if (letter === '.') return withDots;
  return letter > '\x7f' || /[A-Za-z0-9]/.test(letter) || atomMarks.includes(letter);
}

function isAddressOfNet(text: string): boolean {
  const plain = /^IPv6:/i.test(text) ? text.slice(5) : text;
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(plain) || (plain !== text && /^[0-9a-fA-F:.]+$/.test(plain));
}
