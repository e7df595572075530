import { methodNotAllowed } from '@podwright/api-machinery';
import type { Lifecycle } from '@podwright/assembly-interface';
import type { Answer } from '@podwright/http-answer';
import type { Route, ServerRequest } from '@podwright/server-interface';
import { discoveryDocument } from './discovery/discovery-documents.js';
import { OwnEndpoints } from './http/own-endpoints.js';
import { ObjectRequests } from './http/object-requests.js';
import { PodRequests } from './http/pod-requests.js';
import { requestedTarget, type Target } from './http/request-target.js';
import { errorAnswer, jsonAnswer, toApiError } from './http/status-answer.js';
import type { LocalApiConfig } from './local-api-config.js';
import type { LocalApiNeeds } from './local-api-needs.js';
import { Admission } from './objects/admission.js';
import { ObjectReader } from './objects/object-reader.js';
import { ObjectWriter } from './objects/object-writer.js';
import { PodChanges } from './pods/pod-changes.js';
import { ShownPods } from './pods/shown-pods.js';
import { Records } from './records/records.js';

/** Streams that take over their connection. */
const upgraded = ['exec', 'attach', 'portforward'];

/**
 * The part of the Kubernetes API that a node without a cluster needs: its pods, config maps and secrets, and what belongs
 * to them. Paths, objects and errors are those of an API server, of kubernetes v1.36.
 */
export class LocalApi implements Lifecycle {
  private readonly changes: PodChanges;
  private readonly objects: ObjectRequests;
  private readonly pods: PodRequests;

  constructor(
    private readonly deps: LocalApiNeeds,
    config: LocalApiConfig,
  ) {
    const { objects, statuses, clock, random, routes, events, node } = deps;
    const shown = new ShownPods(deps);
    const admission = new Admission(deps, config);
    const records = new Records({ events, node, nodeName: config.nodeName });
    this.changes = new PodChanges({ objects, statuses, shown });
    this.objects = new ObjectRequests({
      ...{ objects, shown, clock, random, changes: this.changes },
      reader: new ObjectReader({ objects, pods: shown, records }),
      writer: new ObjectWriter({ objects, statuses, admission, clock, random }),
    });
    this.pods = new PodRequests({ shown, endpoints: new OwnEndpoints(routes) });
  }

  start(): Promise<void> {
    return this.changes.start();
  }

  stop(): Promise<void> {
    return this.changes.stop();
  }

  routes(): readonly Route[] {
    const handle = (request: ServerRequest): Promise<Answer> => this.answer(request);
    return [
      { path: '/api', methods: 'any', metricPath: 'api', handle },
      { path: '/api/', methods: 'any', metricPath: 'api', handle, upgrade: (...given) => this.upgrade(...given) },
      { path: '/apis', methods: 'any', metricPath: 'apis', handle },
      { path: '/apis/', methods: 'any', metricPath: 'apis', handle },
      { path: '/openapi/', methods: 'any', metricPath: 'openapi', handle },
      { path: '/version', methods: 'any', metricPath: 'version', handle },
    ];
  }

  private async answer(request: ServerRequest): Promise<Answer> {
    const { method, path, query } = request;
    let target: Target | undefined;
    try {
      const document = discoveryDocument(path, this.deps.kubelet);
      if (document !== undefined) {
        if (method !== 'GET') throw methodNotAllowed('the server does not allow this method on the requested resource');
        return jsonAnswer(200, document);
      }
      target = requestedTarget(method, path, query);
      return await (target.subresource === '' ? this.objects : this.pods).answer(target, request);
    } catch (error) {
      return this.failure(error, request, target);
    }
  }

  private async upgrade(
    request: ServerRequest,
    connection: Parameters<NonNullable<Route['upgrade']>>[1],
  ): Promise<Answer | undefined> {
    let target: Target | undefined;
    try {
      target = requestedTarget(request.method, request.path, request.query);
      if (!upgraded.includes(target.subresource)) return await this.answer(request);
      return await this.pods.upgrade(target, request, connection);
    } catch (error) {
      return this.failure(error, request, target);
    }
  }

  private failure(error: unknown, { method, path }: ServerRequest, target: Target | undefined): Answer {
    const failure = toApiError(error, target);
    // Nobody else would learn of it: the client has its answer.
    if (failure.httpStatus >= 500) this.deps.logger.error('A request of the local API failed', { method, path, error });
    return errorAnswer(failure);
  }
}
