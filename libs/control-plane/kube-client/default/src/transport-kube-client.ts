import { CLOCK, LOGGER, METRICS, RANDOM, type Health } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { KUBE_TRANSPORT, KubeApiError } from '@podwright/kube-client-interface';
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
import { KUBE_CLIENT_CONFIG, kubeClientConfigSchema, type KubeClientConfig } from './kube-client-config.js';
import { listPages } from './list-pages.js';
import { createRequestBudgets } from './request-budgets.js';
import { createRequestMetrics } from './request-metrics.js';
import { RequestSender, type OutgoingRequest } from './request-sender.js';
import { refusal, resourcePath } from './resource-path.js';

const defaultTimeoutMs = 30_000;

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  'strategic-merge': 'application/strategic-merge-patch+json',
} as const;

/** {@link KubeClient} over a {@link KubeTransport}: JSON, token buckets, reflectors as client-go's. */
@injectable()
export class TransportKubeClient implements KubeClient {
  private readonly sender: RequestSender;
  private readonly informers = new Set<Informer<KubeObject>>();
  private readonly stopping = new AbortController();

  constructor(
    @inject(KUBE_TRANSPORT) private readonly transport: KubeTransport,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(KUBE_CLIENT_CONFIG) config: KubeClientConfig,
  ) {
    this.sender = new RequestSender({
      transport,
      clock,
      logger,
      budgets: createRequestBudgets(clock, config),
      metrics: createRequestMetrics(metrics),
      userAgent: config.userAgent,
    });
  }

  get server(): string {
    return this.transport.server;
  }

  // The server may be away: a node comes up without it.
  async start(): Promise<void> {}

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the client was stopped', { code: 'cancelled' }));
    await Promise.all([...this.informers].map((informer) => informer.stop()));
  }

  healthy(): Health {
    return { ok: true };
  }

  get<T extends KubeObject>(resource: ResourceType<T>, name: ObjectName, options: GetOptions = {}): Promise<T> {
    const { resourceVersion } = options;
    return this.call<T>(resource, { method: 'GET', target: named(name), query: { resourceVersion } }, options);
  }

  list<T extends KubeObject>(resource: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    return listPages<T>(
      (query) =>
        this.call(
          resource,
          {
            method: 'GET',
            target: { ...(options.namespace !== undefined && { namespace: options.namespace }) },
            query,
          },
          options,
        ),
      resource,
      options,
    );
  }

  create<T extends KubeObject>(resource: ResourceType<T>, object: T, options: CallOptions = {}): Promise<T> {
    const { namespace = '' } = object.metadata ?? {};
    if (resource.namespaced && namespace === '')
      return Promise.reject(refusal('an empty namespace may not be set during creation'));
    return this.call<T>(resource, { method: 'POST', target: { namespace }, body: withType(resource, object) }, options);
  }

  createSubresource<Answer extends KubeObject>(
    resource: ResourceType,
    name: ObjectName & { readonly subresource: string },
    body: KubeObject,
    options: CallOptions = {},
  ): Promise<Answer> {
    return this.call<Answer>(
      resource as ResourceType<Answer>,
      { method: 'POST', target: named(name), body, kind: undefined },
      options,
    );
  }

  update<T extends KubeObject>(resource: ResourceType<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace = '', name = '' } = object.metadata ?? {};
    const target = { ...named({ namespace, name }), ...subresourceOf(options) };
    return this.call<T>(resource, { method: 'PUT', target, body: withType(resource, object) }, options);
  }

  patch<T extends KubeObject>(
    resource: ResourceType<T>,
    name: ObjectName,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const body = patch.type === 'json' ? patch.operations : patch.body;
    const target = { ...named(name), ...subresourceOf(options) };
    return this.call<T>(resource, { method: 'PATCH', target, body, contentType: patchTypes[patch.type] }, options);
  }

  async delete(resource: ResourceType, name: ObjectName, options: DeleteOptions = {}): Promise<void> {
    const { gracePeriodSeconds, preconditions, propagationPolicy } = options;
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds, preconditions, propagationPolicy };
    await this.text(resource, { method: 'DELETE', target: named(name), body }, options);
  }

  getText(path: string, options: CallOptions = {}): Promise<string> {
    return this.sendText({ method: 'GET', path, accept: '*/*', budget: options.budget ?? 'default' }, options);
  }

  inform<T extends KubeObject>(resource: ResourceType<T>, options: InformerOptions<T> = {}): Informer<T> {
    const informer = new ReflectorInformer<T>(
      {
        sender: this.sender,
        clock: this.clock,
        random: this.random,
        logger: this.logger,
        onStop: () => this.informers.delete(informer as unknown as Informer<KubeObject>),
      },
      resource,
      options,
    );
    this.informers.add(informer as unknown as Informer<KubeObject>);
    return informer;
  }

  closeConnections(which: 'idle' | 'all'): void {
    this.transport.closeConnections(which);
  }

  private async call<T>(resource: ResourceType, call: ResourceCall, options: CallOptions): Promise<T> {
    const text = await this.text(resource, call, options);
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      throw new KubeApiError(`the answer of ${this.server} is not JSON`, {
        code: 'data-loss',
        httpStatus: 200,
        cause: error,
      });
    }
  }

  private async text(resource: ResourceType, call: ResourceCall, options: CallOptions): Promise<string> {
    const { method, target, query, body, contentType } = call;
    const path = resourcePath(resource, target, query);
    const { name } = target;
    return this.sendText(
      {
        method,
        path,
        budget: options.budget ?? 'default',
        resource,
        ...(name !== undefined && { name }),
        ...(body !== undefined && { body }),
        ...(contentType !== undefined && { contentType }),
      },
      options,
    );
  }

  private sendText(request: OutgoingRequest, { signal, timeoutMs = defaultTimeoutMs }: CallOptions): Promise<string> {
    const { signal: stopping } = this.stopping;
    const either = signal === undefined ? stopping : AbortSignal.any([signal, stopping]);
    return this.sender.send(request, either, timeoutMs);
  }
}

interface ResourceCall {
  readonly method: OutgoingRequest['method'];
  readonly target: { readonly namespace?: string; readonly name?: string; readonly subresource?: string };
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly kind?: undefined;
}

function named<T extends ObjectName>(name: T): T {
  if (name.name === '') throw refusal('resource name may not be empty');
  return name;
}

function subresourceOf({ subresource }: WriteOptions): { readonly subresource?: string } {
  return subresource === undefined ? {} : { subresource };
}

function withType<T extends KubeObject>({ group, version, kind }: ResourceType<T>, object: T): T {
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object };
}

export interface KubeClientDeps {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createKubeClient(
  { transport, clock, random, logger, metrics }: KubeClientDeps,
  options: Partial<KubeClientConfig> = {},
): TransportKubeClient {
  const decoded = kubeClientConfigSchema.decode(options);
  if (decoded.ok) return new TransportKubeClient(transport, clock, random, logger, metrics, decoded.value);
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`kube-client options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
