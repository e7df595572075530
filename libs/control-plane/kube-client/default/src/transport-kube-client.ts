import { CLOCK, LOGGER, METRICS, needs, RANDOM, type Health, type Needs } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { KUBE_TRANSPORT } from '@podwright/kube-client-interface';
import type {
  ApiServerWatch,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  Informer,
  InformerOptions,
  KubeClient,
  KubeObject,
  ListOptions,
  ObjectList,
  ObjectName,
  Patch,
  ResourceType,
  WriteOptions,
} from '@podwright/kube-client-interface';
import { withLinkedSignal } from '@podwright/time';
import { ReflectorInformer } from './informer/reflector-informer.js';
import type { KubeClientConfig } from './kube-client-config.js';
import { decodeList } from './answer/decode-list.js';
import type { Answer } from './content/answer.js';
import { RequestContent } from './content/request-content.js';
import { apiVersionOf, decodeAnyObject, decodeObject } from './answer/decode-object.js';
import { defaultPageSize, listPages } from './list-pages.js';
import type { OutgoingRequest } from './request/outgoing-request.js';
import { createRequestBudgets } from './request/request-budgets.js';
import { createRequestMetrics } from './request/request-metrics.js';
import { RequestSender } from './request/request-sender.js';
import { RequestThrottle } from './request/request-throttle.js';
import { refusal, resourcePath, type PathTarget, type Query } from './request/resource-path.js';
import { ServerReachability } from './request/server-reachability.js';
import { ServerWarnings } from './request/server-warnings.js';

const defaultTimeoutMs = 30_000;

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  'strategic-merge': 'application/strategic-merge-patch+json',
} as const;

export const kubeClientNeeds = needs({
  /** The caller starts and stops the transport. */
  transport: KUBE_TRANSPORT,
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
});

/**
 * {@link KubeClient} over a `KubeTransport`: a token bucket per budget, informers like client-go's
 * reflectors.
 */
export class TransportKubeClient implements KubeClient, ApiServerWatch {
  private readonly content: RequestContent;
  private readonly sender: RequestSender;
  private readonly reachability: ServerReachability;
  private readonly informers = new Set<{ stop(): Promise<void> }>();
  private readonly stopping = new AbortController();
  private started = false;

  constructor(
    private readonly deps: Needs<typeof kubeClientNeeds>,
    private readonly config: KubeClientConfig,
  ) {
    const { transport, clock, logger, metrics } = deps;
    this.reachability = new ServerReachability(transport, clock, logger);
    this.content = new RequestContent(config);
    this.sender = new RequestSender({
      transport,
      clock,
      logger,
      throttle: new RequestThrottle(clock, logger, createRequestBudgets(clock, config)),
      metrics: createRequestMetrics(metrics),
      reachability: this.reachability,
      warnings: new ServerWarnings(logger),
      content: this.content,
      userAgent: config.userAgent,
    });
  }

  get server(): string {
    return this.deps.transport.server;
  }

  // Does not call the server: a node must start while it is unavailable.
  async start(): Promise<void> {
    await this.content.load();
    this.started = true;
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the client was stopped', { code: 'cancelled' }));
    await Promise.all([...this.informers].map((informer) => informer.stop()));
  }

  // Healthy even when the server is unavailable: a restart of the node would not help.
  healthy(): Health {
    if (!this.started) return { ok: false, reason: 'kube-client is not started' };
    const detail = this.reachability.describe();
    return { ok: true, ...(detail !== undefined && { detail }) };
  }

  async get<T extends KubeObject>(resource: ResourceType<T>, name: ObjectName, options: GetOptions = {}): Promise<T> {
    const { resourceVersion } = options;
    const answer = await this.call(resource, 'GET', { target: named(name), query: { resourceVersion } }, options);
    return decodeObject(answer, resource);
  }

  async list<T extends KubeObject>(resource: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { namespace, fieldSelector, labelSelector, limit = defaultPageSize, ...versions } = options;
    const target = namespace === undefined ? {} : { namespace };
    const { resourceVersion, items } = await listPages<T>(
      async (query) => {
        const page = { target, query: { fieldSelector, labelSelector, ...query } };
        return decodeList(await this.call(resource, 'GET', page, options), resource, (item) => item);
      },
      { ...versions, limit },
    );
    return { metadata: { resourceVersion }, items };
  }

  async create<T extends KubeObject>(resource: ResourceType<T>, object: T, options: CallOptions = {}): Promise<T> {
    const { namespace = '' } = object.metadata ?? {};
    if (resource.namespaced && namespace === '') throw refusal('an empty namespace may not be set during creation');
    const call = { target: { namespace }, body: typed(resource, object) };
    return decodeObject(await this.call(resource, 'POST', call, options), resource);
  }

  async createSubresource<Answer extends KubeObject>(
    resource: ResourceType,
    name: ObjectName & { readonly subresource: string },
    body: KubeObject,
    options: CallOptions = {},
  ): Promise<Answer> {
    const answer = await this.call(resource, 'POST', { target: named(name), body }, options);
    return decodeAnyObject(answer) as Answer;
  }

  async update<T extends KubeObject>(resource: ResourceType<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace = '', name = '' } = object.metadata ?? {};
    const target = withSubresource(named({ namespace, name }), options);
    return decodeObject(await this.call(resource, 'PUT', { target, body: typed(resource, object) }, options), resource);
  }

  async patch<T extends KubeObject>(
    resource: ResourceType<T>,
    name: ObjectName,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const body = patch.type === 'json' ? patch.operations : patch.body;
    const call = { target: withSubresource(named(name), options), body, contentType: patchTypes[patch.type] };
    return decodeObject(await this.call(resource, 'PATCH', call, options), resource);
  }

  async delete(resource: ResourceType, name: ObjectName, options: DeleteOptions = {}): Promise<void> {
    const { gracePeriodSeconds, preconditions, propagationPolicy } = options;
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds, preconditions, propagationPolicy };
    await this.call(resource, 'DELETE', { target: named(name), body }, options);
  }

  async deleteCollection(resource: ResourceType, options: DeleteCollectionOptions = {}): Promise<void> {
    const { namespace, fieldSelector, labelSelector } = options;
    const target = namespace === undefined ? {} : { namespace };
    const body = { kind: 'DeleteOptions', apiVersion: 'v1' };
    await this.call(resource, 'DELETE', { target, query: { fieldSelector, labelSelector }, body }, options);
  }

  async getText(path: string, options: CallOptions = {}): Promise<string> {
    const request = { method: 'GET', path, accept: '*/*', budget: options.budget ?? 'default' } as const;
    return (await this.send(request, options)).body.toString('utf8');
  }

  inform<T extends KubeObject>(resource: ResourceType<T>, options: InformerOptions<T> = {}): Informer<T> {
    const { sender } = this;
    const { clock, random, logger } = this.deps;
    const serverFailure = (): unknown => this.reachability.lastFailure;
    const onStop = (): void => void this.informers.delete(informer);
    const onServerBack = (listener: () => void): (() => void) => this.onServerBack(listener);
    const { streamedLists } = this.config;
    const deps = { sender, clock, random, logger, serverFailure, onServerBack, onStop, streamedLists };
    const informer = new ReflectorInformer<T>(deps, resource, options);
    this.informers.add(informer);
    if (this.stopping.signal.aborted) void informer.stop();
    return informer;
  }

  onServerBack(listener: () => void): () => void {
    return this.reachability.onBack(listener);
  }

  get lastUrgentCallMs(): number | undefined {
    return this.sender.lastUrgentCallMs;
  }

  closeConnections(which: 'idle' | 'all'): void {
    this.deps.transport.closeConnections(which);
  }

  private call(
    resource: ResourceType,
    method: OutgoingRequest['method'],
    { target, query, ...content }: ResourceCall,
    options: CallOptions,
  ): Promise<Answer> {
    const path = resourcePath(resource, target, query);
    const name = target.name === undefined ? {} : { name: target.name };
    return this.send({ method, path, budget: options.budget ?? 'default', resource, ...name, ...content }, options);
  }

  private send(request: OutgoingRequest, { signal, timeoutMs = defaultTimeoutMs }: CallOptions): Promise<Answer> {
    return withLinkedSignal([this.stopping.signal, signal], (either) => this.sender.send(request, either, timeoutMs));
  }
}

interface ResourceCall {
  readonly target: PathTarget;
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
}

function named<T extends ObjectName>(name: T): T {
  if (name.name === '') throw refusal('resource name may not be empty');
  return name;
}

function withSubresource(name: ObjectName, { subresource }: WriteOptions): PathTarget {
  return subresource === undefined ? name : { ...name, subresource };
}

function typed(resource: ResourceType, object: KubeObject): KubeObject {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}
