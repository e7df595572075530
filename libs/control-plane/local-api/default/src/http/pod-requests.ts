import { badRequest, notFound, type StreamedSubresource } from '@podwright/api-machinery';
import type { Answer } from '@podwright/http-answer';
import type { Pod } from '@podwright/kube-types';
import type { Route, ServerRequest } from '@podwright/server-interface';
import type { ShownPods } from '../pods/shown-pods.js';
import { podResource } from '../resources.js';
import type { OwnEndpoints } from './own-endpoints.js';
import type { Target } from './request-target.js';
import { jsonAnswer } from './status-answer.js';

export interface PodRequestsParts {
  readonly shown: ShownPods;
  readonly endpoints: OwnEndpoints;
}

/** Answers requests for subresources of pods. */
export class PodRequests {
  constructor(private readonly parts: PodRequestsParts) {}

  /** Rejects with an ApiError. */
  async answer(target: Target, request: ServerRequest): Promise<Answer> {
    const pod = this.pod(target);
    if (target.subresource === 'status') return jsonAnswer(200, pod);
    if (target.subresource === 'log') return this.parts.endpoints.log(pod, request);
    throw badRequest('Upgrade request required');
  }

  /** Takes over the connection of exec, attach and port-forward. */
  async upgrade(
    target: Target,
    request: ServerRequest,
    connection: Parameters<NonNullable<Route['upgrade']>>[1],
  ): Promise<Answer | undefined> {
    const subresource = target.subresource as StreamedSubresource;
    return this.parts.endpoints.upgrade(this.pod(target), subresource, request, connection);
  }

  private pod({ namespace, name }: Target): Pod {
    const pod = this.parts.shown.get(namespace, name);
    if (pod === undefined) throw notFound(podResource, name);
    return pod;
  }
}
