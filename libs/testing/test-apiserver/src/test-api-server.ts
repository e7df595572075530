import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Clock, Random } from '@podwright/time';
import { Authorizer } from './authorization/authorizer.js';
import { certificateSigner, type AutoApproval } from './controllers/certificate-signer.js';
import { runControllers } from './controllers/controller-queue.js';
import { garbageCollector, orphanedPods } from './controllers/garbage-collector.js';
import { namespaceDefaults, namespaceDeletion } from './controllers/namespace-content.js';
import { nodeTaintsByCondition } from './controllers/node-taints-by-condition.js';
import { scheduler } from './controllers/scheduler.js';
import { ApiHandler } from './http/api-handler.js';
import type { ApiUser } from './http/api-request.js';
import { InProcessTransport } from './http/in-process-transport.js';
import { ResourceRequests } from './http/resource-requests.js';
import { SubresourceCreations } from './http/subresource-creations.js';
import { ClusterAuthority } from './identity/cluster-authority.js';
import { ServiceAccountTokens } from './identity/service-account-tokens.js';
import { TokenAuthenticator } from './identity/token-authenticator.js';
import { ObjectRegistry } from './registry/object-registry.js';
import type { ServerContext } from './registry/server-context.js';
import { createSystemObjects } from './registry/system-objects.js';
import { ResourceTable } from './resources/resource-table.js';
import { Reviews } from './reviews/reviews.js';
import { ObjectStore } from './store/object-store.js';

export interface TestApiServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Changes per resource that watches can still begin from. Default 1000. */
  readonly historyLength?: number;
  /** Binds pods to nodes. Default false: pods keep the node that they come with. */
  readonly schedule?: boolean;
  /** Which certificate requests of kubelets are approved at once. Default `client`, as upstream's controller does. */
  readonly approve?: AutoApproval;
  /** Bearer tokens that are good for a user each. Default none. */
  readonly tokens?: Readonly<Record<string, ApiUser>>;
}

/** An API server in memory. */
export interface TestApiServer {
  /** PEM, of the cluster's certificate authority. */
  readonly caCertificate: string;
  /** A way to it without a socket, on the server's clock; ordinary HTTP semantics. The user defaults to an administrator. */
  transport(user?: ApiUser): KubeTransport;
  /** Forgets the past: watches and lists from older resource versions get 410. */
  compact(): void;
}

const administrator: ApiUser = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** A server with the objects that each cluster has from the start. */
export function createTestApiServer(options: TestApiServerOptions): TestApiServer {
  const { clock, random, historyLength = 1_000, schedule = false, approve = 'client', tokens = {} } = options;
  const store = new ObjectStore({ historyLength });
  const table = new ResourceTable();
  const context: ServerContext = { clock, random, store, table };
  const registry = new ObjectRegistry(context);
  const authority = new ClusterAuthority(clock, random);
  const accountTokens = new ServiceAccountTokens(clock);
  const authorizer = new Authorizer(store);
  const authenticator = new TokenAuthenticator(accountTokens, store, new Map(Object.entries(tokens)));
  const reviews = new Reviews(authenticator, authorizer);
  const subresources = new SubresourceCreations(context, registry, accountTokens, reviews);
  const handler = new ApiHandler(table, new ResourceRequests(context, registry, subresources), authorizer);
  const controllers = [
    namespaceDefaults(context, registry, authority.certificate),
    namespaceDeletion(context, registry),
    garbageCollector(context, registry),
    orphanedPods(context, registry),
    certificateSigner(context, registry, authority, approve),
    nodeTaintsByCondition(context),
    ...(schedule ? [scheduler(context)] : []),
  ];
  runControllers(store, controllers);
  createSystemObjects(registry, table);
  return {
    caCertificate: authority.certificate,
    transport: (user = administrator) => new InProcessTransport(handler, user),
    compact: () => store.compact(),
  };
}
