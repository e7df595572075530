import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ContainerRuntime } from '@podwright/container-runtime-interface';
import { rpcErrorText, type RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { findContainer, podFullName, podUid, type Pod } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { Clock } from '@podwright/time';
import { text, type Answer } from '../answer.js';
import type { Route, ServerRequest } from '../route.js';
import { podOfRequest } from './pod-by-name.js';
import { formatRfc3339 } from './rfc3339.js';

export interface CheckpointRoutesDeps {
  readonly pods: Pick<PodManager, 'getPodByFullName' | 'translatePodUid'>;
  readonly runtime: Pick<ContainerRuntime, 'getPods'>;
  readonly cri: Pick<RuntimeService, 'checkpointContainer'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Of the kubelet; the archives are in its folder `checkpoints`. */
  readonly rootDir: string;
}

const json = 'application/json';

/**
 * POST `/checkpoint`: the runtime writes the state of a container into an archive. Source: kubernetes v1.36
 * pkg/kubelet/server/server.go (checkpoint), pkg/kubelet/kubelet.go (CheckpointContainer).
 */
export function checkpointRoutes(deps: CheckpointRoutesDeps): readonly Route[] {
  return [
    {
      path: '/checkpoint/{namespace}/{pod}/{container}',
      methods: ['POST'],
      produces: [json],
      metricPath: 'checkpoint',
      handle: (request) => checkpoint(deps, request),
    },
  ];
}

async function checkpoint(deps: CheckpointRoutesDeps, request: ServerRequest): Promise<Answer> {
  const pod = podOfRequest(deps.pods, request);
  if (pod === undefined) return text(404, 'pod does not exist');
  const { namespace = '', pod: name = '', container = '' } = request.parameters;
  if (findContainer(pod, container) === undefined) return text(404, `container ${container} does not exist`);
  const timeout = timeoutSeconds(request.query.getAll('timeout').at(-1));
  if (timeout === undefined) return text(404, 'cannot parse value of timeout parameter');
  try {
    const location = await writeCheckpoint(deps, request, pod, timeout);
    return { status: 200, headers: { 'Content-Type': json }, body: JSON.stringify({ items: [location] }) };
  } catch (error) {
    return text(500, `checkpointing of ${namespace}/${name}/${container} failed (${messageOf(error)})`);
  }
}

async function writeCheckpoint(
  { pods, runtime, cri, clock, rootDir }: CheckpointRoutesDeps,
  { parameters: { container = '' }, signal }: ServerRequest,
  pod: Pod,
  timeout: bigint,
): Promise<string> {
  const uid = pods.translatePodUid(podUid(pod));
  const running = await runtime.getPods({ all: false, podUid: uid, signal });
  const containerId = running.flatMap(({ containers }) => containers).find(({ name }) => name === container)?.id;
  if (containerId === undefined) throw new KubeletError(`container ${container} not found`, { code: 'not-found' });
  const directory = path.join(rootDir, 'checkpoints');
  // The memory of a container is as secret as what it reads.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = `checkpoint-${podFullName(pod)}-${container}-${formatRfc3339(clock.now())}.tar`;
  const location = path.join(directory, file);
  try {
    await cri.checkpointContainer({ containerId, location, timeout }, { signal });
  } catch (error) {
    throw new KubeletError(rpcErrorText(error), { code: 'internal', cause: error });
  }
  return location;
}

// Of the last value; 0 is the runtime's own limit.
function timeoutSeconds(value: string | undefined): bigint | undefined {
  if (value === undefined) return 0n;
  if (!/^[+-]?\d{1,25}$/.test(value)) return undefined;
  const seconds = BigInt(value.replace(/^\+/, ''));
  return BigInt.asIntN(64, seconds) === seconds ? seconds : undefined;
}
