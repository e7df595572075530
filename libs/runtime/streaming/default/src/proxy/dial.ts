import { KubeletError, messageOf } from '@podwright/errors';
import { goDialError, goDialTimeout } from '@podwright/http-action';
import { abortReason, onAbort, type Clock } from '@podwright/time';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isOnNode } from './node-address.js';
import { RuntimeSocket } from './runtime-socket.js';
import type { StreamingUrl } from './streaming-url.js';

/**
 * Connects to the runtime's streaming server, which must be on this node. The caller closes the socket. Rejects with
 * `internal` and Go's message without a prefix, or with the signal's reason.
 */
export function dial(url: StreamingUrl, clock: Clock, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  if (signal.aborted) return Promise.reject(abortReason(signal));
  const { host, port } = url;
  return new Promise((resolve, reject) => {
    const socket = url.secure
      ? connectTls({ host, port, servername: /^[\d.]+$|:/.test(host) ? '' : host, ALPNProtocols: ['http/1.1'] })
      : new RuntimeSocket({ allowHalfOpen: true }).connect({ host, port });
    // Without it each key of a terminal could wait 40 ms. The option of connect() works only for sockets that connect()
    // creates.
    socket.setNoDelay(true);
    const settle = (): void => {
      timer.cancel();
      unsubscribe();
      socket.off('error', failed);
    };
    const give = (error: Error): void => {
      settle();
      // The promise rejects with the failure; a later error without a listener would end the process.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const failed = (cause: Error): void => {
      const words = url.secure && !('syscall' in cause) ? `tls: ${messageOf(cause)}` : goDialError(cause, host, port);
      give(new KubeletError(words, { code: 'internal', cause }));
    };
    const timer = clock.setTimer(timeoutMs, () =>
      give(new KubeletError(goDialTimeout(host, port), { code: 'internal' })),
    );
    const unsubscribe = onAbort(signal, () => give(abortReason(signal)));
    socket.once('error', failed);
    socket.once(url.secure ? 'secureConnect' : 'connect', () => {
      // The URL comes from the runtime: what a client types must not leave the node because of it.
      if (!isOnNode(socket.remoteAddress ?? ''))
        return give(new KubeletError(`streaming server ${url.authority} is not on this node`, { code: 'internal' }));
      settle();
      resolve(socket);
    });
  });
}
