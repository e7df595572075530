import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { messageOf } from '@podwright/errors';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { StreamSession, Streaming, UpgradeRequest } from '@podwright/streaming-interface';
import { goError, text, type Answer } from '@podwright/http-answer';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';
import { sessionOf } from './stream-session.js';
import { streamingErrorAnswer } from './streaming-error.js';

export interface StreamRoutesDeps {
  readonly pods: Pick<PodManager, 'getPodByFullName'>;
  readonly streaming: Pick<Streaming, 'prepare' | 'serve'>;
}

/** Serves `/exec`, `/attach` and `/portForward`. Source: kubernetes v1.36 pkg/kubelet/server/server.go. */
export function streamRoutes(deps: StreamRoutesDeps): readonly ServerRoute[] {
  const at = (kind: StreamSession['kind'], path: string): ServerRoute => ({
    path,
    methods: ['GET', 'POST'],
    produces: [],
    metricPath: path.split('/')[1] ?? '',
    debugging: true,
    handle: (request) => refuse(deps, kind, request),
    upgrade: (request, connection) => serve(deps, kind, request, connection),
  });
  return [
    at('exec', '/exec/{namespace}/{pod}/{container}'),
    at('exec', '/exec/{namespace}/{pod}/{uid}/{container}'),
    at('attach', '/attach/{namespace}/{pod}/{container}'),
    at('attach', '/attach/{namespace}/{pod}/{uid}/{container}'),
    at('portforward', '/portForward/{namespace}/{pod}'),
    at('portforward', '/portForward/{namespace}/{pod}/{uid}'),
  ];
}

// 500, though the client is at fault: upstream's proxy has no other status for it.
const noUpgrade = goError(500, 'Upgrade request required');

/** As upstream, asks the runtime for the session before it looks for an upgrade. */
async function refuse(deps: StreamRoutesDeps, kind: StreamSession['kind'], request: ServerRequest): Promise<Answer> {
  const begun = await beginning(deps, kind, request);
  if ('answer' in begun) return begun.answer;
  try {
    await deps.streaming.prepare(begun.session, request.signal);
    return noUpgrade;
  } catch (error) {
    return streamingErrorAnswer(error);
  }
}

async function serve(
  deps: StreamRoutesDeps,
  kind: StreamSession['kind'],
  request: ServerRequest,
  connection: UpgradeRequest,
): Promise<Answer | undefined> {
  const begun = await beginning(deps, kind, request);
  if ('answer' in begun) return begun.answer;
  try {
    await deps.streaming.serve(begun.session, connection, request.signal);
    return undefined;
  } catch (error) {
    return streamingErrorAnswer(error);
  }
}

type Beginning = { readonly answer: Answer } | { readonly session: StreamSession };

async function beginning(
  { pods }: StreamRoutesDeps,
  kind: StreamSession['kind'],
  request: ServerRequest,
): Promise<Beginning> {
  let session: (pod: Pod) => Beginning;
  try {
    session = await sessionOf(kind, request);
  } catch (error) {
    return { answer: text(400, messageOf(error)) };
  }
  const { namespace, pod: name, uid } = request.parameters;
  const pod = pods.getPodByFullName(`${name}_${namespace}`);
  if (pod === undefined) return { answer: text(404, 'pod does not exist') };
  if (kind === 'portforward' && uid !== undefined && uid !== podUid(pod)) return { answer: text(404, 'pod not found') };
  return session(pod);
}
