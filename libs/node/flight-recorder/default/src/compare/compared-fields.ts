import type { DecisionKind, DecisionOf, JournalEntry } from '@podwright/journal-interface';

/** How decisions of a kind are compared. */
interface Comparison<K extends DecisionKind> {
  /**
   * Decisions of one pod in one lane keep their order; lanes run beside each other. The values of `by` split a lane,
   * such as one for each container.
   */
  readonly lane: 'source' | 'way' | 'sandbox' | 'container' | 'image' | 'kill' | 'volume' | 'probe' | 'status' | 'node';
  readonly by?: readonly (keyof DecisionOf<K>)[];
  /** Fields that must be equal. Durations, times and error texts are not among them. */
  readonly fields: readonly (keyof DecisionOf<K>)[];
}

/**
 * Undefined: it depends on how work happened to interleave, such as which updates one sync took together, or it is about
 * the process itself.
 */
export const comparisons: { readonly [K in DecisionKind]: Comparison<K> | undefined } = {
  // When it comes is up to the source, not to what the kubelet is just doing with the pod.
  'pod.received': { lane: 'source', fields: ['source', 'operation'] },
  'pod.ignored': { lane: 'way', fields: ['shared'] },
  'manifest.refused': undefined,
  'manifest.settled': undefined,
  'pod.admitted': { lane: 'way', fields: [] },
  'pod.refused': { lane: 'way', fields: ['operation', 'reason'] },
  'pod.queued': undefined,
  'pod.waiting': undefined,
  'sync.paused': undefined,
  'sync.resumed': undefined,
  'pod.ending': { lane: 'way', fields: ['cause', 'gracePeriodSeconds'] },
  'pod.sync': undefined,
  'pod.ended': { lane: 'way', fields: [] },
  'volumes.ready': undefined,
  'volumes.waiting': undefined,
  'volume.mounted': { lane: 'volume', by: ['volume'], fields: ['volume', 'plugin'] },
  'volume.unmounted': { lane: 'volume', by: ['volume'], fields: ['volume', 'plugin'] },
  'volume.failed': undefined,
  'sandbox.created': { lane: 'sandbox', fields: ['sandboxId', 'attempt', 'podIps'] },
  'sandbox.failed': { lane: 'sandbox', fields: ['step', 'attempt'] },
  'sandbox.replaced': { lane: 'sandbox', fields: ['sandboxId'] },
  'image.pull': { lane: 'image', by: ['image'], fields: ['image', 'state', 'reason'] },
  'image.gc': undefined,
  'image.removed': { lane: 'node', by: ['imageId'], fields: ['imageId', 'cause'] },
  'container.started': { lane: 'container', by: ['container'], fields: ['container', 'containerId', 'restartCount'] },
  'container.failed': { lane: 'container', by: ['container'], fields: ['container', 'reason'] },
  'container.exited': {
    lane: 'container',
    by: ['container'],
    fields: ['container', 'containerId', 'exitCode', 'reason', 'restartCount'],
  },
  'container.restart': {
    lane: 'container',
    by: ['container'],
    fields: ['container', 'action', 'exitCode', 'backOffMs'],
  },
  'container.kill': {
    lane: 'kill',
    by: ['container'],
    fields: ['container', 'containerId', 'cause', 'gracePeriodSeconds'],
  },
  'container.killed': { lane: 'kill', by: ['container'], fields: ['container', 'containerId'] },
  'hook.failed': { lane: 'kill', by: ['container'], fields: ['container', 'containerId', 'hook'] },
  'container.removed': { lane: 'node', by: ['containerId'], fields: ['containerId'] },
  'probe.result': {
    lane: 'probe',
    by: ['containerId', 'probe'],
    fields: ['container', 'containerId', 'probe', 'outcome', 'inARow', 'changed'],
  },
  'status.changed': { lane: 'status', fields: ['phase', 'ready', 'notReady', 'reason'] },
  'status.sent': undefined,
  'status.failed': undefined,
  'pod.deleted': { lane: 'status', fields: [] },
  eviction: { lane: 'node', fields: ['reclaimFor', 'evicted'] },
  'node.condition': { lane: 'node', by: ['type'], fields: ['type', 'status', 'reason'] },
  'node.status.failed': undefined,
  'node.status.accepted': undefined,
  'lease.failed': undefined,
  'lease.renewed': undefined,
  'oom.killed': undefined,
  'journal.opened': undefined,
  'journal.lost': undefined,
};

/** True: the field is what was left of a time that an earlier process had begun to wait, so it is a duration. */
export const isRest = (entry: JournalEntry, field: string): boolean =>
  entry.kind === 'container.kill' && entry.resumed && field === 'gracePeriodSeconds';
