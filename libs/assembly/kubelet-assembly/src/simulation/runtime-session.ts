import type { ImageService, RuntimeConnection, RuntimeService } from '@podwright/cri-client-interface';
import { linkSignals, type LinkedSignal } from '@podwright/time';

type Cri = RuntimeService & ImageService & RuntimeConnection;
type Call = (request: unknown, options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }) => unknown;

/** One process's connection to a runtime that outlives it. */
export interface RuntimeSession {
  readonly cri: Cri;
  /**
   * Kills the process: it sends and receives nothing more. For each call in flight, `givesUp` decides whether the
   * runtime cancels it or completes it; both happen on a real node.
   */
  die(givesUp: () => boolean): void;
}

/** Connects to `runtime`; `start` and `stop` of the connection do not affect the runtime. */
export function connectTo(runtime: Cri): RuntimeSession {
  const inFlight = new Set<LinkedSignal>();
  let dead = false;
  const never = new Promise<never>(() => undefined);

  const call =
    (perform: Call): Call =>
    (request, options = {}) => {
      if (dead) return never;
      const cut = linkSignals(options.signal);
      const answer = perform(request, { ...options, signal: cut.signal });
      if (!(answer instanceof Promise)) return answer;
      inFlight.add(cut);
      const heard = async (): Promise<unknown> => {
        try {
          return await answer;
        } finally {
          inFlight.delete(cut);
          cut.dispose();
          if (dead) await never;
        }
      };
      return heard();
    };

  const own: Record<PropertyKey, unknown> = { start: async () => undefined, stop: async () => undefined };
  const cri = new Proxy(runtime, {
    get: (target, property) => {
      if (Object.hasOwn(own, property)) return own[property];
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      return (own[property] = call((value as Call).bind(target)));
    },
  });
  return {
    cri,
    die: (givesUp) => {
      dead = true;
      for (const cut of [...inFlight]) if (givesUp()) cut.abort();
    },
  };
}
