import { KubeletError, messageOf } from '@podwright/errors';

/**
 * A session that the runtime has prepared, but whose streaming server could not be joined. Upstream's proxy answers it
 * with Go's http.Error, unlike a failure of the CRI.
 */
export class ProxyError extends KubeletError {
  static override from(cause: unknown): ProxyError {
    const { code } = KubeletError.from(cause);
    return new ProxyError(messageOf(cause), { code, cause });
  }
}
