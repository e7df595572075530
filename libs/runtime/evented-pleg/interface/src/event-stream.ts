import { createToken } from '@podwright/assembly-interface';

/**
 * How much a pleg relies on the runtime's stream of container events:
 * - `down`: no stream is open, or it was opened too recently. The pleg relists all pods every second.
 * - `unproven`: a stream is open, but has not yet reported a change that a relist has shown. The pleg relists every ten
 *   seconds.
 * - `proven`: the stream has reported a change that a relist has shown. The pleg relists once a minute, as a safety
 *   net.
 *
 * The pleg is healthy while its last successful relist is at most three minutes old, or ten minutes unless the state is
 * `down`.
 */
export type EventStreamState = 'down' | 'unproven' | 'proven';

/**
 * The state of an evented pleg's stream. An evented pleg is a `Pleg` with `RelistControl` that relists on container
 * events.
 * Source: kubernetes v1.36 pkg/kubelet/pleg/evented.go.
 *
 * The pleg uses an event only as a reason to relist the pod, never as a status: the runtime stamps an event
 * after it has collected the status in it, so that status can be older than an earlier relist's. A lost, repeated,
 * reordered or late event therefore neither puts an old status into the cache nor makes the pleg report a change that
 * did not happen. It can only cost time:
 * - The periodic relist finds a change whose event was lost.
 * - A stream without events may be idle or stalled. The pleg treats it as stalled when a relist shows a change that no
 *   event reports within ten seconds. (For a container that failed to start, containerd reports its creation only.)
 * - When a stream breaks or stalls, the pleg relists at once, then every second until a new stream has settled. It
 *   opens the new one after a growing pause, and only when the runtime answers other calls: an unreachable runtime does
 *   not count as a failing stream.
 * - The pleg stops using events for five minutes after five streams in a row without a useful event, when a second
 *   stream stalls within that time, and at once when the runtime does not support events or ends a new stream without
 *   an error and without an event, as CRI-O does when its events are off. It tries again sooner when the runtime
 *   answers again after it did not: it may be another version. It never gives up for good.
 */
export interface EventStream {
  readonly streamState: EventStreamState;
}

export const EVENT_STREAM = createToken<EventStream>('kubelet.evented-pleg.event-stream/v1');
