import { hasCode, messageOf } from '@podwright/errors';
import { text, upgradeError, type Answer } from '@podwright/http-answer';
import { ProxyError } from '../proxy/proxy-error.js';

/** How long upstream's runtimes keep a session that no client opens, in seconds. */
const sessionSeconds = 60;

/**
 * The answer to a client whose session could not begin. Source: kubernetes v1.36
 * staging/src/k8s.io/cri-streaming/pkg/streaming/errors.go (WriteError), pkg/kubelet/server/server.go (responder).
 */
export function streamingErrorAnswer(error: unknown): Answer {
  if (error instanceof ProxyError) return upgradeError(error);
  if (hasCode(error, 'not-found')) return text(404, messageOf(error));
  if (!hasCode(error, 'resource-exhausted')) return text(500, messageOf(error));
  const answer = text(429, messageOf(error));
  return { ...answer, headers: { ...answer.headers, 'Retry-After': String(sessionSeconds) } };
}
