import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Clock, Random } from '@podwright/time';
import { ApiHandler } from './http/api-handler.js';
import type { ApiUser } from './http/api-request.js';
import { InProcessTransport } from './http/in-process-transport.js';
import { ResourceRequests } from './http/resource-requests.js';
import { createSystemObjects } from './registry/system-objects.js';
import { ObjectRegistry } from './registry/object-registry.js';
import type { ServerContext } from './registry/server-context.js';
import { ResourceTable } from './resources/resource-table.js';
import { ObjectStore } from './store/object-store.js';

export interface TestApiServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Changes per resource that watches can still begin from. Default 1000. */
  readonly historyLength?: number;
}

/** An API server in memory. */
export interface TestApiServer {
  /** A way to it without a socket, on the server's clock; ordinary HTTP semantics. The user defaults to an administrator. */
  transport(user?: ApiUser): KubeTransport;
  /** Forgets the past: watches and lists from older resource versions get 410. */
  compact(): void;
}

const administrator: ApiUser = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** A server with the objects that each cluster has from the start. */
export function createTestApiServer({ clock, random, historyLength = 1_000 }: TestApiServerOptions): TestApiServer {
  const store = new ObjectStore({ historyLength });
  const table = new ResourceTable();
  const context: ServerContext = { clock, random, store, table };
  const registry = new ObjectRegistry(context);
  createSystemObjects(registry, table);
  const handler = new ApiHandler(table, new ResourceRequests(context, registry));
  return {
    transport: (user = administrator) => new InProcessTransport(handler, user),
    compact: () => store.compact(),
  };
}
