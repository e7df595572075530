import type { Story } from '../story.js';
import type { PodState } from './pod-state.js';

/** What each step answers from. */
export interface PodQuestion {
  readonly story: Story;
  /** Entries about the node. */
  readonly node: Story;
  readonly state: PodState;
  readonly nowMs: number;
}

/** Whether the pod has got its sandbox, in this or an earlier process. */
export function hasStarted({ story, state }: PodQuestion): boolean {
  const created = story.last('sandbox.created');
  const statuses = [...(state.status?.initContainerStatuses ?? []), ...(state.status?.containerStatuses ?? [])];
  return (
    state.sandboxReady ||
    created !== undefined ||
    statuses.some(
      ({ state: container, lastState }) =>
        (container?.running ?? container?.terminated ?? lastState?.terminated) !== undefined,
    )
  );
}

/** Whether its containers are to stop, or have stopped for good. */
export function isEnding({ story, state }: PodQuestion): boolean {
  return (
    state.work === 'ending' ||
    state.work === 'stopped' ||
    state.work === 'finished' ||
    story.last('pod.ending') !== undefined
  );
}
