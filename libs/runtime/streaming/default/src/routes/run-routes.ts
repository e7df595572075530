import { messageOf } from '@podwright/errors';
import { podUid } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { Streaming } from '@podwright/streaming-interface';
import { text, type Answer } from '@podwright/http-answer';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';

export interface RunRoutesDeps {
  readonly pods: Pick<PodManager, 'getPodByFullName'>;
  readonly streaming: Pick<Streaming, 'run'>;
}

/**
 * Serves `/run`, which runs a command and answers with its output. Source: kubernetes v1.36
 * pkg/kubelet/server/server.go (getRun).
 */
export function runRoutes(deps: RunRoutesDeps): readonly ServerRoute[] {
  return ['/run/{namespace}/{pod}/{container}', '/run/{namespace}/{pod}/{uid}/{container}'].map((path) => ({
    path,
    methods: ['POST'],
    produces: [],
    metricPath: 'run',
    debugging: true,
    handle: (request) => run(deps, request),
  }));
}

async function run({ pods, streaming }: RunRoutesDeps, request: ServerRequest): Promise<Answer> {
  const { namespace, pod: name, container = '', uid } = request.parameters;
  const pod = pods.getPodByFullName(`${name}_${namespace}`);
  if (pod === undefined) return text(404, 'pod does not exist');
  // Upstream neither trims nor unquotes: two spaces give an empty argument.
  const command = (request.query.get('cmd') ?? '').split(' ');
  const { name: podName = '', namespace: podNamespace = '' } = pod.metadata;
  try {
    const output = await streaming.run({
      ...{ podUid: uid ?? podUid(pod), podName, podNamespace, container, command },
      signal: request.signal,
    });
    if (output.length === 0) return { status: 200, headers: {}, body: '' };
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: output };
  } catch (error) {
    return text(500, messageOf(error));
  }
}
