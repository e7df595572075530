import type { KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import { linkSignals, type LinkedSignal } from '@podwright/time';

/** One process's connection to an API server that outlives it. */
export interface ApiSession {
  readonly transport: KubeTransport;
  /** Kills the process: it sends and receives nothing more. The server completes the requests that it already has. */
  die(): void;
}

/** Connects to `server`; `start` and `stop` of the transport do not affect the server. */
export function connectToApi(server: KubeTransport): ApiSession {
  let dead = false;
  const never = new Promise<never>(() => undefined);
  const open = new Set<LinkedSignal>();
  return {
    transport: {
      server: server.server,
      start: async () => undefined,
      stop: async () => undefined,
      closeConnections: (which) => server.closeConnections(which),
      reloadCredentials: () => server.reloadCredentials(),
      send: async (request, signal) => {
        if (dead) return never;
        const cut = linkSignals(signal);
        const forget = (): void => {
          open.delete(cut);
          cut.dispose();
        };
        open.add(cut);
        const answer = await server.send(request, cut.signal).catch((error: unknown) => {
          forget();
          if (dead) return never;
          throw error;
        });
        return dead ? never : { ...answer, body: heardBy(answer, () => dead, forget) };
      },
    },
    die: () => {
      dead = true;
      for (const cut of open) cut.abort();
    },
  };
}

async function* heardBy(
  { body }: KubeHttpResponse,
  dead: () => boolean,
  ended: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      if (dead()) return;
      yield chunk;
    }
  } finally {
    ended();
  }
}
