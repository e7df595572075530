import type { JournalEntry } from '@podwright/journal-interface';
import type { ComponentChildren, JSX } from 'preact';
import { memo } from './memo.js';
import { podHref } from '../state/route.js';
import { clock, dateAndClock, ofField, wordsOf } from '../text/quantities.js';
import { PodName, Text } from '../text/foreign-text.js';

/** Kinds that are no good news; so is every entry with an error. */
const alarmingKinds = /refused|failed|lost|oom|eviction|sync\.paused/;

interface EntriesProps {
  readonly entries: readonly JournalEntry[];
  /** False on a pod's own page. */
  readonly withPod: boolean;
  readonly label: string;
}

/** Decisions, each with all of its fields. */
export function JournalEntries({ entries, withPod, label }: EntriesProps): JSX.Element {
  return (
    <ol class="entries" aria-label={label}>
      {entries.map((entry) => (
        <Entry key={entry.seq} entry={entry} withPod={withPod} />
      ))}
    </ol>
  );
}

const Entry = memo(({ entry, withPod }: { readonly entry: JournalEntry; readonly withPod: boolean }): JSX.Element => {
  const pod = 'pod' in entry ? entry.pod : undefined;
  return (
    <li>
      <time dateTime={new Date(entry.atMs).toISOString()} title={dateAndClock(entry.atMs)}>
        {clock(entry.atMs)}
      </time>
      <span class={`kind${'error' in entry || alarmingKinds.test(entry.kind) ? ' alarming' : ''}`}>{entry.kind}</span>
      <span class="facts">
        {withPod && pod !== undefined && (
          <a class="entry-pod" href={podHref(pod)}>
            <PodName namespace={pod.namespace} name={pod.name} />
          </a>
        )}
        {factsOf(entry).map(([name, value]) => (
          <span key={name} class="fact">
            <span class="quiet">{wordsOf(name)}</span> {shown(name, value)}
          </span>
        ))}
      </span>
    </li>
  );
});

const ownColumns = ['kind', 'seq', 'atMs', 'pod'];
const factsOf = (entry: JournalEntry): [string, unknown][] =>
  Object.entries(entry).filter(
    ([name, value]) =>
      !ownColumns.includes(name) && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );

/** Ids of containers and sandboxes. */
const longId = /^[0-9a-f]{64}$/;

function shown(name: string, value: unknown): ComponentChildren {
  if (typeof value === 'number') return ofField(name, value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') {
    return longId.test(value) ? <Text>{`${value.slice(0, 12)}…`}</Text> : <Text>{value}</Text>;
  }
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return <Text>{value.join(', ')}</Text>;
  return <Text>{JSON.stringify(value)}</Text>;
}
