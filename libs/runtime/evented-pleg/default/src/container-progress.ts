import type { RuntimePod } from '@podwright/container-runtime-interface';
import { ContainerEventType } from '@podwright/cri-client-interface';

/**
 * How far a container or sandbox has come. Each attempt has its own id, so progress never goes back: two reports about
 * one id are ordered by their progress, whatever order they arrive in and whatever the clocks show.
 */
export type Progress = 0 | 1 | 2 | 3 | 4;

const absent: Progress = 0;
export const created: Progress = 1;
export const running: Progress = 2;
export const exited: Progress = 3;
export const removed: Progress = 4;

/** The progress that an event reports; undefined for an unknown type. */
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

/** The progress that a relist has shown. */
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
 * True when no relist has shown yet what the event reports. A container that no relist shows may be new or already
 * removed, so only its removal counts as confirmed; any other event needs a relist, however old it is.
 */
export function isUnconfirmed(pod: RuntimePod | undefined, id: string, said: Progress): boolean {
  const known = progressIn(pod, id);
  return said === removed ? known !== absent : known < said;
}
