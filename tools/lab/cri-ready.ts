import { Client, credentials } from '@grpc/grpc-js';
import { waitUntil } from './commands.js';

/**
 * Waits until CRI answers. containerd accepts connections earlier, but refuses calls while it restores running
 * containers after a restart. `Status` is such a call, and its empty request needs no codec.
 */
export async function waitForCri(endpoint: string): Promise<void> {
  // grpc-js derives an authority from the socket path, which containerd refuses.
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
