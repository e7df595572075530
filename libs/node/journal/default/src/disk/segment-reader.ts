import { createReadStream } from 'node:fs';
import { fitsFilter, type DecisionKind, type JournalEntry, type JournalFilter } from '@podwright/journal-interface';
import type { SegmentFiles } from './segment-files.js';

// Parsed without a pause; about a millisecond.
const chunkBytes = 64 * 2 ** 10;

/** Reads the segments, oldest first. Leaves out lines that are no entries: a kill may tear the last one. */
export async function* readSegments<K extends DecisionKind>(
  files: SegmentFiles,
  filter: JournalFilter<K>,
  signal?: AbortSignal,
): AsyncIterable<JournalEntry<K>> {
  signal?.throwIfAborted();
  for (const { file, writtenAtMs } of await files.list()) {
    if (filter.sinceMs !== undefined && writtenAtMs < filter.sinceMs) continue;
    for await (const lines of linesOf(file)) {
      signal?.throwIfAborted();
      for (const line of lines) {
        const entry = mayFit(line, filter) ? parseEntry(line) : undefined;
        if (entry !== undefined && fitsFilter(entry, filter)) yield entry;
      }
    }
  }
}

/** The whole lines of a file, a chunk of it at a time. A file that is removed meanwhile has no more lines. */
async function* linesOf(file: string): AsyncIterable<readonly string[]> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: chunkBytes })) {
      const lines = `${rest}${chunk as string}`.split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ENOENT') throw error;
  }
}

/** Most lines are about another pod, and need not be parsed. */
function mayFit(line: string, { podUid, kinds }: JournalFilter): boolean {
  return (
    (podUid === undefined || line.includes(podUid)) &&
    (kinds === undefined || kinds.some((kind) => line.includes(`"kind":"${kind}"`)))
  );
}

/** One line of a segment; undefined when it is no entry. */
export function parseEntry(line: string): JournalEntry | undefined {
  try {
    const value = JSON.parse(line) as Partial<JournalEntry> | null;
    const whole = typeof value?.kind === 'string' && typeof value.seq === 'number' && typeof value.atMs === 'number';
    return whole ? (value as JournalEntry) : undefined;
  } catch {
    // Torn by a kill, or no line of ours.
    return undefined;
  }
}
