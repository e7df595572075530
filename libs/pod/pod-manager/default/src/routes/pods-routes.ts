import { goJson, isStaticPod, podUid, type Pod } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { StatusManager } from '@podwright/status-interface';
import type { ServerRoute } from '@podwright/server-interface';
import { wirePod } from './wire-pod.js';

/** `/pods`: the pods that this node should run. */
export function podsRoutes(
  pods: Pick<PodManager, 'getPods'>,
  statuses: Pick<StatusManager, 'getPodStatus'>,
): readonly ServerRoute[] {
  const json = 'application/json';
  return [
    {
      path: '/pods',
      methods: ['GET'],
      produces: [json],
      metricPath: 'pods',
      readOnlyPort: true,
      handle: () => ({ status: 200, headers: { 'Content-Type': json }, body: podList(pods.getPods(), statuses) }),
    },
  ];
}

// Static pods show the kubelet's own status, the others what the API server last said. As upstream, the items of the
// list do not name their type.
function podList(pods: readonly Pod[], statuses: Pick<StatusManager, 'getPodStatus'>): string {
  const items = pods.map((pod) => {
    const own = isStaticPod(pod) ? statuses.getPodStatus(podUid(pod)) : undefined;
    return wirePod(pod, own ?? pod.status);
  });
  const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: items.length === 0 ? null : items };
  return `${goJson(list)}\n`;
}
