import { CLOCK, LOGGER, METRICS, needs, optional, type Health, type Needs } from '@podwright/assembly-interface';
import { RateLimit } from '@podwright/concurrency';
import { KubeletError, hasCode, messageOf } from '@podwright/errors';
import { grpcStatus, SocketServer, StatusError, type ServerMethod } from '@podwright/grpc';
import type { Pod } from '@podwright/kube-types';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import {
  RESOURCE_ASSIGNMENTS,
  type GetPodResourcesRequest,
  type PodResourcesServer,
  type ResourceAssignments,
} from '@podwright/pod-resources-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { podResourcesListerMethods as methods } from './generated/server-codecs.js';
import type { GrpcPodResourcesConfig } from './grpc-pod-resources-config.js';
import { allocatableResources, alphaPodResources, noAssignments, podResources } from './pod-resources-lister.js';
import { PodResourcesMetrics, type ApiVersion, type EndpointName } from './pod-resources-metrics.js';

interface Endpoint<Request, Answer> extends ServerMethod<Request, Answer> {
  readonly version: ApiVersion;
  readonly name: EndpointName;
  readonly rpc: string;
  answer(request: Request): Answer;
}

export const grpcPodResourcesServerNeeds = needs({
  pods: POD_MANAGER,
  activePods: ACTIVE_PODS,
  clock: CLOCK,
  metrics: METRICS,
  logger: LOGGER,
  assignments: optional(RESOURCE_ASSIGNMENTS),
});
export type GrpcPodResourcesServerNeeds = Needs<typeof grpcPodResourcesServerNeeds>;

/** {@link PodResourcesServer} over gRPC. */
export class GrpcPodResourcesServer implements PodResourcesServer {
  private readonly server: SocketServer;
  private readonly counts: PodResourcesMetrics;
  private readonly limit: RateLimit;
  private readonly assignments: ResourceAssignments;

  constructor(
    private readonly deps: GrpcPodResourcesServerNeeds,
    private readonly config: GrpcPodResourcesConfig,
  ) {
    const { clock, metrics, assignments } = deps;
    this.counts = new PodResourcesMetrics(metrics);
    this.limit = new RateLimit(clock, config.qps, config.burst);
    this.assignments = assignments ?? noAssignments;
    this.server = new SocketServer(config.socket);
    this.addEndpoints();
  }

  get socket(): string {
    return this.config.socket;
  }

  async start(): Promise<void> {
    const { socket } = this;
    await this.server.listen().catch((error: unknown) => {
      const message = `cannot serve pod resources on ${socket}: ${messageOf(error)}; look whether its folder is there and whether another kubelet has the socket`;
      throw new KubeletError(message, { code: 'unavailable', cause: error });
    });
    this.deps.logger.info('Serving pod resources', { socket });
  }

  async stop(): Promise<void> {
    // Answers come from memory, so no call in progress is worth waiting for.
    this.server.close();
  }

  healthy(): Health {
    return this.server.listening ? { ok: true } : { ok: false, reason: 'the pod resources socket is closed' };
  }

  private addEndpoints(): void {
    const list = { name: 'list', ...methods.list } as const;
    this.add({ ...list, version: 'v1', answer: () => ({ podResources: this.list() }) });
    this.add({
      ...methods.getAllocatableResources,
      name: 'getAllocatable',
      version: 'v1',
      answer: () => allocatableResources(this.assignments),
    });
    this.add({
      ...methods.get,
      name: 'get',
      version: 'v1',
      answer: (request: GetPodResourcesRequest) => ({
        podResources: podResources(this.find(request), this.assignments),
      }),
    });
    this.add({
      ...list,
      path: list.path.replace('v1.', 'v1alpha1.'),
      version: 'v1alpha1',
      answer: () => ({ podResources: this.listAlpha() }),
    });
  }

  private list(): ReturnType<typeof podResources>[] {
    const pods = this.config.listActivePods ? this.deps.activePods.list() : this.deps.pods.getPods();
    this.assignments.releaseInactive();
    return pods.map((pod) => podResources(pod, this.assignments));
  }

  private listAlpha(): ReturnType<typeof podResources>[] {
    this.assignments.releaseInactive();
    return this.deps.pods.getPods().map((pod) => alphaPodResources(pod, this.assignments));
  }

  private find({ podName, podNamespace }: GetPodResourcesRequest): Pod {
    // As upstream v1.36.2, whatever `listActivePods` is: a pod that has ended is not found.
    const isAsked = ({ metadata }: Pod): boolean => metadata?.name === podName && metadata.namespace === podNamespace;
    const pod = this.deps.activePods.list().find(isAsked);
    if (pod !== undefined) return pod;
    throw new KubeletError(`pod ${podName} in namespace ${podNamespace} not found`, { code: 'not-found' });
  }

  /** Wraps an endpoint with the rate limit, the metrics and the error mapping. */
  private add<Request, Answer>(endpoint: Endpoint<Request, Answer>): void {
    const { rpc, version, name } = endpoint;
    this.server.unary<Request, Answer>(endpoint, (request) => {
      if (!this.limit.allow()) throw new StatusError(grpcStatus.RESOURCE_EXHAUSTED, 'rejected by rate limit');
      this.counts.request(version, name);
      try {
        return endpoint.answer(request);
      } catch (error) {
        this.counts.error(version, name);
        // As upstream, the error carries no gRPC status.
        if (!hasCode(error, 'not-found')) this.deps.logger.error('Pod resources call failed', { rpc, error });
        throw error;
      }
    });
  }
}
