import { KubeletError } from '@podwright/errors';
import { findContainer, podFullName, podUid, type Pod } from '@podwright/kube-types';
import type { StreamSession } from '@podwright/streaming-interface';
import { text, type Answer } from '@podwright/http-answer';
import type { ServerRequest } from '@podwright/server-interface';
import { forwardedPorts } from './forwarded-ports.js';
import { noStreamsMessage, streamOptions } from './stream-options.js';

/** Creates the requested session for a pod, or the answer when that is impossible. */
export type SessionOfPod = (pod: Pod) => { readonly session: StreamSession } | { readonly answer: Answer };

/** Reads the parameters before the pod is looked up, as upstream does. Throws `invalid-argument` (400) for bad ones. */
export async function sessionOf(kind: StreamSession['kind'], request: ServerRequest): Promise<SessionOfPod> {
  const { container = '', uid } = request.parameters;
  if (kind === 'portforward') {
    const ports = forwardedPorts(request);
    return (pod) => ({ session: { kind, ...target(pod, undefined), ports } });
  }
  const options = await streamOptions(request);
  if (options === undefined) throw new KubeletError(noStreamsMessage, { code: 'invalid-argument' });
  if (kind === 'exec') {
    const command = request.query.getAll('command');
    return (pod) => ({ session: { kind, ...target(pod, uid), ...options, container, command } });
  }
  return (pod) => {
    const visit = findContainer(pod, container);
    if (uid !== undefined && uid !== podUid(pod)) return { answer: text(500, `pod ${podFullName(pod)} not found`) };
    if (visit === undefined) {
      return { answer: text(500, `container ${container} not found in pod ${podFullName(pod)}`) };
    }
    // Attach cannot add a terminal: the container's spec decides whether there is one. A client that does not know of
    // it and asks for stderr is refused by the runtime.
    const tty = visit.container.tty === true;
    return { session: { kind, ...target(pod, uid), ...options, tty, container } };
  };
}

// The UID in the path wins over the pod's own, so a request with the UID of another pod finds nothing in the runtime.
const target = (pod: Pod, uid: string | undefined): Pick<StreamSession, 'podUid' | 'podName' | 'podNamespace'> => ({
  podUid: uid ?? podUid(pod),
  podName: pod.metadata.name ?? '',
  podNamespace: pod.metadata.namespace ?? '',
});
