import type { ContainerLogs } from '@podwright/container-logs-interface';
import { messageOf } from '@podwright/errors';
import { findContainer, podUid, type Pod, type PodStatus } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { StatusManager } from '@podwright/status-interface';
import { text, type Answer } from '@podwright/http-answer';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';
import { followedBody } from './followed-body.js';
import { decodeLogOptions } from './pod-log-options.js';

export interface ContainerLogsDeps {
  readonly pods: Pick<PodManager, 'getPodByFullName'>;
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
  readonly logs: ContainerLogs;
  /** Feature gate PodLogsQuerySplitStreams. */
  readonly splitStreams: boolean;
}

/** Serves `/containerLogs`. Source: kubernetes v1.36 pkg/kubelet/server/server.go (getContainerLogs). */
export function containerLogsRoutes(deps: ContainerLogsDeps): readonly ServerRoute[] {
  return [
    {
      path: '/containerLogs/{namespace}/{pod}/{container}',
      methods: ['GET'],
      produces: [],
      metricPath: 'containerLogs',
      debugging: true,
      handle: (request) => containerLogs(deps, request),
    },
  ];
}

async function containerLogs(deps: ContainerLogsDeps, request: ServerRequest): Promise<Answer> {
  const { parameters, query, signal } = request;
  const decoded = decodeLogOptions(query);
  if ('fault' in decoded) {
    return decoded.fault === 'undecodable'
      ? text(400, '{"message": "Unable to decode query."}')
      : text(422, '{"message": "Invalid request."}');
  }
  const { options } = decoded;
  const { namespace, pod: name, container = '' } = parameters;
  const podName = JSON.stringify(name);
  const pod = deps.pods.getPodByFullName(`${name}_${namespace}`);
  if (pod === undefined) return text(404, `pod ${podName} does not exist`);
  if (findContainer(pod, container) === undefined) {
    return text(404, `container ${JSON.stringify(container)} not found in pod ${podName}`);
  }
  if (!deps.splitStreams && options.stream !== undefined && options.stream !== 'All') {
    const stream = JSON.stringify(options.stream);
    return text(
      400,
      `unable to return the given log stream: ${stream}. Please enable PodLogsQuerySplitStreams feature gate in kubelet`,
    );
  }
  try {
    const content = await deps.logs.open({ pod, status: statusOf(deps, pod), container, options, signal });
    const body = options.follow === true ? followedBody(content) : content;
    return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body };
  } catch (error) {
    return text(400, messageOf(error));
  }
}

const statusOf = ({ statuses }: ContainerLogsDeps, pod: Pod): PodStatus =>
  statuses.getPodStatus(podUid(pod)) ?? pod.status ?? {};
