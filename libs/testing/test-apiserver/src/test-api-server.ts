import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Clock, Random } from '@podwright/time';
import { KubeletProxy } from './kubelet-proxy/kubelet-proxy.js';
import { listen, type ApiListener } from './listener/api-listener.js';
import type { HttpsListenerOptions } from './listener/https-listener.js';
import { requestUser } from './listener/request-user.js';
import { upgradeLocation } from './listener/upgrade-location.js';
import { Authorizer } from './authorization/authorizer.js';
import type { Grant } from './authorization/grants.js';
import { certificateSigner, type AutoApproval } from './controllers/certificate-signer.js';
import { runControllers } from './controllers/controller-queue.js';
import { eventExpiry } from './controllers/event-expiry.js';
import { garbageCollector, orphanedPods } from './controllers/garbage-collector.js';
import { namespaceDefaults, namespaceDeletion } from './controllers/namespace-content.js';
import { nodeTaintsByCondition } from './controllers/node-taints-by-condition.js';
import { scheduler } from './controllers/scheduler.js';
import { RequestLog } from './audit/request-log.js';
import { Faults } from './faults/faults.js';
import { ObservedHandler } from './faults/observed-handler.js';
import { OpenStreams } from './faults/open-streams.js';
import { ApiHandler } from './http/api-handler.js';
import type { ApiUser } from './http/api-request.js';
import { InProcessTransport } from './http/in-process-transport.js';
import { NegotiatedRequests } from './http/negotiated-requests.js';
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
  /** Requests that {@link TestApiServer.audit} keeps. Default 1000. */
  readonly auditLength?: number;
  /** Binds pods to nodes. Default false: pods keep the node that they come with. */
  readonly schedule?: boolean;
  /** Which certificate requests of kubelets are approved at once. Default `client`, as upstream's controller does. */
  readonly approve?: AutoApproval;
  /** Approves and signs certificate requests. Default true; false for a test that plays that part itself. */
  readonly sign?: boolean;
  /** Bearer tokens that are good for a user each. Default none. */
  readonly tokens?: Readonly<Record<string, ApiUser>>;
  /** What users and groups may do that are neither administrators nor kubelets. Default nothing. */
  readonly grants?: readonly Grant[];
  /** Hears of what goes wrong in the server's own work. Default: thrown, so that a test fails. */
  readonly onError?: (error: unknown) => void;
}

/** An API server in memory. */
export interface TestApiServer {
  /** PEM, of the cluster's certificate authority. */
  readonly caCertificate: string;
  /** A way to it without a socket, on the server's clock; ordinary HTTP semantics. The user defaults to an administrator. */
  transport(user?: ApiUser): KubeTransport;
  /** A way to it over HTTPS, in real time: the clock must be the system's. The caller stops it. */
  listen(options?: HttpsListenerOptions): Promise<ApiListener>;
  /** Forgets the past: watches and lists from older resource versions get 410. */
  compact(): void;
  /** What goes wrong with it, on demand. */
  readonly faults: Faults;
  /** The last requests. */
  readonly audit: RequestLog;
  /** Nobody listens any more: requests fail, open ones break. The data stay. */
  stop(): void;
  /** Listens again after {@link stop}. */
  start(): void;
}

const administrator: ApiUser = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** The server as kubelets see it: one of the administrators. */
const kubeletClient = {
  subject: { commonName: 'kube-apiserver-kubelet-client', organizations: ['system:masters'] },
  usages: ['digital signature', 'key encipherment', 'client auth'],
};

function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** A server with the objects that each cluster has from the start. */
export function createTestApiServer(options: TestApiServerOptions): TestApiServer {
  const {
    clock,
    random,
    historyLength = 1_000,
    auditLength = 1_000,
    schedule = false,
    approve = 'client',
    sign = true,
    tokens = {},
    grants = [],
    onError = rethrow,
  } = options;
  const store = new ObjectStore({ historyLength });
  const table = new ResourceTable();
  const context: ServerContext = { clock, random, store, table };
  const registry = new ObjectRegistry(context);
  const authority = new ClusterAuthority(clock, random);
  const accountTokens = new ServiceAccountTokens(clock);
  const authorizer = new Authorizer(store, grants);
  const authenticator = new TokenAuthenticator(accountTokens, store, new Map(Object.entries(tokens)));
  const reviews = new Reviews(authenticator, authorizer);
  const subresources = new SubresourceCreations(context, registry, accountTokens, reviews);
  const requests = new NegotiatedRequests(new ResourceRequests(context, registry, subresources), clock);
  const handler = new ApiHandler(table, requests, authorizer);
  const faults = new Faults(new OpenStreams());
  const audit = new RequestLog(table, auditLength);
  const observed = new ObservedHandler(handler, faults, audit, clock);
  const proxy = new KubeletProxy(store, authority.issue(kubeletClient));
  handler.extensions.push((request) => ('target' in request ? proxy.answer(request) : undefined));
  const controllers = [
    namespaceDefaults(context, registry, authority.certificate),
    namespaceDeletion(context, registry),
    garbageCollector(context, registry),
    orphanedPods(context, registry),
    ...(sign ? [certificateSigner(context, registry, authority, approve)] : []),
    nodeTaintsByCondition(context),
    eventExpiry(context),
    ...(schedule ? [scheduler(context)] : []),
  ];
  runControllers(store, controllers, onError);
  createSystemObjects(registry, table);
  return {
    caCertificate: authority.certificate,
    transport: (user = administrator) => new InProcessTransport(observed, user),
    listen: (listening) =>
      listen(
        {
          userOf: (socket, authorization) => requestUser(socket, authorization, authenticator),
          handle: (request) => observed.handle(request),
          upgrade: (request) => Promise.resolve(upgradeLocation(table, authorizer, proxy, request)),
          kubeletCredentials: proxy.credentials,
        },
        authority,
        listening,
      ),
    compact: () => store.compact(),
    faults,
    audit,
    stop: () => faults.stop(),
    start: () => faults.start(),
  };
}
