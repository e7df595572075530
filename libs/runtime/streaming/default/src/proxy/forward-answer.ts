import { onAbort, type Clock } from '@podwright/time';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pump } from './pump.js';
import type { ResponseHead } from './response-head.js';

// Upstream's deadline for forwarding a refusal.
const forwardTimeoutMs = 10_000;

/**
 * Forwards the runtime's refusal to the client, for 10 s at most, then closes both connections. Never
 * rejects.
 * Source: kubernetes v1.36 apimachinery/pkg/util/proxy/upgradeaware.go, tryUpgrade.
 */
export function forwardAnswer(
  head: ResponseHead,
  runtime: Socket,
  client: Duplex,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve) => {
    const lengthText = head.headers.get('content-length') ?? '';
    let left = /^\d{1,15}$/.test(lengthText) ? Number(lengthText) : Infinity;
    const close = (): void => {
      timer.cancel();
      unsubscribe();
      stop();
      runtime.destroy();
      client.destroy();
      resolve();
    };
    const timer = clock.setTimer(forwardTimeoutMs, close);
    const unsubscribe = onAbort(signal, close);
    let stop = (): void => undefined;
    runtime.on('error', close);
    client.on('error', close).once('close', close).once('finish', close);
    client.write(asForwarded(head));
    left -= head.rest.length;
    client.write(head.rest);
    if (left <= 0) {
      client.end();
      return;
    }
    runtime.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) client.end();
    });
    stop = pump(
      runtime,
      client,
      () => undefined,
      () => undefined,
    );
  });
}

// Go writes the answer anew, and says so when the end of the connection is that of the body.
function asForwarded({ bytes, headers }: ResponseHead): Buffer {
  if (['content-length', 'transfer-encoding', 'connection'].some((name) => headers.has(name))) return bytes;
  const statusEnd = bytes.indexOf('\r\n') + 2;
  return Buffer.concat([bytes.subarray(0, statusEnd), Buffer.from('Connection: close\r\n'), bytes.subarray(statusEnd)]);
}
