import { CLOCK, LOGGER, METRICS, RANDOM, type Health } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { KUBE_TRANSPORT } from '@podwright/kube-client-interface';
import type {
  CallOptions,
  DeleteOptions,
  GetOptions,
  Informer,
  InformerOptions,
  KubeClient,
  KubeObject,
  KubeTransport,
  ListOptions,
  ObjectList,
  ObjectName,
  Patch,
  ResourceType,
  WriteOptions,
} from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock, Random } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { ReflectorInformer } from './informer/reflector-informer.js';
import { KUBE_CLIENT_CONFIG, type KubeClientConfig } from './kube-client-config.js';
import { decodeList } from './answer/decode-list.js';
import { apiVersionOf, decodeJsonObject, decodeObject } from './answer/decode-object.js';
import { defaultPageSize, listPages } from './list-pages.js';
import { linkSignals } from './request/link-signals.js';
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

/**
 * {@link KubeClient} over a {@link KubeTransport}: JSON, a token bucket for each budget, informers as client-go's reflectors.
 */
@injectable()
export class TransportKubeClient implements KubeClient {
  private readonly sender: RequestSender;
  private readonly reachability: ServerReachability;
  private readonly informers = new Set<{ stop(): Promise<void> }>();
  private readonly stopping = new AbortController();
  private started = false;

  constructor(
    @inject(KUBE_TRANSPORT) private readonly transport: KubeTransport,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(KUBE_CLIENT_CONFIG) config: KubeClientConfig,
  ) {
    this.reachability = new ServerReachability(transport, clock, logger);
    this.sender = new RequestSender({
      transport,
      clock,
      logger,
      throttle: new RequestThrottle(clock, logger, createRequestBudgets(clock, config)),
      metrics: createRequestMetrics(metrics),
      reachability: this.reachability,
      warnings: new ServerWarnings(logger),
      userAgent: config.userAgent,
    });
  }

  get server(): string {
    return this.transport.server;
  }

  // The server is not asked: a node comes up while it is away.
  async start(): Promise<void> {
    this.started = true;
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the client was stopped', { code: 'cancelled' }));
    await Promise.all([...this.informers].map((informer) => informer.stop()));
  }

  // A server that is away is no fault of the node, which would be restarted for it in vain.
  healthy(): Health {
    if (!this.started) return { ok: false, reason: 'kube-client is not started' };
    const detail = this.reachability.describe();
    return { ok: true, ...(detail !== undefined && { detail }) };
  }

  async get<T extends KubeObject>(resource: ResourceType<T>, name: ObjectName, options: GetOptions = {}): Promise<T> {
    const { resourceVersion } = options;
    const body = await this.call(resource, 'GET', { target: named(name), query: { resourceVersion } }, options);
    return decodeObject(body, resource);
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
    return decodeJsonObject(answer) as Answer;
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

  async getText(path: string, options: CallOptions = {}): Promise<string> {
    const request = { method: 'GET', path, accept: '*/*', budget: options.budget ?? 'default' } as const;
    return (await this.send(request, options)).toString('utf8');
  }

  inform<T extends KubeObject>(resource: ResourceType<T>, options: InformerOptions<T> = {}): Informer<T> {
    const { sender, clock, random, logger } = this;
    const serverFailure = (): unknown => this.reachability.lastFailure;
    const onStop = (): void => void this.informers.delete(informer);
    const onServerBack = (listener: () => void): (() => void) => this.reachability.onBack(listener);
    const deps = { sender, clock, random, logger, serverFailure, onServerBack, onStop };
    const informer = new ReflectorInformer<T>(deps, resource, options);
    this.informers.add(informer);
    if (this.stopping.signal.aborted) void informer.stop();
    return informer;
  }

  closeConnections(which: 'idle' | 'all'): void {
    this.transport.closeConnections(which);
  }

  private call(
    resource: ResourceType,
    method: OutgoingRequest['method'],
    { target, query, ...content }: ResourceCall,
    options: CallOptions,
  ): Promise<Buffer> {
    const path = resourcePath(resource, target, query);
    const name = target.name === undefined ? {} : { name: target.name };
    return this.send({ method, path, budget: options.budget ?? 'default', resource, ...name, ...content }, options);
  }

  private async send(request: OutgoingRequest, options: CallOptions): Promise<Buffer> {
    const { signal, dispose } = linkSignals(this.stopping.signal, options.signal);
    try {
      return await this.sender.send(request, signal, options.timeoutMs ?? defaultTimeoutMs);
    } finally {
      dispose();
    }
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
