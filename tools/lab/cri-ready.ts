import { Client, credentials } from '@grpc/grpc-js';
import { waitUntil } from './commands.js';

/**
 * Waits until CRI answers. containerd accepts connections earlier, but refuses calls while it restores running
 * containers after a restart. `Status` is such a call, and its empty request needs no codec.
 */
export async function waitForCri(endpoint: string): Promise<void> {
  const client = connect(endpoint);
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

/** Lets the runtime pull an image. The request holds only a reference, so it needs no codec either. */
export async function pullImage(endpoint: string, reference: string): Promise<void> {
  const client = connect(endpoint);
  try {
    const error = await call(client, 'ImageService/PullImage', field(1, field(1, Buffer.from(reference))));
    if (error !== undefined)
      throw new Error(`the runtime cannot pull ${reference}: ${String(error)}`, { cause: error });
  } finally {
    client.close();
  }
}

function connect(endpoint: string): Client {
  // grpc-js derives an authority from the socket path, which containerd refuses.
  return new Client(endpoint, credentials.createInsecure(), { 'grpc.default_authority': 'localhost' });
}

function status(client: Client): Promise<unknown> {
  return call(client, 'RuntimeService/Status', Buffer.alloc(0));
}

/** Resolves with the error, if there is one. */
function call(client: Client, method: string, request: Buffer): Promise<unknown> {
  const bytes = (value: Buffer): Buffer => value;
  return new Promise((resolve) => {
    const deadline = Date.now() + 60_000;
    client.makeUnaryRequest(`/runtime.v1.${method}`, bytes, bytes, request, { deadline }, (error) =>
      resolve(error ?? undefined),
    );
  });
}

/** A field of bytes, a string or a message, shorter than 128 bytes, in protobuf's format. */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
}
