import { ApiError, badRequest, internalError, kubeletPath, type StreamedSubresource } from '@podwright/api-machinery';
import type { Answer } from '@podwright/http-answer';
import { requestTarget, Router } from '@podwright/http-router';
import type { Pod } from '@podwright/kube-types';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';

type UpgradeRequest = Parameters<NonNullable<ServerRoute['upgrade']>>[1];

/** Passes requests for subresources of pods to the kubelet's own endpoints, as an API server does over the network. */
export class OwnEndpoints {
  private readonly router: Router<ServerRoute>;

  constructor(routes: readonly ServerRoute[]) {
    this.router = new Router(routes);
  }

  /** @throws ApiError in the words of an API server. */
  async log(pod: Pod, request: ServerRequest): Promise<Answer> {
    const { route, inner } = this.route(pod, 'log', request);
    const answer = await route.handle(inner);
    if (answer.status < 300) return answer;
    throw await asError(answer);
  }

  /** Exec, attach and port-forward. */
  async upgrade(
    pod: Pod,
    subresource: StreamedSubresource,
    request: ServerRequest,
    connection: UpgradeRequest,
  ): Promise<Answer | undefined> {
    const { route, inner, url } = this.route(pod, subresource, request);
    const answer = await route.upgrade?.(inner, { ...connection, url });
    if (answer === undefined || answer.status < 300) return answer;
    throw await asError(answer);
  }

  private route(
    pod: Pod,
    subresource: StreamedSubresource,
    request: ServerRequest,
  ): { readonly route: ServerRoute; readonly inner: ServerRequest; readonly url: string } {
    const url = kubeletPath(pod, subresource, request.query);
    const target = requestTarget(url);
    const routed = target && this.router.find(request.method, target);
    if (target === undefined || routed === undefined || 'answer' in routed)
      throw new ApiError(501, 'NotImplemented', `this kubelet does not serve ${subresource}`);
    const { path, query } = target;
    return { route: routed.route, url, inner: { ...request, path, query, parameters: routed.parameters } };
  }
}

/** Source: kubernetes v1.36 apiserver/pkg/registry/generic/rest/response_checker.go. */
async function asError({ status, body }: Answer): Promise<ApiError> {
  const text = (typeof body === 'string' ? body : await read(body)).trimEnd();
  if (status === 400) return badRequest(text);
  if (status === 500) return internalError(text);
  return new ApiError(status, status === 404 ? 'NotFound' : '', text);
}

async function read(body: Exclude<Answer['body'], string>): Promise<string> {
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return Buffer.concat(pieces).toString();
}
