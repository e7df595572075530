import { ApiError, badRequest, internalError } from '@podwright/api-machinery';
import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { messageOf } from '@podwright/errors';
import type { ApiResponse, ResourceRequest } from '../http/api-request.js';
import { kubeletLocation, type KubeletLocation, type ObjectFinder } from './kubelet-location.js';

/** The server's client certificate and key towards kubelets, PEM. */
export interface KubeletCredentials {
  readonly certificate: string;
  readonly privateKey: string;
}

const longestErrorBytes = 50_000;
/** The limit for connecting and for the head of the answer; the body has no limit. */
const answerTimeoutMs = 30_000;
const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection', 'te', 'trailer'];
const secret = ['authorization', 'host', 'content-length'];

/**
 * Forwards `pods/log`, `nodes/proxy` and the like to kubelets. It does not verify their serving certificates, like a
 * real server without --kubelet-certificate-authority. Source: kubernetes v1.36 pkg/registry/core/rest,
 * apiserver/pkg/registry/generic/rest/streamer.go and apimachinery/pkg/util/proxy.
 */
export class KubeletProxy {
  constructor(
    private readonly objects: ObjectFinder,
    readonly credentials: KubeletCredentials,
    private readonly host: () => string | undefined = () => undefined,
  ) {}

  /** The kubelet's address for a request. @throws ApiError in the real server's words. */
  locate(request: Pick<ResourceRequest, 'target' | 'query'>): KubeletLocation | undefined {
    const location = kubeletLocation(this.objects, request.target, request.query);
    return location && { ...location, host: this.host() ?? location.host };
  }

  /**
   * Forwards a request to its kubelet; undefined for other requests. Rejects with an ApiError in the real server's
   * words.
   */
  async answer(request: ResourceRequest): Promise<ApiResponse | undefined> {
    const { resource, subresource } = request.target;
    const place = `${resource.plural}/${subresource}`;
    if (place === 'pods/log') return this.log(request);
    if (place === 'nodes/proxy') return this.pass(request);
    if (['pods/exec', 'pods/attach', 'pods/portforward'].includes(place)) {
      this.locate(request);
      throw badRequest('Upgrade request required');
    }
    return undefined;
  }

  private async log(request: ResourceRequest): Promise<ApiResponse> {
    const location = this.locate(request);
    // A pod without a node has no log yet.
    if (location === undefined) return { status: 204, headers: {}, body: new Uint8Array() };
    const answer = await this.send('GET', location, {}, new Uint8Array(), request.signal).catch((error: unknown) => {
      throw new ApiError(
        500,
        '',
        `Get "https://${authority(location)}${location.path}": ${dialError(error, location)}`,
      );
    });
    const { statusCode = 0 } = answer;
    if (statusCode < 200 || statusCode > 206) throw await logError(answer, request.target.name);
    const contentType = answer.headers['content-type'] ?? 'text/plain';
    return { status: 200, headers: { 'content-type': contentType }, body: answer as AsyncIterable<Uint8Array> };
  }

  private async pass(request: ResourceRequest): Promise<ApiResponse> {
    const location = this.locate(request);
    if (location === undefined) throw internalError('a node has a kubelet');
    const { method, body, signal } = request;
    const answer = await this.send(method, location, passedHeaders(request.headers), body, signal).catch(
      (error: unknown) => {
        const why = dialError(error, location);
        throw new ApiError(503, 'ServiceUnavailable', `error trying to reach service: ${why}`);
      },
    );
    const headers = passedHeaders(answer.headers as Record<string, string>);
    return { status: answer.statusCode ?? 502, headers, body: answer as AsyncIterable<Uint8Array> };
  }

  private send(
    method: string,
    { host, port, path }: KubeletLocation,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { certificate, privateKey } = this.credentials;
    const length = body.byteLength === 0 ? {} : { 'content-length': String(body.byteLength) };
    return new Promise((resolve, reject) => {
      const request = https.request(
        {
          host,
          port,
          path,
          method,
          headers: { ...headers, ...length },
          signal,
          cert: certificate,
          key: privateKey,
          agent: false,
          rejectUnauthorized: false,
        },
        (answer) => {
          request.setTimeout(0);
          resolve(answer);
        },
      );
      request.setTimeout(answerTimeoutMs, () => request.destroy(new Error('i/o timeout')));
      request.once('error', reject);
      request.end(body);
    });
  }
}

/** `host:port`, with brackets around IPv6. */
export function authority({ host, port }: KubeletLocation): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

const systemErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};

/** A connection error in Go's words. */
export function dialError(error: unknown, location: KubeletLocation): string {
  const code = (error as { readonly code?: string }).code ?? '';
  const known = systemErrors[code];
  return known === undefined ? messageOf(error) : `dial tcp ${authority(location)}: connect: ${known}`;
}

async function logError(answer: IncomingMessage, podName: string): Promise<ApiError> {
  let text = '';
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    if (text.length > longestErrorBytes) break;
  }
  if (answer.statusCode === 500) return internalError(text);
  if (answer.statusCode === 400) return badRequest(text);
  const found = answer.statusCode === 404;
  const message = found ? 'the server could not find the requested resource' : text;
  return new ApiError(answer.statusCode ?? 500, found ? 'NotFound' : '', `${message} ( pods/log ${podName})`, {
    name: podName,
    kind: 'pods/log',
    causes: [{ reason: 'UnexpectedServerResponse', message: text }],
  });
}

function passedHeaders(headers: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || hopByHop.includes(name) || secret.includes(name) || name.startsWith(':')
        ? []
        : [[name, value]],
    ),
  );
}
