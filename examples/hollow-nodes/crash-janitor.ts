// A controller as people write them: it deletes pods of its namespace whose container has crashed, so that a new one
// starts elsewhere without waiting for the back-off.
import { pods, type Informer, type KubeClient } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';

const hasCrashed = ({ status }: Pod): boolean =>
  (status?.containerStatuses ?? []).some(
    ({ restartCount, state }) => restartCount > 0 || state?.terminated !== undefined,
  );

/** Watches the namespace until the informer is stopped. */
export function startCrashJanitor(client: KubeClient, namespace: string): Informer<Pod> {
  const informer = client.inform(pods, { namespace });
  informer.watch((change) => {
    if (change.type === 'replaced' || change.type === 'deleted' || !hasCrashed(change.object)) return;
    const { name = '', deletionTimestamp } = change.object.metadata ?? {};
    if (deletionTimestamp === undefined) client.delete(pods, { namespace, name }).catch(() => undefined); // seen again
  });
  informer.start();
  return informer;
}
