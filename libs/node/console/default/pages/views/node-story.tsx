import type { NodeExplanation } from '@podwright/explain-interface';
import type { ComponentChildren, JSX } from 'preact';
import { Panel } from '../parts/panel.js';
import { podHref } from '../state/route.js';
import { bytes, dateAndClock, duration, ofSignal } from '../text/quantities.js';
import { PodName, Text } from '../text/foreign-text.js';

/** What happened on the node of late, and what would be next. Parts without content are left out. */
export function NodeStory({ told }: { readonly told: NodeExplanation }): JSX.Element {
  return (
    <div class="columns">
      <Part title="Errors" items={[...told.runtimeErrors, ...told.networkErrors]}>
        {(error) => <Text class="alarming">{error}</Text>}
      </Part>
      <Part title="Calls to the API server that fail" items={told.contacts}>
        {({ what, sinceMs, error, advice }) => (
          <>
            <b>{what}</b> <At ms={sinceMs} /> <Text>{error}</Text> {advice !== undefined && <Text>{advice}</Text>}
          </>
        )}
      </Part>
      <Part title="Conditions" items={told.conditions}>
        {({ type, status, reason, message, sinceMs }) => (
          <>
            <b>
              <Text>{type}</Text> is {status}
            </b>{' '}
            {sinceMs !== undefined && <At ms={sinceMs} />} <Text>{reason}</Text>: <Text>{message}</Text>
          </>
        )}
      </Part>
      <Part title="Who would be evicted first" items={told.next}>
        {({ namespace, name, signal, usage, request, priority }) => (
          <>
            <PodLink namespace={namespace} name={name} />{' '}
            <span class="quiet">
              {signal}: {usage === undefined ? '' : `uses ${ofSignal(signal, usage)}, `}requested{' '}
              {ofSignal(signal, request)}, priority {priority}
            </span>
          </>
        )}
      </Part>
      <Part title="Evictions of the last day" items={told.evictions}>
        {({ atMs, namespace, name, message }) => (
          <>
            <At ms={atMs} /> <PodLink namespace={namespace} name={name} /> <Text>{message}</Text>
          </>
        )}
      </Part>
      <Part title="Times when the node was not Ready" items={told.outages}>
        {({ fromMs, untilMs, reason, message }) => (
          <>
            <At ms={fromMs} /> {untilMs === undefined ? 'until now' : `for ${duration(untilMs - fromMs)}`},{' '}
            <Text>{reason}</Text>: <Text>{message}</Text>
          </>
        )}
      </Part>
      <Part title="Removed images" items={told.imageRemovals}>
        {({ atMs, image, cause, sizeBytes, unusedMs, error }) => (
          <>
            <At ms={atMs} /> <Text>{image}</Text>{' '}
            <span class="quiet">
              {bytes(sizeBytes)}, {cause}
              {unusedMs === undefined ? '' : `, unused for ${duration(unusedMs)}`}
            </span>{' '}
            {error !== undefined && <Text class="alarming">{error}</Text>}
          </>
        )}
      </Part>
      <Part title="Notes" items={told.notes}>
        {(note) => <Text>{note}</Text>}
      </Part>
    </div>
  );
}

function At({ ms }: { readonly ms: number }): JSX.Element {
  return (
    <time class="quiet" dateTime={new Date(ms).toISOString()}>
      {dateAndClock(ms)}
    </time>
  );
}

function PodLink({ namespace, name }: { readonly namespace: string; readonly name: string }): JSX.Element {
  return (
    <a href={podHref({ namespace, name })}>
      <PodName namespace={namespace} name={name} />
    </a>
  );
}

interface PartProps<T> {
  readonly title: string;
  readonly items: readonly T[];
  readonly children: (item: T) => ComponentChildren;
}

function Part<T>({ title, items, children }: PartProps<T>): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <Panel title={title}>
      <ul class="story">
        {items.map((item, index) => (
          <li key={index}>{children(item)}</li>
        ))}
      </ul>
    </Panel>
  );
}
