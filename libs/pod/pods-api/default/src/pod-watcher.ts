import { grpcStatus } from '@podwright/grpc';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { podUid, type Pod } from '@podwright/kube-types';
import { EventType, type WatchPodsEvent, type WatchPodsRequest } from '@podwright/pods-api-interface';

export type WatchStream = ServerWritableStream<WatchPodsRequest, WatchPodsEvent>;

/** A change of one pod; `pod` is encoded. */
export interface PodEvent {
  readonly podUid: string;
  readonly pod: Uint8Array;
  readonly ended: boolean;
}

/**
 * One watch: first the pods that there were, then their changes, as fast as the client reads. An event about a pod that
 * the client has not seen is ADDED, one about the end of such a pod is left out.
 */
export class PodWatcher {
  private readonly live: PodEvent[] = [];
  private readonly seen = new Set<string>();
  private synced = false;
  private closed = false;
  /** The client has to read before more is written. */
  private full = false;

  constructor(
    private readonly stream: WatchStream,
    private readonly initial: Pod[],
    private readonly encode: (pod: Pod) => Uint8Array,
  ) {
    stream.on('drain', () => {
      this.full = false;
      this.send();
    });
  }

  /** Returns false when `most` events wait already; then the watch has ended, and wants no more. */
  offer(event: PodEvent, most: number): boolean {
    if (this.closed) return true;
    if (this.live.length >= most) {
      this.end();
      return false;
    }
    this.live.push(event);
    this.send();
    return true;
  }

  /** Sends until the client has to read first. */
  send(): void {
    while (!this.closed && !this.full) {
      const event = this.next();
      if (event === undefined) return;
      this.full = !this.stream.write(event);
    }
  }

  /** Tells the client that it was too slow. */
  private end(): void {
    this.closed = true;
    this.live.length = 0;
    this.initial.length = 0;
    const details = 'watch client channel closed';
    this.stream.emit('error', { code: grpcStatus.RESOURCE_EXHAUSTED, details });
  }

  private next(): WatchPodsEvent | undefined {
    const first = this.initial.shift();
    if (first !== undefined) {
      this.seen.add(podUid(first));
      return { type: EventType.ADDED, pod: this.encode(first) };
    }
    if (!this.synced) {
      this.synced = true;
      return { type: EventType.INITIAL_SYNC_COMPLETE, pod: new Uint8Array() };
    }
    for (let event = this.live.shift(); event !== undefined; event = this.live.shift()) {
      const known = this.seen.has(event.podUid);
      if (event.ended) {
        this.seen.delete(event.podUid);
        if (known) return { type: EventType.DELETED, pod: event.pod };
      } else {
        this.seen.add(event.podUid);
        return { type: known ? EventType.MODIFIED : EventType.ADDED, pod: event.pod };
      }
    }
    return undefined;
  }
}
