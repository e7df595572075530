import { hasCode, KubeletError } from '@podwright/errors';
import { nodes, type CallOptions, type KubeClient } from '@podwright/kube-client-interface';
import type { Node } from '@podwright/kube-types';
import { FailureLog, type Logger } from '@podwright/logging';
import { nodeCallAdvice } from '@podwright/node-status-interface';
import { GrowingPause, type Clock } from '@podwright/time';
import { nodeStatusPatch } from '../status/node-change.js';
import { reconcileExisting } from './reconcile-existing.js';
import type { StartupLatency } from './startup-latency.js';

const firstPauseMs = 100;
const longestPauseMs = 7_000;

export interface RegistrationDeps {
  readonly client: Pick<KubeClient, 'server' | 'create' | 'get' | 'patch'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly latency: StartupLatency;
  /** Called for each attempt. */
  readonly initialNode: () => Promise<Node>;
  /** Called when the Node exists: whether to reset its extended resources, as nothing is known of earlier devices. */
  readonly resetExtendedResources: () => Promise<boolean>;
}

export interface RegistrationOptions {
  readonly nodeName: string;
  readonly getOnExistsOnly: boolean;
}

/** Creates the Node, or updates an existing one. Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go. */
export class NodeRegistration {
  private readonly failureLog: FailureLog;
  private done = false;
  private failure: string | undefined;

  constructor(
    private readonly deps: RegistrationDeps,
    private readonly options: RegistrationOptions,
  ) {
    this.failureLog = new FailureLog(deps.logger, deps.clock);
  }

  /** True after the first success; as upstream, only a restart of the kubelet registers again. */
  get completed(): boolean {
    return this.done;
  }

  /** Why the last attempt failed. */
  get lastFailure(): string | undefined {
    return this.failure;
  }

  /**
   * Tries at once, and again after growing pauses until it succeeds; returns when it already has. Ends early, without
   * error, on the signal.
   */
  async register(signal: AbortSignal): Promise<void> {
    if (this.done) return;
    const { clock, latency, logger } = this.deps;
    latency.attempted();
    const node = this.options.nodeName;
    const pause = new GrowingPause({ firstMs: firstPauseMs, longestMs: longestPauseMs });
    while (!signal.aborted) {
      logger.debug(2, 'Attempting to register node', { node });
      if (await this.attempt(signal)) {
        logger.info('Successfully registered node', { node });
        this.failureLog.over('The node is registered at last', { node });
        this.failure = undefined;
        this.done = true;
        return;
      }
      await clock.sleep(pause.next(), signal).catch(() => undefined);
    }
  }

  private async attempt(signal: AbortSignal): Promise<boolean> {
    const { client, latency, initialNode } = this.deps;
    const node = await initialNode();
    try {
      await client.create(nodes, node, { signal });
      latency.registeredNew();
      return true;
    } catch (error) {
      const forbidden = hasCode(error, 'permission-denied');
      if (forbidden && this.options.getOnExistsOnly) {
        return this.failed('Unable to register node with API server, reason is forbidden', error, signal);
      }
      if (!forbidden && !hasCode(error, 'already-exists')) {
        return this.failed('Unable to register node with API server', error, signal);
      }
      return this.adopt(node, error, { signal });
    }
  }

  /** Looks for an existing Node when the kubelet may not create one or the Node already exists. */
  private async adopt(node: Node, refusal: unknown, call: CallOptions & { signal: AbortSignal }): Promise<boolean> {
    const { client, logger, resetExtendedResources } = this.deps;
    const name = this.options.nodeName;
    let existing: Node;
    try {
      existing = await client.get(nodes, { name }, call);
    } catch (error) {
      // The refusal of the creation says more than the missing Node.
      const cause = hasCode(error, 'not-found') ? refusal : error;
      return this.failed('Unable to register node with API server, error getting existing node', cause, call.signal);
    }
    logger.info('Node was previously registered', { node: name });
    const wanted = reconcileExisting(node, existing, { resetExtendedResources: await resetExtendedResources() });
    if (wanted === existing) return true;
    const body = nodeStatusPatch(existing, wanted);
    try {
      await client.patch(nodes, { name }, { type: 'strategic-merge', body }, { ...call, subresource: 'status' });
      return true;
    } catch (error) {
      return this.failed('Unable to reconcile node with API server, error updating node', error, call.signal);
    }
  }

  private failed(message: string, error: unknown, signal: AbortSignal): false {
    if (signal.aborted) return false;
    const { client } = this.deps;
    const { nodeName } = this.options;
    const thrown = KubeletError.from(error);
    this.failure = thrown.message;
    const advice = nodeCallAdvice(error, { nodeName, server: client.server });
    this.failureLog.failed(`${message} ${thrown.code}`, message, {
      node: nodeName,
      error,
      ...(advice !== undefined && { advice }),
    });
    return false;
  }
}
