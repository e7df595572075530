import { createCriClient } from '@podwright/cri-client';
import { podUidLabel } from '@podwright/cri-client-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock } from '@podwright/time';

/** Removes the pods of this run, sandboxes and containers, from a runtime that the user provided. */
export async function removePods(endpoint: string, pods: readonly Pod[]): Promise<void> {
  const clock = createSystemClock();
  const client = createCriClient(
    { clock, logger: createMemoryLogger(), metrics: createMetricsRegistry() },
    { runtimeEndpoint: endpoint },
  );
  await client.start();
  try {
    for (const pod of pods) {
      const { items } = await client.listPodSandbox({
        filter: { labelSelector: { [podUidLabel]: podUid(pod) } },
      });
      for (const { id } of items) {
        await client.stopPodSandbox({ podSandboxId: id });
        await client.removePodSandbox({ podSandboxId: id });
      }
    }
  } finally {
    await client.stop();
  }
}
