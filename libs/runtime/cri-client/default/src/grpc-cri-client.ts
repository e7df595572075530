import { CLOCK, LOGGER, METRICS, needs, optional, type Needs } from '@podwright/assembly-interface';
import { defaultDeadlineMs } from '@podwright/cri-client-interface';
import type {
  CallOptions,
  ImageService,
  RpcName,
  RuntimeConnection,
  RuntimeService,
} from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { type GrpcMethod } from '@podwright/grpc';
import { TRACER } from '@podwright/tracing-interface';
import * as check from './answer-checks.js';
import { CallObserver } from './call-observer.js';
import type { CriClientConfig } from './cri-client-config.js';
import { socketPathOf } from './endpoint.js';
import { imageServiceMethods as images, runtimeServiceMethods as runtime } from './generated/client-codecs.js';
import { RuntimeChannel, type ChannelCallOptions } from './runtime-channel.js';
import { connectImages, connectRuntime } from './start-up-check.js';
import { StreamedLists } from './streamed-lists.js';

interface Method<Request, Response> extends GrpcMethod<Request, Response> {
  readonly rpc: RpcName;
}

/** How one RPC differs from another. */
interface CallRules<Request, Response> {
  /** Throws when the answer lacks what callers rely on. */
  readonly check?: (answer: Response, request: Request) => void;
  /** Id of the object that the call is about, for log lines. */
  readonly subject?: (request: Request) => string | undefined;
  /** True when the answer counts as an error in the metrics, although the runtime did what it was asked. */
  readonly isError?: (answer: Response) => boolean;
}

type Call<Request, Response> = (request: Request, options?: CallOptions) => Promise<Response>;
type StreamCall<Request, Response> = (request: Request, options?: CallOptions) => AsyncIterable<Response>;

const container = { subject: (request: { readonly containerId?: string | undefined }) => request.containerId };
const sandbox = { subject: (request: { readonly podSandboxId?: string | undefined }) => request.podSandboxId };
const image = {
  subject: (request: { readonly image?: { readonly image?: string | undefined } | undefined }) => request.image?.image,
};

export const criClientNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  /** Makes a span for each call and passes the trace context to the runtime. */
  tracer: optional(TRACER),
});
export type CriClientNeeds = Needs<typeof criClientNeeds>;

/** {@link RuntimeService} and {@link ImageService} over gRPC on unix sockets, with their connections. */
export class GrpcCriClient implements RuntimeService, ImageService, RuntimeConnection {
  runtimeName = '';
  runtimeVersion = '';
  runtimeApiVersion = '';
  private readonly requestTimeoutMs: number;
  private readonly observer: CallObserver;
  private readonly runtimeChannel: RuntimeChannel;
  private readonly imageChannel: RuntimeChannel;
  private readonly runtimeLists: StreamedLists;
  private readonly imageLists: StreamedLists;

  constructor({ clock, logger, metrics, tracer }: CriClientNeeds, config: CriClientConfig) {
    this.requestTimeoutMs = config.requestTimeoutMs;
    this.observer = new CallObserver({ clock, logger, metrics });
    this.runtimeChannel = new RuntimeChannel(socketPathOf(config.runtimeEndpoint), clock, tracer);
    this.imageChannel = new RuntimeChannel(socketPathOf(config.imageEndpoint || config.runtimeEndpoint), clock, tracer);
    this.runtimeLists = new StreamedLists(config.streamLists, logger);
    this.imageLists = new StreamedLists(config.streamLists, logger);
  }

  async start(): Promise<void> {
    const answer = await connectRuntime(this.runtimeChannel, () => this.version({}), this.requestTimeoutMs);
    await connectImages(this.imageChannel, () => this.imageFsInfo({}));
    this.runtimeName = answer.runtimeName;
    this.runtimeVersion = answer.runtimeVersion;
    this.runtimeApiVersion = answer.runtimeApiVersion;
  }

  async stop(): Promise<void> {
    this.runtimeChannel.close();
    this.imageChannel.close();
  }

  // RuntimeService. Names of operations: kubernetes v1.36 pkg/kubelet/kuberuntime/instrumented_services.go.
  readonly version = this.unary('version', runtime.version, { check: check.checkVersion });
  readonly runPodSandbox = this.unary('run_podsandbox', runtime.runPodSandbox, {
    check: check.checkRunPodSandbox,
    subject: (request) => request.config?.metadata?.uid,
  });
  readonly stopPodSandbox = this.unary('stop_podsandbox', runtime.stopPodSandbox, sandbox);
  readonly removePodSandbox = this.unary('remove_podsandbox', runtime.removePodSandbox, sandbox);
  readonly podSandboxStatus = this.unary('podsandbox_status', runtime.podSandboxStatus, {
    check: check.checkPodSandboxStatus,
    ...sandbox,
  });
  readonly streamPodSandboxes = this.stream('list_podsandbox', runtime.streamPodSandboxes);
  readonly listPodSandbox = this.list(
    ['ListPodSandbox', 'StreamPodSandboxes'],
    this.unary('list_podsandbox', runtime.listPodSandbox),
    this.streamPodSandboxes,
    (parts) => ({ items: parts.flatMap(({ podSandboxes }) => podSandboxes) }),
  );
  readonly createContainer = this.unary('create_container', runtime.createContainer, {
    check: check.checkCreateContainer,
    ...sandbox,
  });
  readonly startContainer = this.unary('start_container', runtime.startContainer, container);
  readonly stopContainer = this.unary('stop_container', runtime.stopContainer, container);
  readonly removeContainer = this.unary('remove_container', runtime.removeContainer, container);
  readonly streamContainers = this.stream('list_containers', runtime.streamContainers);
  readonly listContainers = this.list(
    ['ListContainers', 'StreamContainers'],
    this.unary('list_containers', runtime.listContainers),
    this.streamContainers,
    (parts) => ({ containers: parts.flatMap(({ containers }) => containers) }),
  );
  readonly containerStatus = this.unary('container_status', runtime.containerStatus, {
    check: check.checkContainerStatus,
    ...container,
  });
  readonly updateContainerResources = this.unary('update_container', runtime.updateContainerResources, container);
  readonly reopenContainerLog = this.unary('reopen_container_log', runtime.reopenContainerLog, container);
  // As upstream, a command that ends with another exit code than 0 is an error of the operation.
  readonly execSync = this.unary('exec_sync', runtime.execSync, {
    isError: ({ exitCode }) => exitCode !== 0,
    ...container,
  });
  readonly exec = this.unary('exec', runtime.exec, { check: check.checkUrl, ...container });
  readonly attach = this.unary('attach', runtime.attach, { check: check.checkUrl, ...container });
  readonly portForward = this.unary('port_forward', runtime.portForward, { check: check.checkUrl, ...sandbox });
  readonly containerStats = this.unary('container_stats', runtime.containerStats, container);
  readonly streamContainerStats = this.stream('list_container_stats', runtime.streamContainerStats);
  readonly listContainerStats = this.list(
    ['ListContainerStats', 'StreamContainerStats'],
    this.unary('list_container_stats', runtime.listContainerStats),
    this.streamContainerStats,
    (parts) => ({ stats: parts.flatMap(({ containerStats }) => containerStats) }),
  );
  readonly podSandboxStats = this.unary('podsandbox_stats', runtime.podSandboxStats, sandbox);
  readonly streamPodSandboxStats = this.stream('list_podsandbox_stats', runtime.streamPodSandboxStats);
  readonly listPodSandboxStats = this.list(
    ['ListPodSandboxStats', 'StreamPodSandboxStats'],
    this.unary('list_podsandbox_stats', runtime.listPodSandboxStats),
    this.streamPodSandboxStats,
    (parts) => ({ stats: parts.flatMap(({ podSandboxStats }) => podSandboxStats) }),
  );
  readonly updateRuntimeConfig = this.unary('update_runtime_config', runtime.updateRuntimeConfig);
  readonly status = this.unary('status', runtime.status, { check: check.checkStatus });
  private readonly checkpoint = this.unary('checkpoint_container', runtime.checkpointContainer, container);
  // As upstream: a checkpoint gets at least the time of any other call, and the request tells the runtime its timeout.
  readonly checkpointContainer: RuntimeService['checkpointContainer'] = async (request, options) => {
    const { timeout = 0n } = request;
    if (timeout < 0n) throw new KubeletError('timeout must be non-negative', { code: 'invalid-argument' });
    const least = BigInt(Math.floor(this.requestTimeoutMs / 1000));
    return this.checkpoint({ ...request, timeout: timeout < least ? least : timeout }, options);
  };
  readonly getContainerEvents = this.stream('get_container_events', runtime.getContainerEvents);
  readonly listMetricDescriptors = this.unary('list_metric_descriptors', runtime.listMetricDescriptors);
  readonly streamPodSandboxMetrics = this.stream('list_podsandbox_metrics', runtime.streamPodSandboxMetrics);
  readonly listPodSandboxMetrics = this.list(
    ['ListPodSandboxMetrics', 'StreamPodSandboxMetrics'],
    this.unary('list_podsandbox_metrics', runtime.listPodSandboxMetrics),
    this.streamPodSandboxMetrics,
    (parts) => ({ podMetrics: parts.flatMap(({ podSandboxMetrics }) => podSandboxMetrics) }),
  );
  readonly runtimeConfig = this.unary('runtime_config', runtime.runtimeConfig);
  readonly updatePodSandboxResources = this.unary(
    'update_podsandbox_resources',
    runtime.updatePodSandboxResources,
    sandbox,
  );

  // ImageService, on its own connection.
  readonly streamImages = this.stream('list_images', images.streamImages);
  readonly listImages = this.list(
    ['ListImages', 'StreamImages'],
    this.unary('list_images', images.listImages),
    this.streamImages,
    (parts) => ({ images: parts.flatMap(({ images: some }) => some) }),
  );
  readonly imageStatus = this.unary('image_status', images.imageStatus, { check: check.checkImageStatus, ...image });
  readonly pullImage = this.unary('pull_image', images.pullImage, {
    check: check.checkPullImage,
    ...image,
  });
  readonly removeImage = this.unary('remove_image', images.removeImage, image);
  readonly imageFsInfo = this.unary('image_fs_info', images.imageFsInfo);

  private unary<Request, Response>(
    operation: string,
    method: Method<Request, Response>,
    rules: CallRules<NoInfer<Request>, NoInfer<Response>> = {},
  ): Call<Request, Response> {
    return async (request, options = {}) => {
      const begunAt = this.observer.begun();
      try {
        const answer = await this.channelOf(method).unary(
          method,
          request,
          this.callOptions(method.rpc, request, options),
        );
        rules.check?.(answer, request);
        if (rules.isError?.(answer)) this.observer.countError(operation);
        return answer;
      } catch (error) {
        throw this.failed(operation, rules.subject?.(request), error);
      } finally {
        this.observer.ended(operation, begunAt);
      }
    };
  }

  private stream<Request, Response>(
    operation: string,
    method: Method<Request, Response>,
    rules: CallRules<NoInfer<Request>, NoInfer<Response>> = {},
  ): StreamCall<Request, Response> {
    return (request, options = {}) => this.observedStream(operation, method, rules, request, options);
  }

  private list<Request, Part, Answer>(
    names: readonly [list: string, stream: string],
    unary: Call<Request, Answer>,
    stream: StreamCall<Request, Part>,
    join: (parts: readonly Part[]) => Answer,
  ): Call<Request, Answer> {
    return (request, options) =>
      // Each service may lack these calls on its own.
      (names[0] === 'ListImages' ? this.imageLists : this.runtimeLists).get({
        names,
        list: () => unary(request, options),
        stream: () => stream(request, options),
        join,
      });
  }

  private async *observedStream<Request, Response>(
    operation: string,
    method: Method<Request, Response>,
    rules: CallRules<Request, Response>,
    request: Request,
    options: CallOptions,
  ): AsyncGenerator<Response, void, undefined> {
    const begunAt = this.observer.begun();
    try {
      yield* this.channelOf(method).stream(method, request, this.callOptions(method.rpc, request, options));
    } catch (error) {
      throw this.failed(operation, rules.subject?.(request), error);
    } finally {
      this.observer.ended(operation, begunAt);
    }
  }

  private channelOf({ path }: { readonly path: string }): RuntimeChannel {
    return path.startsWith('/runtime.v1.ImageService/') ? this.imageChannel : this.runtimeChannel;
  }

  private callOptions(rpc: RpcName, request: unknown, { signal, timeoutMs }: CallOptions): ChannelCallOptions {
    const own = (request as { readonly timeout?: bigint | undefined }).timeout;
    return { signal, timeoutMs: timeoutMs ?? defaultDeadlineMs(rpc, this.requestTimeoutMs, own) };
  }

  private failed(operation: string, subject: string | undefined, thrown: unknown): KubeletError {
    const error = KubeletError.from(thrown);
    this.observer.failed(operation, subject ?? '', error);
    return error;
  }
}

/** All services of the CRI in one object. */
export type CriClient = RuntimeService & ImageService & RuntimeConnection;
