import { Client, credentials } from '@grpc/grpc-js';
import { waitUntil } from './commands.js';

/**
 * Waits until CRI serves. containerd accepts connections a moment before, and refuses calls while it still reads what
 * runs from before a restart. `Status` is a call that it refuses then; its empty request needs no codec.
 */
export async function waitForCri(endpoint: string): Promise<void> {
  // grpc-js derives an authority from the socket's path that containerd refuses.
  const client = new Client(endpoint, credentials.createInsecure(), { 'grpc.default_authority': 'localhost' });
  let lastError: unknown;
  try {
    const ready = await waitUntil(
      async () => {
        lastError = await status(client);
        return lastError === undefined;
      },
      { timeoutMs: 30_000 },
    );
    if (!ready) throw new Error('CRI does not answer', { cause: lastError });
  } finally {
    client.close();
  }
}

function status(client: Client): Promise<unknown> {
  const bytes = (value: Buffer): Buffer => value;
  return new Promise((resolve) => {
    client.makeUnaryRequest('/runtime.v1.RuntimeService/Status', bytes, bytes, Buffer.alloc(0), (error) =>
      resolve(error ?? undefined),
    );
  });
}
