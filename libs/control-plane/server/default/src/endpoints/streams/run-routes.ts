import { messageOf } from '@podwright/errors';
import { podUid } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { Streaming } from '@podwright/streaming-interface';
import { text, type Answer } from '../../answer.js';
import type { Route, ServerRequest } from '../../route.js';
import { podOfRequest } from '../pod-by-name.js';

export interface RunRoutesDeps {
  readonly pods: Pick<PodManager, 'getPodByFullName'>;
  readonly streaming: Pick<Streaming, 'run'>;
}

/** `/run`: a command whose output is the answer. Source: kubernetes v1.36 pkg/kubelet/server/server.go (getRun). */
export function runRoutes(deps: RunRoutesDeps): readonly Route[] {
  return ['/run/{namespace}/{pod}/{container}', '/run/{namespace}/{pod}/{uid}/{container}'].map((path) => ({
    path,
    methods: ['POST'],
    metricPath: 'run',
    handle: (request) => run(deps, request),
  }));
}

async function run({ pods, streaming }: RunRoutesDeps, request: ServerRequest): Promise<Answer> {
  const pod = podOfRequest(pods, request);
  if (pod === undefined) return text(404, 'pod does not exist');
  const { container = '', uid } = request.parameters;
  // Two spaces make an empty argument: nothing is trimmed or quoted here.
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
