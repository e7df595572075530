import { AsyncQueue } from '@podwright/concurrency';
import type { ContainerEventResponse } from '@podwright/cri-client-interface';

// containerd also drops unread events.
const mostUnread = 1000;

/** The runtime's container events, for any number of readers. A reader gets the events after its `read` began. */
export class EventStream {
  private readonly readers = new Set<AsyncQueue<ContainerEventResponse>>();
  /** Maps each event to the events that the readers get instead. Undefined: the event itself. */
  disturbance: ((event: ContainerEventResponse) => readonly ContainerEventResponse[]) | undefined;

  get readerCount(): number {
    return this.readers.size;
  }

  publish(event: ContainerEventResponse): void {
    for (const arriving of this.disturbance?.(event) ?? [event]) {
      for (const reader of this.readers) reader.push(structuredClone(arriving));
    }
  }

  /** Ends all open streams. */
  end(): void {
    for (const reader of this.readers) reader.close();
  }

  /** Reads until the signal aborts, then throws its reason. */
  async *read(signal: AbortSignal): AsyncGenerator<ContainerEventResponse, void, undefined> {
    const reader = new AsyncQueue<ContainerEventResponse>({ capacity: mostUnread, whenFull: 'drop-oldest' });
    this.readers.add(reader);
    try {
      for (;;) {
        const { done, value } = await reader.next(signal);
        if (done === true) return;
        yield value;
      }
    } finally {
      this.readers.delete(reader);
    }
  }
}
