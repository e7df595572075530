import type { ApiObject } from '@podwright/api-machinery';
import type { RecentEvents, RecordedEvent } from '@podwright/events-interface';
import { hasCode } from '@podwright/errors';
import { fnv1a32 } from '@podwright/kube-types';
import type { NodeSource } from '@podwright/node-status-interface';
import { formatRfc3339 } from '@podwright/time';

export interface RecordsParts {
  readonly events: RecentEvents | undefined;
  readonly node: Pick<NodeSource, 'getNode'> | undefined;
  readonly nodeName: string;
}

/** What the kubelet itself knows, as objects: its recent events and its node. */
export class Records {
  constructor(private readonly parts: RecordsParts) {}

  nodes(): readonly ApiObject[] {
    try {
      const node = this.parts.node?.getNode();
      return node === undefined ? [] : [{ apiVersion: 'v1', kind: 'Node', ...node, metadata: { ...node.metadata } }];
    } catch (error) {
      // The machine is not known yet.
      if (hasCode(error, 'unavailable')) return [];
      throw error;
    }
  }

  /** Oldest first. */
  events(): readonly ApiObject[] {
    return (this.parts.events?.recent() ?? []).map((event) => this.event(event));
  }

  private event(event: RecordedEvent): ApiObject {
    const { kind, namespace, name, podUid, fieldPath, type, reason, message, firstAtMs, lastAtMs, count } = event;
    const key = JSON.stringify([kind, podUid, fieldPath, reason, message, firstAtMs]);
    const { nodeName } = this.parts;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${name}.${fnv1a32(key).toString(16)}`,
        namespace: namespace || 'default',
        creationTimestamp: formatRfc3339(firstAtMs),
      },
      involvedObject: {
        kind,
        ...(namespace && { namespace }),
        name,
        ...(podUid && { uid: podUid }),
        apiVersion: 'v1',
        ...(fieldPath && { fieldPath }),
      },
      reason,
      message,
      source: { component: 'kubelet', host: nodeName },
      firstTimestamp: formatRfc3339(firstAtMs),
      lastTimestamp: formatRfc3339(lastAtMs),
      count,
      type,
      eventTime: null,
      reportingComponent: 'kubelet',
      reportingInstance: nodeName,
    };
  }
}
