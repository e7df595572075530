import { KubeletError } from '@podwright/errors';
import type { DecodeFault, SourceDocument, SourceValue } from './source-value.js';
import { childPath, maxDepth } from './source-value.js';

/**
 * Parses JSON and keeps what `JSON.parse` loses: duplicate keys and their lines, exact integers beyond 2^53, the line
 * of a syntax error.
 * @throws KubeletError `invalid-argument` for text that is no JSON.
 */
export function readJson(text: string): SourceDocument {
  const reader = new JsonReader(text);
  const value = reader.readDocument();
  return { value, faults: reader.faults };
}

class JsonReader {
  readonly faults: DecodeFault[] = [];
  private position = 0;

  constructor(private readonly text: string) {}

  readDocument(): SourceValue {
    const value = this.readValue('', 0);
    this.skipSpace();
    if (this.position < this.text.length) throw this.syntaxError('text after the end of the value');
    return value;
  }

  private readValue(path: string, depth: number): SourceValue {
    if (depth > maxDepth) throw this.syntaxError(`nested deeper than ${maxDepth} levels`);
    this.skipSpace();
    switch (this.text[this.position]) {
      case '{':
        return this.readObject(path, depth);
      case '[':
        return this.readList(path, depth);
      case '"':
        return this.readString();
      default:
        return this.readWord();
    }
  }

  private readObject(path: string, depth: number): SourceValue {
    const result = Object.create(null) as Record<string, SourceValue>;
    this.position += 1;
    if (this.takes('}')) return result;
    do {
      this.skipSpace();
      if (this.text[this.position] !== '"') throw this.syntaxError('expected a key in double quotes');
      const key = this.readString();
      const place = childPath(path, key);
      // Each fault scans the text for its line, so the list of a file full of duplicates is bounded.
      if (key in result && this.faults.length < 100) {
        this.faults.push({ kind: 'duplicate-key', path: place, message: `duplicate key (line ${this.line()})` });
      }
      if (!this.takes(':')) throw this.syntaxError(`expected ':' after key ${JSON.stringify(key)}`);
      result[key] = this.readValue(place, depth + 1);
    } while (this.takes(','));
    if (!this.takes('}')) throw this.syntaxError("expected ',' or '}'");
    return result;
  }

  private readList(path: string, depth: number): SourceValue {
    const result: SourceValue[] = [];
    this.position += 1;
    if (this.takes(']')) return result;
    do {
      result.push(this.readValue(`${path}[${result.length}]`, depth + 1));
    } while (this.takes(','));
    if (!this.takes(']')) throw this.syntaxError("expected ',' or ']'");
    return result;
  }

  private readString(): string {
    const start = this.position;
    let end = start + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    const literal = this.text.slice(start, end + 1);
    try {
      const value = JSON.parse(literal) as string;
      this.position = end + 1;
      // As Go: half of a character is none.
      return value.replaceAll(/\p{Surrogate}/gu, '\ufffd');
    } catch (error) {
      throw this.syntaxError('invalid string', error);
    }
  }

  private readWord(): SourceValue {
    const word = /[^\s,:{}[\]"]*/y;
    word.lastIndex = this.position;
    const [text = ''] = word.exec(this.text) ?? [];
    if (text === '') {
      throw this.syntaxError(this.position >= this.text.length ? 'unexpected end of the text' : 'expected a value');
    }
    const value = scalar(text);
    if (value === undefined) throw this.syntaxError(`${JSON.stringify(text.slice(0, 40))} is not a JSON value`);
    this.position += text.length;
    return value;
  }

  private takes(character: string): boolean {
    this.skipSpace();
    if (this.text[this.position] !== character) return false;
    this.position += 1;
    return true;
  }

  private skipSpace(): void {
    while (this.position < this.text.length && ' \t\r\n'.includes(this.text.charAt(this.position))) this.position += 1;
  }

  private line(): number {
    return this.text.slice(0, this.position).split('\n').length;
  }

  private syntaxError(message: string, cause?: unknown): KubeletError {
    return new KubeletError(`invalid JSON at line ${this.line()}: ${message}`, { code: 'invalid-argument', cause });
  }
}

function scalar(text: string): SourceValue | undefined {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  const isLongInteger = /^-?\d+$/.test(text) && !Number.isSafeInteger(number) && text.length <= 40;
  return isLongInteger ? BigInt(text) : number;
}
