import type { KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import { linkSignals, type LinkedSignal } from '@podwright/time';

/** One process's connection to an API server that outlives it. */
export interface ApiSession {
  readonly transport: KubeTransport;
  /** Kills the process: it sends and receives nothing more. The server completes the requests that it already has. */
  die(): void;
}

/**
 * Connects to `server`; `start` and `stop` of the transport do not affect the server. Each request, answer and piece of
 * an answer takes the time of one `travel`.
 */
export function connectToApi(server: KubeTransport, travel?: () => Promise<void> | undefined): ApiSession {
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
        const answered = async (): Promise<KubeHttpResponse> => {
          await travel?.();
          const answer = await server.send(request, cut.signal);
          await travel?.();
          return answer;
        };
        const answer = await answered().catch((error: unknown) => {
          forget();
          if (dead) return never;
          throw error;
        });
        return dead ? never : { ...answer, body: heardBy(answer, () => dead, forget, travel) };
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
  travel: (() => Promise<void> | undefined) | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      await travel?.();
      if (dead()) return;
      yield chunk;
    }
  } finally {
    ended();
  }
}
