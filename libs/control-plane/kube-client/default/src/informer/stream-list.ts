import type { KubeObject } from '@podwright/kube-client-interface';
import { KubeApiError } from '@podwright/kube-client-interface';
import { formatGoDuration, linkSignals, type Clock } from '@podwright/time';
import { objectKeyOf } from './object-store.js';
import type { ReflectorLog } from './reflector-log.js';
import type { OpenWatch, ResourceSource } from './resource-source.js';

export interface StreamedList<T extends KubeObject> {
  readonly objects: readonly T[];
  readonly resourceVersion: string;
  /** The watch that delivered the list; continues with later events. */
  readonly open: OpenWatch<T>;
}

export interface StreamListDeps<T extends KubeObject> {
  readonly source: ResourceSource<T>;
  readonly clock: Clock;
  readonly log: ReflectorLog;
}

// As upstream: log after this long without an event.
const silenceMs = 10_000;
// A server without streamed lists treats the request as a plain watch and never marks the end of the list.
const mostSilences = 6;

/**
 * Fetches a list as the first events of a watch, up to the bookmark that ends it, so that neither server nor client
 * holds the list as one text. Undefined when the watch ended before; rejects as a watch does, and with `unimplemented`
 * after a minute without an event. Source: kubernetes v1.36 client-go/tools/cache/reflector.go, watchList.
 */
export async function streamList<T extends KubeObject>(
  { source, clock, log }: StreamListDeps<T>,
  resourceVersion: string,
  timeoutSeconds: number,
  parent: AbortSignal,
): Promise<StreamedList<T> | undefined> {
  const { signal, abort, dispose } = linkSignals(parent);
  let silences = 0;
  let timer = clock.setTimer(silenceMs, onSilence);
  function onSilence(): void {
    timer = clock.setTimer(silenceMs, onSilence);
    const elapsed = formatGoDuration(++silences * silenceMs);
    if (silences < mostSilences) {
      const err = `awaiting required bookmark event for initial events stream, no events received for ${elapsed}`;
      if (silences === 1) log.warn('Event bookmark expired', { err });
      else log.debug(2, 'Event bookmark expired', { err });
      return;
    }
    const message = `the server did not end the list that it streams, no events received for ${elapsed}`;
    abort(new KubeApiError(message, { code: 'unimplemented', httpStatus: 200 }));
  }
  let open: OpenWatch<T> | undefined;
  let handedOn = false;
  try {
    const query = { resourceVersion, resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true };
    open = await source.watch(query, timeoutSeconds, signal);
    const objects = new Map<string, T>();
    for (;;) {
      const { done, value: event } = await open.events.next();
      if (done === true) return undefined;
      silences = 0;
      if (event.type === 'DELETED') objects.delete(objectKeyOf(event.object));
      else if (event.type !== 'BOOKMARK') objects.set(objectKeyOf(event.object), source.keep(event.object));
      else if (event.initialEventsEnd) {
        handedOn = true;
        const streamed = { objects: [...objects.values()], resourceVersion: event.resourceVersion };
        const whole = open;
        const end = async (): Promise<void> => {
          dispose();
          await whole.end();
        };
        return { ...streamed, open: { events: whole.events, end } };
      }
    }
  } finally {
    timer.cancel();
    if (!handedOn) {
      dispose();
      await open?.end();
    }
  }
}
