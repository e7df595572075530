import type { JournalEntry } from '@podwright/journal-interface';

export interface EncodedEntry {
  readonly entry: JournalEntry;
  /** The entry as JSON, without a line break. */
  readonly line: string;
}

const longestText = 1_000;
const longestList = 20;

/** Cuts an entry whose JSON is longer than `maxBytes`. Throws for one that is no JSON. */
export function encodeEntry(entry: JournalEntry, maxBytes: number): EncodedEntry {
  const line = JSON.stringify(entry);
  if (line.length <= maxBytes) return { entry, line };
  const cut = JSON.stringify({ ...entry, cut: true }, (_name, value: unknown) => {
    if (typeof value === 'string' && value.length > longestText) return value.slice(0, longestText);
    return Array.isArray(value) && value.length > longestList ? value.slice(0, longestList) : value;
  });
  return { entry: JSON.parse(cut) as JournalEntry, line: cut };
}
