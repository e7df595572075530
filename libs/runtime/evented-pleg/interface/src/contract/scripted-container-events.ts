import { AsyncQueue } from '@podwright/concurrency';
import type { RuntimeContainerState } from '@podwright/container-runtime-interface';
import { ContainerEventType, PodSandboxState } from '@podwright/cri-client-interface';
import type { ContainerEventResponse, RuntimeService } from '@podwright/cri-client-interface';
import type { KubeletError } from '@podwright/errors';
import { abortReason } from '@podwright/time';

const eventTypes: Readonly<Record<RuntimeContainerState | 'gone', ContainerEventType>> = {
  created: ContainerEventType.CONTAINER_CREATED_EVENT,
  running: ContainerEventType.CONTAINER_STARTED_EVENT,
  exited: ContainerEventType.CONTAINER_STOPPED_EVENT,
  unknown: ContainerEventType.UNRECOGNIZED,
  gone: ContainerEventType.CONTAINER_DELETED_EVENT,
};

/** The runtime's streams of container events, for specs of plegs: the case makes them report, break or stall. */
export class ScriptedContainerEvents implements Pick<RuntimeService, 'getContainerEvents'> {
  /** Number of streams that the pleg has opened. */
  opened = 0;
  /** When set, new streams fail with this error. */
  failWith: KubeletError | undefined;
  /** When true, new streams end at once without an error, as those of CRI-O with its events switched off. */
  endsAtOnce = false;
  private readonly streams = new Set<AsyncQueue<ContainerEventResponse>>();
  private readonly stalled = new WeakSet<AsyncQueue<ContainerEventResponse>>();

  readonly getContainerEvents: RuntimeService['getContainerEvents'] = (_request, { signal } = {}) => this.read(signal);

  get openStreams(): number {
    return this.streams.size;
  }

  /** Makes each open stream report the container's new state. The sandbox of each pod has the id `s`. */
  tell(podUid: string | undefined, containerId: string, state: RuntimeContainerState | 'gone'): void {
    const event: ContainerEventResponse = {
      containerId,
      containerEventType: eventTypes[state],
      createdAt: 0n,
      podSandboxStatus: podUid === undefined ? undefined : sandboxOf(podUid),
      containersStatuses: [],
    };
    for (const stream of this.streams) if (!this.stalled.has(stream)) stream.push(event);
  }

  /** Ends the open streams. */
  breakStreams(): void {
    for (const stream of this.streams) stream.close();
  }

  /** Keeps the open streams open, but they report nothing any more. */
  stallStreams(): void {
    for (const stream of this.streams) this.stalled.add(stream);
  }

  private async *read(signal: AbortSignal | undefined): AsyncGenerator<ContainerEventResponse, void, undefined> {
    this.opened++;
    if (this.failWith !== undefined) throw this.failWith;
    if (this.endsAtOnce) return;
    const stream = new AsyncQueue<ContainerEventResponse>({ capacity: 100, whenFull: 'drop-oldest' });
    this.streams.add(stream);
    try {
      for (;;) {
        const { done, value } = await stream.next(signal);
        if (done === true) return;
        yield value;
      }
    } catch (error) {
      throw signal?.aborted === true ? abortReason(signal) : error;
    } finally {
      this.streams.delete(stream);
    }
  }
}

function sandboxOf(uid: string): ContainerEventResponse['podSandboxStatus'] {
  return {
    id: 's',
    metadata: { uid, name: '', namespace: '', attempt: 0 },
    state: PodSandboxState.SANDBOX_READY,
    createdAt: 0n,
    network: undefined,
    linux: undefined,
    labels: {},
    annotations: {},
    runtimeHandler: '',
  };
}
