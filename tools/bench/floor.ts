import type { CriClient } from '@podwright/cri-client';
import { command, podName } from './bench-pods.js';
import { median } from './quantile.js';

export interface FloorResult {
  readonly allSeconds: number;
  readonly medianSeconds: number;
  readonly removedSeconds: number;
}

interface BarePod {
  readonly sandbox: string;
  readonly container: string;
  readonly startedMs: number;
}

/**
 * Runs the same pods through bare CRI calls, `parallel` at a time, to measure the runtime alone. Removes them
 * afterwards.
 */
export async function measureFloor(
  client: CriClient,
  count: number,
  image: string,
  parallel: number,
  cgroupRoot: string,
): Promise<FloorResult> {
  const begin = Date.now();
  const pods = await inPlaces(count, parallel, (index) => startBarePod(client, index, image, cgroupRoot));
  const seconds = pods.map(({ startedMs }) => (startedMs - begin) / 1000).sort((left, right) => left - right);
  const removal = Date.now();
  await inPlaces(count, parallel, async (index) => {
    const pod = pods[index];
    if (pod === undefined) return;
    await client.stopContainer({ containerId: pod.container, timeout: 30n });
    await client.stopPodSandbox({ podSandboxId: pod.sandbox });
    await client.removePodSandbox({ podSandboxId: pod.sandbox });
  });
  return {
    allSeconds: seconds.at(-1) ?? 0,
    medianSeconds: median(seconds),
    removedSeconds: (Date.now() - removal) / 1000,
  };
}

async function startBarePod(client: CriClient, index: number, image: string, cgroupRoot: string): Promise<BarePod> {
  const uid = `floor-${index}-${Date.now()}`;
  const config = {
    metadata: { name: podName(0, index), uid, namespace: 'floor', attempt: 0 },
    logDirectory: '',
    linux: { cgroupParent: `${cgroupRoot === '/' ? '' : cgroupRoot}/kubepods/besteffort/pod${uid}` },
  };
  const { podSandboxId } = await client.runPodSandbox({ config });
  const { containerId } = await client.createContainer({
    podSandboxId,
    config: {
      metadata: { name: 'main', attempt: 0 },
      image: { image },
      command: [...command],
      linux: { resources: { oomScoreAdj: 1000n } },
    },
    sandboxConfig: config,
  });
  await client.startContainer({ containerId });
  const { status } = await client.containerStatus({ containerId });
  return { sandbox: podSandboxId, container: containerId, startedMs: Number((status?.startedAt ?? 0n) / 1000n) / 1000 };
}

async function inPlaces<T>(count: number, places: number, task: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(places, count) }, async () => {
      for (let index = next++; index < count; index = next++) results[index] = await task(index);
    }),
  );
  return results;
}
