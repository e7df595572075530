import { rm, stat } from 'node:fs/promises';
import {
  Server,
  ServerCredentials,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { CLOCK, LOGGER, METRICS, decodeOptions, type Health } from '@podwright/assembly-interface';
import { RateLimit } from '@podwright/concurrency';
import { KubeletError, hasCode, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import {
  RESOURCE_ASSIGNMENTS,
  type GetPodResourcesRequest,
  type PodResourcesServer,
  type ResourceAssignments,
} from '@podwright/pod-resources-interface';
import { ACTIVE_PODS, type ActivePods } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { podResourcesListerMethods as methods } from './generated/server-codecs.js';
import {
  GRPC_POD_RESOURCES_CONFIG,
  grpcPodResourcesConfigSchema,
  type GrpcPodResourcesConfig,
} from './grpc-pod-resources-config.js';
import { allocatableResources, alphaPodResources, noAssignments, podResources } from './pod-resources-lister.js';
import { PodResourcesMetrics, type ApiVersion, type EndpointName } from './pod-resources-metrics.js';

interface Endpoint<Request, Answer> {
  readonly version: ApiVersion;
  readonly name: EndpointName;
  readonly rpc: string;
  readonly path: string;
  encode(answer: Answer): Buffer;
  decode(bytes: Buffer): Request;
  answer(request: Request): Answer;
}

/** {@link PodResourcesServer} on gRPC. */
@injectable()
export class GrpcPodResourcesServer implements PodResourcesServer {
  private server: Server | undefined;
  private readonly counts: PodResourcesMetrics;
  private readonly limit: RateLimit;
  private readonly assignments: ResourceAssignments;

  constructor(
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(ACTIVE_PODS) private readonly activePods: ActivePods,
    @inject(CLOCK) clock: Clock,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(GRPC_POD_RESOURCES_CONFIG) private readonly config: GrpcPodResourcesConfig,
    @inject(RESOURCE_ASSIGNMENTS, { isOptional: true }) assignments?: ResourceAssignments,
  ) {
    this.counts = new PodResourcesMetrics(metrics);
    this.limit = new RateLimit(clock, config.qps, config.burst);
    this.assignments = assignments ?? noAssignments;
  }

  get socket(): string {
    return this.config.socket;
  }

  async start(): Promise<void> {
    await removeSocket(this.socket);
    // Its bookkeeping costs on every call and nothing reads it.
    const server = new Server({ 'grpc.enable_channelz': 0 });
    this.addServices(server);
    await new Promise<void>((resolve, reject) =>
      server.bindAsync(`unix:${this.socket}`, ServerCredentials.createInsecure(), (error) =>
        error === null ? resolve() : reject(cannotListen(this.socket, error)),
      ),
    );
    this.server = server;
    this.logger.info('Serving pod resources', { socket: this.socket });
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    // Answers come from memory, so nothing that was begun is worth waiting for.
    server?.forceShutdown();
  }

  healthy(): Health {
    return this.server === undefined ? { ok: false, reason: 'the pod resources socket is closed' } : { ok: true };
  }

  private addServices(server: Server): void {
    const list = { name: 'list', ...methods.list } as const;
    this.add(server, [
      this.endpoint({ ...list, version: 'v1', answer: () => ({ podResources: this.list() }) }),
      this.endpoint({
        ...methods.getAllocatableResources,
        name: 'getAllocatable',
        version: 'v1',
        answer: () => allocatableResources(this.assignments),
      }),
      this.endpoint({
        ...methods.get,
        name: 'get',
        version: 'v1',
        answer: (request: GetPodResourcesRequest) => ({
          podResources: podResources(this.find(request), this.assignments),
        }),
      }),
    ]);
    this.add(server, [
      this.endpoint({
        ...list,
        path: list.path.replace('v1.', 'v1alpha1.'),
        version: 'v1alpha1',
        answer: () => ({ podResources: this.listAlpha() }),
      }),
    ]);
  }

  private list(): ReturnType<typeof podResources>[] {
    const pods = this.config.listActivePods ? this.activePods.list() : this.pods.getPods();
    this.assignments.releaseInactive();
    return pods.map((pod) => podResources(pod, this.assignments));
  }

  private listAlpha(): ReturnType<typeof podResources>[] {
    this.assignments.releaseInactive();
    return this.pods.getPods().map((pod) => alphaPodResources(pod, this.assignments));
  }

  private find({ podName, podNamespace }: GetPodResourcesRequest): ReturnType<ActivePods['list']>[number] {
    const pod = this.pods.getPodByFullName(`${podName}_${podNamespace}`);
    if (pod !== undefined) return pod;
    throw new KubeletError(`pod ${podName} in namespace ${podNamespace} not found`, { code: 'not-found' });
  }

  /** What a call does around its answer: the limit, the counts, the error. */
  private endpoint<Request, Answer>(endpoint: Endpoint<Request, Answer>): Registration {
    const { rpc, path, encode, decode, version, name } = endpoint;
    const handle = (call: ServerUnaryCall<Request, Answer>, respond: sendUnaryData<Answer>): void => {
      if (!this.limit.allow()) {
        respond({ code: status.RESOURCE_EXHAUSTED, details: 'rejected by rate limit' });
        return;
      }
      this.counts.request(version, name);
      try {
        respond(null, endpoint.answer(call.request));
      } catch (error) {
        this.counts.error(version, name);
        // Upstream gives no gRPC status either.
        if (!hasCode(error, 'not-found')) this.logger.error('Pod resources call failed', { rpc, error });
        respond({ code: status.UNKNOWN, details: messageOf(error) });
      }
    };
    return {
      rpc,
      handle,
      definition: {
        path,
        requestStream: false,
        responseStream: false,
        requestSerialize: neverSent,
        requestDeserialize: decode,
        responseSerialize: encode,
        responseDeserialize: neverSent,
      },
    };
  }

  private add(server: Server, registrations: readonly Registration[]): void {
    server.addService(
      Object.fromEntries(registrations.map(({ rpc, definition }) => [rpc, definition])),
      Object.fromEntries(registrations.map(({ rpc, handle }) => [rpc, handle])),
    );
  }
}

interface Registration {
  readonly rpc: string;
  readonly definition: ServiceDefinition[string];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each endpoint has its own messages; grpc-js tells them apart by the definition
  readonly handle: (call: ServerUnaryCall<any, any>, respond: sendUnaryData<any>) => void;
}

function neverSent(): never {
  throw new KubeletError('a server sends no requests', { code: 'internal' });
}

// A former kubelet's socket stays when it was killed. Anything else in the place is somebody's file.
async function removeSocket(socket: string): Promise<void> {
  try {
    if ((await stat(socket)).isSocket()) await rm(socket);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw cannotListen(socket, error);
  }
}

function cannotListen(socket: string, error: unknown): KubeletError {
  const message = `cannot serve pod resources on ${socket}: ${messageOf(error)}; look whether its folder is there and whether another kubelet has the socket`;
  return new KubeletError(message, { code: 'unavailable', cause: error });
}

export interface GrpcPodResourcesServerDeps {
  readonly pods: PodManager;
  readonly activePods: ActivePods;
  readonly clock: Clock;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
  readonly assignments?: ResourceAssignments;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createGrpcPodResourcesServer(
  { pods, activePods, clock, metrics, logger, assignments }: GrpcPodResourcesServerDeps,
  options: Partial<GrpcPodResourcesConfig> = {},
): PodResourcesServer {
  const config = decodeOptions('pod-resources', grpcPodResourcesConfigSchema, options);
  return new GrpcPodResourcesServer(pods, activePods, clock, metrics, logger, config, assignments);
}
