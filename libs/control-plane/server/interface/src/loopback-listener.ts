import { createManyToken } from '@podwright/assembly-interface';
import type { Answer } from '@podwright/http-answer';
import type { Route, ServerRequest } from './route.js';

/**
 * A port on loopback that a module brings, plain HTTP, with routes of its own. The server has the port, its limits and
 * its requests; the module decides who may ask. The server does not start when it cannot bind the port, or when the
 * address is not one of loopback.
 */
export interface LoopbackListener {
  /** What it is for, in messages: `the console`. */
  readonly name: string;
  /** The option or flag to change when the port cannot be bound. */
  readonly fields: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly routes: readonly Route[];
  /**
   * The answer for a request that may not reach its route; undefined when it may. Called before the route, for paths that
   * have one.
   */
  refuse(request: Pick<ServerRequest, 'method' | 'path' | 'query' | 'headers'>): Answer | undefined;
  /** The server listens there: `host:port`. Resolves when clients may come; a rejection fails the server's start. */
  opened(address: string): Promise<void>;
}

/** Modules contribute ports for programs on the same machine. */
export const LOOPBACK_LISTENERS = createManyToken<LoopbackListener>('kubelet.loopback-listeners/v1');
