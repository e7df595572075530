import type { ApiObject } from '@podwright/api-machinery';
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
import { podCertificateSigning } from './controllers/pod-certificate-signing.js';
import { nodeTaintsByCondition } from './controllers/node-taints-by-condition.js';
import { scheduler } from './controllers/scheduler.js';
import { resourceClaimControllers } from './controllers/resource-claims/resource-claim-controllers.js';
import { volumeControllers } from './controllers/volumes/volume-controllers.js';
import { RequestLog } from './audit/request-log.js';
import { Faults } from './faults/faults.js';
import { ObservedHandler } from './faults/observed-handler.js';
import { OpenStreams } from './faults/open-streams.js';
import { ApiHandler } from './http/api-handler.js';
import type { ApiUser } from './http/api-request.js';
import { InProcessTransport } from './http/in-process-transport.js';
import { NegotiatedRequests } from './http/negotiated-requests.js';
import { ObjectContents } from './http/object-content.js';
import { ResourceRequests } from './http/resource-requests.js';
import { SubresourceCreations } from './http/subresource-creations.js';
import { ClusterAuthority } from './identity/cluster-authority.js';
import { PodCertificateSigner, type PodSigner } from './identity/pod-certificate-signer.js';
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
  /** How many changes per resource to keep for watches that start in the past. Default 1000. */
  readonly historyLength?: number;
  /** How many requests {@link TestApiServer.audit} keeps. Default 1000. */
  readonly auditLength?: number;
  /** Whether to run a scheduler that binds pods to nodes. Default false. */
  readonly schedule?: boolean;
  /**
   * Whether to bind, provision, grow and attach volumes, without calling any driver; pods then wait for their claims.
   * Default false.
   */
  readonly volumes?: boolean;
  /**
   * Whether to make the claims of templates and extended resources, to allocate devices of a bound pod's node to its
   * claims, and to free them. Default false.
   */
  readonly resourceClaims?: boolean;
  /** Whether to take and give objects in CBOR, as the gate CBORServingAndStorage does. Default false: 415, JSON. */
  readonly cbor?: boolean;
  /** Which certificate requests of kubelets to approve automatically. Default `client`, as upstream's controller. */
  readonly approve?: AutoApproval;
  /** Whether to approve and sign certificate requests. Default true; false for a test that does so itself. */
  readonly sign?: boolean;
  /** Who answers requests for certificates of pods, by the signer's name. Default none: they wait. */
  readonly podSigners?: Readonly<Record<string, PodSigner>>;
  /** Users by their static bearer token. Default none. */
  readonly tokens?: Readonly<Record<string, ApiUser>>;
  /** Rights of users and groups that are neither administrators nor kubelets. Default none. */
  readonly grants?: readonly Grant[];
  /**
   * The address of every kubelet, for one that listens elsewhere than its node says, such as on loopback. Asked for each
   * request; undefined: the address of the node. Default undefined.
   */
  readonly kubeletHost?: () => string | undefined;
  /** Called with each error of the server's controllers. Default: throws it, so that a test fails. */
  readonly onError?: (error: unknown) => void;
}

/** An API server in memory. */
export interface TestApiServer {
  /** The certificate of the cluster's authority, PEM. */
  readonly caCertificate: string;
  /** The certificate of the authority that signs for {@link TestApiServerOptions.podSigners}, PEM. */
  readonly podCaCertificate: string;
  /** Connects without a socket, on the server's clock, with the usual HTTP semantics. Default: as an administrator. */
  transport(user?: ApiUser): KubeTransport;
  /** Serves over HTTPS in real time: the server's clock must be the system clock. The caller stops the listener. */
  listen(options?: HttpsListenerOptions): Promise<ApiListener>;
  /** Drops all history: watches and lists from older resource versions get 410. */
  compact(): void;
  /** The stored objects of a resource, such as `pods`, without a request. */
  objects(resource: string): Iterable<ApiObject>;
  /** Injects faults into requests. */
  readonly faults: Faults;
  /** The last requests. */
  readonly audit: RequestLog;
  /** Stops the server: new requests fail, open ones break. It keeps its data. */
  stop(): void;
  /** Starts the server again after {@link stop}. */
  start(): void;
}

const administrator: ApiUser = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** The server's client identity towards kubelets: an administrator. */
const kubeletClient = {
  subject: { commonName: 'kube-apiserver-kubelet-client', organizations: ['system:masters'] },
  usages: ['digital signature', 'key encipherment', 'client auth'],
};

function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Makes a server with the objects that every cluster has from the start. */
export function createTestApiServer(options: TestApiServerOptions): TestApiServer {
  const {
    clock,
    random,
    historyLength = 1_000,
    auditLength = 1_000,
    schedule = false,
    volumes = false,
    resourceClaims = false,
    cbor = false,
    approve = 'client',
    sign = true,
    podSigners = {},
    tokens = {},
    grants = [],
    onError = rethrow,
  } = options;
  const store = new ObjectStore({ historyLength });
  const table = new ResourceTable();
  const context: ServerContext = { clock, random, store, table };
  const registry = new ObjectRegistry(context);
  const authority = new ClusterAuthority(clock, random);
  const podSigner = new PodCertificateSigner(clock, random);
  const accountTokens = new ServiceAccountTokens(clock);
  const authorizer = new Authorizer(store, grants);
  const authenticator = new TokenAuthenticator(accountTokens, store, new Map(Object.entries(tokens)));
  const reviews = new Reviews(authenticator, authorizer);
  const subresources = new SubresourceCreations(context, registry, accountTokens, reviews);
  const contents = new ObjectContents({ cbor });
  const requests = new NegotiatedRequests(new ResourceRequests(context, registry, subresources), contents, clock);
  const handler = new ApiHandler(table, requests, contents, authorizer);
  const faults = new Faults(new OpenStreams());
  const audit = new RequestLog(table, auditLength);
  const observed = new ObservedHandler(handler, faults, audit, clock);
  const proxy = new KubeletProxy(store, authority.issue(kubeletClient), options.kubeletHost);
  handler.extensions.push((request) => ('target' in request ? proxy.answer(request) : undefined));
  const controllers = [
    namespaceDefaults(context, registry, authority.certificate),
    namespaceDeletion(context, registry),
    garbageCollector(context, registry),
    orphanedPods(context, registry),
    ...(sign ? [certificateSigner(context, registry, authority, approve)] : []),
    podCertificateSigning(context, registry, podSigner, podSigners),
    nodeTaintsByCondition(context),
    eventExpiry(context),
    ...(volumes ? volumeControllers(context, registry) : []),
    ...(resourceClaims ? resourceClaimControllers(context, registry) : []),
    ...(schedule ? [scheduler(context, { waitForClaims: volumes })] : []),
  ];
  runControllers(store, controllers, onError);
  createSystemObjects(registry, table);
  return {
    caCertificate: authority.certificate,
    podCaCertificate: podSigner.certificate,
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
    objects: (resource) => store.values(resource),
    faults,
    audit,
    stop: () => faults.stop(),
    start: () => faults.start(),
  };
}
