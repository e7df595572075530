import { describeColumns, TabWriter } from '../output/tab-writer.js';

/** Text of `kubectl describe`: lines with an indentation of two spaces a level, and cells that end with tabs. */
export class Description {
  private readonly writer = new TabWriter(describeColumns);
  private done = '';

  constructor(readonly nowMs: number) {}

  /** Writes at the level's indentation, without a line break. */
  write(level: number, text: string): void {
    this.writer.write('  '.repeat(level) + text);
  }

  line(level: number, text: string): void {
    this.write(level, `${text}\n`);
  }

  /** Later lines start new columns. */
  endColumns(): void {
    this.done += this.writer.flush();
  }

  text(): string {
    this.endColumns();
    return this.done;
  }

  /** A title and one `key=value` a line, as of labels. */
  pairs(title: string, values: Readonly<Record<string, string>> | undefined, level = 0): void {
    const keys = Object.keys(values ?? {}).sort();
    this.listed(
      title,
      keys.map((key) => `${key}=${values?.[key] ?? ''}`),
      level,
    );
  }

  /** A title and one entry a line below each other, or `<none>`. */
  listed(title: string, entries: readonly string[], level = 0): void {
    const [first = '<none>', ...others] = entries;
    this.line(level, `${title}:\t${first}`);
    for (const entry of others) this.line(level, `\t${entry}`);
  }

  /** Annotations: long values and those of several lines stand below their key. */
  annotations(values: Readonly<Record<string, string>> = {}): void {
    const keys = Object.keys(values).filter((key) => key !== 'kubectl.kubernetes.io/last-applied-configuration');
    if (keys.length === 0) return this.line(0, 'Annotations:\t<none>');
    this.write(0, 'Annotations:\t');
    for (const [index, key] of keys.sort().entries()) {
      if (index > 0) this.write(0, '\t');
      const value = (values[key] ?? '').replace(/\n$/, '');
      if (value.length + key.length + 2 <= longestAnnotation && !value.includes('\n')) {
        this.line(0, `${key}: ${value}`);
        continue;
      }
      this.line(0, `${key}:`);
      for (const part of value.split('\n')) this.line(0, `\t  ${shortened(part, longestAnnotation - 2)}`);
    }
  }
}

const longestAnnotation = 140;

export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}
