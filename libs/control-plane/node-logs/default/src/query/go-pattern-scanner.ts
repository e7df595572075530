/** Thrown for an invalid pattern; the message is Go's. */
export class PatternFault extends Error {}

const posixClass = /^\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/;

/** Reads the parts of a pattern of Go's regexp package one by one. Every method throws {@link PatternFault}. */
export class GoPatternScanner {
  position = 0;

  constructor(private readonly pattern: string) {}

  get atEnd(): boolean {
    return this.position >= this.pattern.length;
  }

  peek(ahead = 0): string {
    return this.pattern[this.position + ahead] ?? '';
  }

  /** The next character; empty at the end. */
  take(): string {
    const code = this.pattern.codePointAt(this.position);
    const char = code === undefined ? '' : String.fromCodePoint(code);
    this.position += char.length;
    return char;
  }

  takeIf(char: string): boolean {
    if (this.peek() !== char) return false;
    this.take();
    return true;
  }

  /** A fault in the text since `start`. */
  fault(problem: string, start: number, end = this.position): PatternFault {
    return new PatternFault(`error parsing regexp: ${problem}: \`${this.pattern.slice(start, end)}\``);
  }

  faultOfAll(problem: string): PatternFault {
    return this.fault(problem, 0, this.pattern.length);
  }

  /** Reads `(`, `(?:`, `(?P<name>` or `(?flags:`; or `(?flags)`, which opens no group. */
  groupStart(): 'group' | 'flags' {
    const start = this.position;
    const rest = this.pattern.slice(start);
    if (this.peek(1) !== '?') {
      this.take();
      return 'group';
    }
    if (/^\(\?P<./s.test(rest) || /^\(\?<./s.test(rest)) {
      const end = rest.indexOf('>');
      if (end < 0) throw this.fault('invalid named capture', start, this.pattern.length);
      this.position = start + end + 1;
      if (!/^\(\?P?<\w+>$/.test(rest.slice(0, end + 1))) throw this.fault('invalid named capture', start);
      return 'group';
    }
    this.position += 2;
    let isNegated = false;
    let hasFlag = false;
    while (!this.atEnd) {
      const char = this.take();
      if ('imsU'.includes(char)) {
        hasFlag = true;
      } else if (char === '-' && !isNegated) {
        isNegated = true;
        hasFlag = false;
      } else if ((char === ':' || char === ')') && (!isNegated || hasFlag)) {
        return char === ':' ? 'group' : 'flags';
      } else {
        break;
      }
    }
    throw this.fault('invalid or unsupported Perl syntax', start);
  }

  /**
   * Reads `{n}`, `{n,}` or `{n,m}`; undefined for a literal brace. `most`: the number that counts against the limit.
   */
  repeatCount(): { readonly isValid: boolean; readonly most: number } | undefined {
    const match = /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/.exec(this.pattern.slice(this.position));
    if (match === null) return undefined;
    this.position += match[0].length;
    const least = Number(match[1]);
    const most = match[3] !== undefined ? Number(match[3]) : match[2] === undefined ? least : undefined;
    const isValid = least <= 1000 && (most === undefined || (most <= 1000 && least <= most));
    return { isValid, most: most ?? least };
  }

  characterClass(): void {
    const start = this.position;
    this.take();
    this.takeIf('^');
    for (let first = true; this.atEnd || this.peek() !== ']' || first; first = false) {
      if (this.pattern.startsWith('[:', this.position) && this.namedClass()) continue;
      if (this.peek() === '\\' && (this.unicodeClass() || this.perlClass())) continue;
      const range = this.position;
      const low = this.classCharacter(start);
      if (this.peek() !== '-' || this.peek(1) === ']' || this.peek(1) === '') continue;
      this.take();
      if (this.classCharacter(start) < low) throw this.fault('invalid character class range', range);
    }
    this.take();
  }

  /** Reads an escape; false when it matches nothing, as `\Q\E`. */
  escape(): boolean {
    const start = this.position;
    const kind = this.peek(1);
    if (kind === 'C') {
      this.position += 2;
      throw this.fault('invalid escape sequence', start);
    }
    if ('AbBz'.includes(kind) && kind !== '') {
      this.position += 2;
      return true;
    }
    if (kind === 'Q') {
      const end = this.pattern.indexOf('\\E', start + 2);
      this.position = end < 0 ? this.pattern.length : end + 2;
      return (end < 0 ? this.pattern.length : end) > start + 2;
    }
    if (!this.unicodeClass() && !this.perlClass()) this.escapedCharacter();
    return true;
  }

  // A colon without its end is a literal; with an end, the name must be known.
  private namedClass(): boolean {
    const rest = this.pattern.slice(this.position);
    const end = rest.indexOf(':]', 2);
    if (end < 0) return false;
    const start = this.position;
    this.position += end + 2;
    if (!posixClass.test(rest)) throw this.fault('invalid character class range', start);
    return true;
  }

  private unicodeClass(): boolean {
    if (this.peek(1) !== 'p' && this.peek(1) !== 'P') return false;
    const start = this.position;
    this.position += 2;
    let name = this.take();
    if (name === '{') {
      const end = this.pattern.indexOf('}', start);
      if (end < 0) throw this.fault('invalid character class range', start, this.pattern.length);
      name = this.pattern.slice(this.position, end);
      this.position = end + 1;
    }
    if (!isUnicodeTable(name.replace(/^\^/, ''))) throw this.fault('invalid character class range', start);
    return true;
  }

  private perlClass(): boolean {
    const kind = this.peek(1);
    if (kind === '' || !'dDsSwW'.includes(kind)) return false;
    this.position += 2;
    return true;
  }

  private classCharacter(classStart: number): number {
    if (this.atEnd) throw this.fault('missing closing ]', classStart);
    return this.peek() === '\\' ? this.escapedCharacter() : (this.take().codePointAt(0) ?? 0);
  }

  private escapedCharacter(): number {
    const start = this.position;
    this.take();
    if (this.atEnd) throw this.fault('trailing backslash at end of expression', start, start);
    const char = this.take();
    const invalid = (): PatternFault => this.fault('invalid escape sequence', start);
    const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(this.pattern.slice(start + 1))?.[0];
    if (octal !== undefined) {
      this.position = start + 1 + octal.length;
      return Number.parseInt(octal, 8);
    }
    if (char === 'x') return this.hexCharacter(invalid);
    const control = 'afnrtv'.indexOf(char);
    if (control >= 0) return [7, 12, 10, 13, 9, 11][control] ?? 0;
    const code = char.codePointAt(0) ?? 0;
    if (code >= 0x80 || /[A-Za-z0-9]/.test(char)) throw invalid();
    return code;
  }

  private hexCharacter(invalid: () => PatternFault): number {
    if (this.atEnd) throw invalid();
    const first = this.take();
    if (first !== '{') {
      const digits = first + this.take();
      if (!/^[0-9A-Fa-f]{2}$/.test(digits)) throw invalid();
      return Number.parseInt(digits, 16);
    }
    let value = 0;
    for (let count = 0; ; count++) {
      if (this.atEnd) throw invalid();
      const digit = this.take();
      if (digit === '}' && count > 0) return value;
      if (!/^[0-9A-Fa-f]$/.test(digit)) throw invalid();
      value = value * 16 + Number.parseInt(digit, 16);
      if (value > 0x10ffff) throw invalid();
    }
  }
}

/** Whether Unicode has a general category or script of that name. */
function isUnicodeTable(name: string): boolean {
  if (['Any', 'ASCII', 'Assigned'].includes(name)) return true;
  if (!/^\w+$/.test(name)) return false;
  return ['General_Category', 'Script'].some((property) => {
    try {
      return new RegExp(`\\p{${property}=${name}}`, 'u').flags === 'u';
    } catch {
      return false; // An unknown name throws; that is the answer.
    }
  });
}
