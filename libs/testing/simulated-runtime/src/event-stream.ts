import { AsyncQueue } from '@podwright/concurrency';
import type { ContainerEventResponse } from '@podwright/cri-client-interface';

// containerd drops events too when nobody reads them.
const mostUnread = 1000;

/** The container events of the runtime, for any number of readers. Each sees what happens after it came. */
export class EventStream {
  private readonly readers = new Set<AsyncQueue<ContainerEventResponse>>();
  /** What becomes of an event on its way to the readers; by default it arrives. */
  disturbance: ((event: ContainerEventResponse) => readonly ContainerEventResponse[]) | undefined;

  get readerCount(): number {
    return this.readers.size;
  }

  publish(event: ContainerEventResponse): void {
    for (const arriving of this.disturbance?.(event) ?? [event]) {
      for (const reader of this.readers) reader.push(structuredClone(arriving));
    }
  }

  /** Ends every stream that is open. */
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
