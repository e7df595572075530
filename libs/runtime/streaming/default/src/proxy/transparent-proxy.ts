import { KubeletError } from '@podwright/errors';
import type { UpgradeRequest } from '@podwright/streaming-interface';
import { forwardAnswer } from './forward-answer.js';
import { replayedRequest } from './replayed-request.js';
import { abandon, askRuntime } from './runtime-upgrade.js';
import { isSpdyUpgrade } from './response-head.js';
import type { StreamingUrl } from './streaming-url.js';
import { tunnel, type TunnelOptions } from './tunnel.js';

/** The options of every session. */
export interface SessionOptions extends TunnelOptions {
  readonly upgradeTimeoutMs: number;
}

/**
 * Replays the client's request at the runtime and, once the runtime agrees, joins the two connections. Rejects only
 * before anything was written to the client. Source: kubernetes v1.36 apimachinery/pkg/util/proxy/upgradeaware.go.
 */
export async function proxyTransparently(
  request: UpgradeRequest,
  url: StreamingUrl,
  options: SessionOptions,
): Promise<void> {
  const { head, socket } = await askRuntime(url, replayedRequest(request, url), options);
  if (head.status >= 400) return forwardAnswer(head, socket, request.socket, options);
  if (head.status !== 101) {
    abandon(socket);
    throw invalidUpgrade(head.status);
  }
  request.socket.write(head.bytes);
  if (head.rest.length > 0) request.socket.write(head.rest);
  return tunnel(request.socket, socket, { spdy: isSpdyUpgrade(head), head: request.head }, options);
}

/** The error for an answer of the runtime that is neither 101 nor a refusal. */
export function invalidUpgrade(status: number): KubeletError {
  return new KubeletError(`invalid upgrade response: status code ${status}`, { code: 'internal' });
}
