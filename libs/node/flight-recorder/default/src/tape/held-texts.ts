interface HeldText<T> {
  readonly value: T;
  readonly bytes: number;
  /** What it is about; it is forgotten with that. */
  readonly subject: string;
}

/** Values by name, of which only the ones used last are kept when they become too many bytes. */
export class HeldTexts<T> {
  // In the order of use: a Map keeps that of insertion.
  private readonly texts = new Map<string, HeldText<T>>();
  private readonly bySubject = new Map<string, Set<string>>();
  private heldBytes = 0;

  constructor(private readonly mostBytes: number) {}

  get bytes(): number {
    return this.heldBytes;
  }

  get(name: string): T | undefined {
    return this.texts.get(name)?.value;
  }

  values(): readonly T[] {
    return [...this.texts.values()].map(({ value }) => value);
  }

  /** Replaces the value of that name; `bytes` without what every entry costs. */
  set(name: string, value: T, bytes: number, subject = ''): void {
    this.forget(name);
    const text = { value, subject, bytes: bytes + 2 * name.length + entryBytes };
    this.texts.set(name, text);
    this.heldBytes += text.bytes;
    if (subject !== '') this.namesOf(subject).add(name);
    for (const oldest of this.texts.keys()) {
      if (this.heldBytes <= this.mostBytes) return;
      this.forget(oldest);
    }
  }

  subjects(): readonly string[] {
    return [...this.bySubject.keys()];
  }

  forget(name: string): void {
    const text = this.texts.get(name);
    if (text === undefined) return;
    this.texts.delete(name);
    this.heldBytes -= text.bytes;
    const names = this.bySubject.get(text.subject);
    names?.delete(name);
    if (names?.size === 0) this.bySubject.delete(text.subject);
  }

  forgetSubject(subject: string): void {
    for (const name of this.bySubject.get(subject) ?? []) this.forget(name);
  }

  private namesOf(subject: string): Set<string> {
    const known = this.bySubject.get(subject);
    if (known !== undefined) return known;
    const names = new Set<string>();
    this.bySubject.set(subject, names);
    return names;
  }
}

// About what an entry of two maps takes beside its texts.
const entryBytes = 200;
