import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ContainerRuntime } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, messageOf, rpcErrorText } from '@podwright/errors';
import { findContainer, podFullName, podUid, type Pod } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import { type Clock, formatLocalRfc3339 } from '@podwright/time';
import { text, type Answer } from '@podwright/http-answer';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';

export interface CheckpointRoutesDeps {
  readonly pods: Pick<PodManager, 'getPodByFullName' | 'translatePodUid'>;
  readonly runtime: Pick<ContainerRuntime, 'getPods'>;
  readonly cri: Pick<RuntimeService, 'checkpointContainer'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Root directory of the kubelet; archives are in `checkpoints` below it. */
  readonly rootDir: string;
}

const json = 'application/json';

/**
 * POST `/checkpoint`: the runtime writes the state of a container into an archive. Source: kubernetes v1.36
 * pkg/kubelet/server/server.go (checkpoint), pkg/kubelet/kubelet.go (CheckpointContainer).
 */
export function checkpointRoutes(deps: CheckpointRoutesDeps): readonly ServerRoute[] {
  return [
    {
      path: '/checkpoint/{namespace}/{pod}/{container}',
      service: '/checkpoint/',
      methods: ['POST'],
      produces: [json],
      metricPath: 'checkpoint',
      debugging: true,
      handle: (request) => checkpoint(deps, request),
    },
  ];
}

async function checkpoint(deps: CheckpointRoutesDeps, request: ServerRequest): Promise<Answer> {
  const { namespace = '', pod: name = '', container = '' } = request.parameters;
  const pod = deps.pods.getPodByFullName(`${name}_${namespace}`);
  if (pod === undefined) return text(404, 'pod does not exist');
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
  // Not an answer of the runtime: upstream's client refuses it in these words, which say "> 0" and mean "not negative".
  if (timeout < 0n) {
    throw new KubeletError('CheckpointContainer requires the timeout value to be > 0', { code: 'invalid-argument' });
  }
  const directory = path.join(rootDir, 'checkpoints');
  // The memory of a container may contain secrets.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = `checkpoint-${podFullName(pod)}-${container}-${formatLocalRfc3339(clock.now())}.tar`;
  const location = path.join(directory, file);
  try {
    await cri.checkpointContainer({ containerId, location, timeout }, { signal });
  } catch (error) {
    throw new KubeletError(rpcErrorText(error), { code: 'internal', cause: error });
  }
  return location;
}

// Uses the last value; 0 leaves the limit to the runtime.
function timeoutSeconds(value: string | undefined): bigint | undefined {
  if (value === undefined) return 0n;
  if (!/^[+-]?\d{1,25}$/.test(value)) return undefined;
  const seconds = BigInt(value.replace(/^\+/, ''));
  return BigInt.asIntN(64, seconds) === seconds ? seconds : undefined;
}
