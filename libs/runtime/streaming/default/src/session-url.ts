import type { ContainerRuntime, RuntimeContainer, RuntimePod } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, rethrowAsRpc } from '@podwright/errors';
import type { StreamSession } from '@podwright/streaming-interface';
import { parseStreamingUrl, type StreamingUrl } from './proxy/streaming-url.js';

type Target = Pick<StreamSession, 'podUid' | 'podName' | 'podNamespace'>;
type SessionRuntime = Pick<RuntimeService, 'exec' | 'attach' | 'portForward'>;

/**
 * Asks the runtime to prepare a session. Resolves with its URL, which works once. Rejects with the runtime's code and
 * Go's message. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go (GetExec, GetAttach, GetPortForward),
 * kuberuntime_container.go, kuberuntime_sandbox.go.
 */
export async function sessionUrl(
  session: StreamSession,
  pods: Pick<ContainerRuntime, 'getPods'>,
  runtime: SessionRuntime,
  signal: AbortSignal,
): Promise<StreamingUrl> {
  const { url } = await prepare(session, pods, runtime, signal);
  return parseStreamingUrl(url);
}

async function prepare(
  session: StreamSession,
  pods: Pick<ContainerRuntime, 'getPods'>,
  runtime: SessionRuntime,
  signal: AbortSignal,
): Promise<{ readonly url: string }> {
  if (session.kind === 'portforward') {
    const podSandboxId = await newestSandboxId(session, pods, signal);
    return runtime.portForward({ podSandboxId, port: [...session.ports] }, { signal }).catch(rethrowAsRpc);
  }
  const { stdin, stdout, stderr, tty } = session;
  const { id: containerId } = await runningContainer(session, session.container, session.kind, pods, signal);
  const streams = { containerId, stdin, stdout, stderr, tty };
  const call =
    session.kind === 'exec'
      ? runtime.exec({ ...streams, cmd: [...session.command] }, { signal })
      : runtime.attach(streams, { signal });
  return call.catch(rethrowAsRpc);
}

/** Finds the newest running instance of a container. Rejects with `internal` without one: upstream answers 500. */
export async function runningContainer(
  target: Target,
  container: string,
  kind: 'exec' | 'attach' | 'run',
  pods: Pick<ContainerRuntime, 'getPods'>,
  signal: AbortSignal,
): Promise<RuntimeContainer> {
  const pod = await podOf(target, false, pods, signal);
  const found = pod?.containers.find(({ name, state }) => name === container && state === 'running');
  if (found !== undefined) return found;
  const notFound =
    kind === 'attach'
      ? `container ${container} not found in pod ${fullName(target)}`
      : `container not found (${JSON.stringify(container)})`;
  throw new KubeletError(notFound, { code: 'internal' });
}

async function newestSandboxId(
  target: Target,
  pods: Pick<ContainerRuntime, 'getPods'>,
  signal: AbortSignal,
): Promise<string> {
  const pod = await podOf(target, true, pods, signal);
  const runs = pod?.containers.some(({ state }) => state === 'running') || pod?.sandboxes.some(({ ready }) => ready);
  if (pod === undefined || runs !== true) {
    throw new KubeletError(`pod not found (${JSON.stringify(fullName(target))})`, { code: 'internal' });
  }
  const [newest] = pod.sandboxes;
  if (newest !== undefined) return newest.id;
  const { podName, podNamespace, podUid } = target;
  throw new KubeletError(`failed to find sandboxID for pod ${podName}_${podNamespace}(${podUid})`, {
    code: 'internal',
  });
}

async function podOf(
  { podUid, podName, podNamespace }: Target,
  all: boolean,
  pods: Pick<ContainerRuntime, 'getPods'>,
  signal: AbortSignal,
): Promise<RuntimePod | undefined> {
  const found = await pods.getPods({ all, ...(podUid !== '' && { podUid }), signal });
  return found.find(({ uid, name, namespace }) => {
    return name === podName && namespace === podNamespace && (podUid === '' || uid === podUid);
  });
}

const fullName = ({ podName, podNamespace }: Target): string => `${podName}_${podNamespace}`;
