import type { ContainerRuntime, RuntimePod } from '@podwright/container-runtime-interface';
import { messageOf } from '@podwright/errors';
import { text } from '@podwright/http-answer';
import type { ServerRoute } from '@podwright/server-interface';

const json = 'application/json';
/** Upstream's runtime cache is never older than this. */
const maxAgeMs = 3_000;

/**
 * GET `/runningpods/`: the pods that the runtime is running, desired or not. Source: kubernetes v1.36
 * pkg/kubelet/server/server.go (getRunningPods), pkg/kubelet/container/runtime.go (ToAPIPod).
 */
export function runningPodsRoutes(runtime: Pick<ContainerRuntime, 'getPods'>): readonly ServerRoute[] {
  return [
    {
      path: '/runningpods/',
      methods: ['GET'],
      produces: [json],
      metricPath: 'runningpods',
      debugging: true,
      handle: async ({ signal }) => {
        try {
          const pods = await runtime.getPods({ all: false, maxAgeMs, signal });
          const items = pods.filter(isRunning).map(apiPod);
          const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: items.length === 0 ? null : items };
          return { status: 200, headers: { 'Content-Type': json }, body: `${JSON.stringify(list)}\n` };
        } catch (error) {
          return text(500, messageOf(error));
        }
      },
    },
  ];
}

const runningContainers = ({ containers }: RuntimePod): RuntimePod['containers'] =>
  containers.filter(({ state }) => state === 'running');
const isRunning = (pod: RuntimePod): boolean =>
  runningContainers(pod).length > 0 || pod.sandboxes.some(({ ready }) => ready);

function apiPod(pod: RuntimePod): unknown {
  const { name, namespace, uid } = pod;
  const containers = runningContainers(pod).map(({ name: container, image }) => ({
    name: container,
    image,
    resources: {},
  }));
  return {
    metadata: { name, namespace, uid },
    spec: { containers: containers.length === 0 ? null : containers },
    status: {},
  };
}
