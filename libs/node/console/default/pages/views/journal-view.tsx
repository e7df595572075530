import type { JournalPage } from '@podwright/console-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { JournalEntries } from '../parts/journal-entries.js';
import { Empty, Fault } from '../parts/panel.js';
import { ask, errorOf } from '../state/ask.js';
import { droppedEntries, entries } from '../state/journal-state.js';
import { count } from '../text/quantities.js';

/** By the first word of a kind. */
const groups: Readonly<Record<string, RegExp>> = {
  all: /^/,
  'pods: received, queued, synced, ended': /^(?:pod|manifest|sync)\./,
  volumes: /^volumes?\./,
  sandboxes: /^sandbox\./,
  images: /^image\./,
  containers: /^(?:container|hook|oom)\./,
  probes: /^probe\./,
  statuses: /^status\./,
  'the node: evictions, conditions, lease': /^(?:eviction|node|lease|oom|journal|image\.gc)/,
  'failures and refusals': /refused|failed|lost|eviction|oom|ignored|sync\.paused/,
};

const atFirst = 80;
const more = 150;

/** What the managers decided, newest first, live. */
export function JournalView(): JSX.Element {
  const [group, setGroup] = useState('all');
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(atFirst);
  const { paused, setPaused, live, waiting } = usePause();
  const [older, setOlder] = useState<OlderEntries>({ entries: [], done: false });
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = (entry: JournalEntry): boolean =>
    (groups[group]?.test(entry.kind) ?? true) && (words.length === 0 || hasAll(entry, words));
  const all = [...live, ...older.entries].filter(fits);
  const showMore = async (): Promise<void> => {
    if (all.length <= most && !older.done) {
      const last = older.entries.at(-1) ?? live.at(-1);
      setOlder(await withOlder(older, last?.seq));
    }
    setMost(most + more);
  };
  return (
    <div class="view">
      <div class="view-title">
        <h1>Journal</h1>
        <p class="quiet">
          what the kubelet decided, and from which facts
          {droppedEntries.value > 0 && `; ${count(droppedEntries.value, 'entry', 'entries')} came too fast to be shown`}
        </p>
        <div class="controls">
          <label>
            <span>Filter</span>
            <input
              type="search"
              value={search}
              placeholder="pod, reason, words …"
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          </label>
          <label>
            <span>Kinds</span>
            <select value={group} onChange={({ currentTarget }) => setGroup(currentTarget.value)}>
              {Object.keys(groups).map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
            {paused ? `Go on (${waiting} new)` : 'Pause'}
          </button>
        </div>
      </div>
      {all.length === 0 ? (
        <Empty>{live.length === 0 ? 'Nothing was decided yet.' : 'No entry fits the filter.'}</Empty>
      ) : (
        <JournalEntries entries={all.slice(0, most)} withPod label="Journal, newest first" />
      )}
      {older.error !== undefined && <Fault>{older.error}</Fault>}
      {older.done && all.length <= most ? (
        <p class="quiet">That is all that the journal keeps.</p>
      ) : (
        <button type="button" class="older" onClick={() => void showMore()}>
          Older
        </button>
      )}
    </div>
  );
}

/** The live entries, held still while paused. */
function usePause(): {
  readonly paused: boolean;
  readonly setPaused: (paused: boolean) => void;
  readonly live: readonly JournalEntry[];
  readonly waiting: number;
} {
  const [held, setHeld] = useState<readonly JournalEntry[] | undefined>(undefined);
  const newest = held?.[0]?.seq ?? 0;
  return {
    paused: held !== undefined,
    setPaused: (paused) => setHeld(paused ? entries.value : undefined),
    live: held ?? entries.value,
    waiting: held === undefined ? 0 : entries.value.filter(({ seq }) => seq > newest).length,
  };
}

const hasAll = (entry: JournalEntry, words: readonly string[]): boolean => {
  const text = JSON.stringify(entry).toLowerCase();
  return words.every((word) => text.includes(word));
};

interface OlderEntries {
  readonly entries: readonly JournalEntry[];
  readonly done: boolean;
  readonly error?: string;
}

async function withOlder(older: OlderEntries, before: number | undefined): Promise<OlderEntries> {
  const path = `data/journal?limit=500${before === undefined ? '' : `&before=${before}`}`;
  return ask<JournalPage>(path).then(
    (page): OlderEntries => ({ entries: [...older.entries, ...page.entries], done: !page.more }),
    (error: unknown) => ({ ...older, ...errorOf(error) }),
  );
}
