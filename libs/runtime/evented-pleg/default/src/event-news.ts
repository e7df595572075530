import type { RuntimePod } from '@podwright/container-runtime-interface';
import { ContainerEventType } from '@podwright/cri-client-interface';

/**
 * How far a container or sandbox has come. It only ever goes forward, because each attempt has an id of its own: so two
 * pieces of news about one id are ordered by what they say, whatever order they arrive in and whatever the clocks show.
 */
export type Progress = 0 | 1 | 2 | 3 | 4;

const absent: Progress = 0;
export const created: Progress = 1;
export const running: Progress = 2;
export const exited: Progress = 3;
export const removed: Progress = 4;

/** What an event says; undefined for a type that is not known. */
export function progressOfEvent(type: ContainerEventType): Progress | undefined {
  switch (type) {
    case ContainerEventType.CONTAINER_CREATED_EVENT:
      return created;
    case ContainerEventType.CONTAINER_STARTED_EVENT:
      return running;
    case ContainerEventType.CONTAINER_STOPPED_EVENT:
      return exited;
    case ContainerEventType.CONTAINER_DELETED_EVENT:
      return removed;
    default:
      return undefined;
  }
}

/** What a look has shown. */
function progressIn(pod: RuntimePod | undefined, id: string): Progress {
  const container = pod?.containers.find((one) => one.id === id);
  if (container !== undefined) {
    if (container.state === 'running') return running;
    return container.state === 'exited' ? exited : created;
  }
  const sandbox = pod?.sandboxes.find((one) => one.id === id);
  if (sandbox === undefined) return absent;
  return sandbox.ready ? running : exited;
}

/**
 * True when the looks have not shown yet what an event says. An id that no look shows may be new or gone already; only its
 * removal is then no news, all else is worth a look, however old the event is.
 */
export function isNews(pod: RuntimePod | undefined, id: string, said: Progress): boolean {
  const known = progressIn(pod, id);
  return said === removed ? known !== absent : known < said;
}
