import type { KubeApiError } from '@podwright/kube-client-interface';
import { type CallOptions, type KubeClient } from '@podwright/kube-client-interface';
import type { CoreEvent } from '@podwright/kube-types';
import type { EventForm } from './event-form.js';

/**
 * Writes the events that the correlator returns. Source: kubernetes v1.36 client-go/tools/record/event.go recordEvent.
 */
export class ApiEventSink {
  constructor(
    private readonly client: Pick<KubeClient, 'create' | 'patch'>,
    private readonly form: EventForm,
  ) {}

  /** Increments the count of an existing object, or creates one, also when the existing one is gone. */
  async write(event: CoreEvent, signal: AbortSignal): Promise<CoreEvent> {
    const options: CallOptions = { signal, budget: 'events' };
    const { resource } = this.form;
    const { namespace = '', name = '' } = event.metadata;
    if ((event.count ?? 1) > 1) {
      try {
        const body = this.form.patch(event);
        const answer = await this.client.patch(
          resource,
          { namespace, name },
          { type: 'strategic-merge', body },
          options,
        );
        return withMetadata(event, answer.metadata);
      } catch (error) {
        if (!(isAnswer(error) && error.httpStatus === 404)) throw error;
      }
    }
    const { resourceVersion: _old, ...metadata } = event.metadata;
    const answer = await this.client.create(resource, this.form.create({ ...event, metadata }), options);
    return withMetadata(event, answer.metadata);
  }
}

function withMetadata(event: CoreEvent, metadata: CoreEvent['metadata'] | undefined): CoreEvent {
  const { name = event.metadata.name, namespace = event.metadata.namespace, resourceVersion } = metadata ?? {};
  return {
    ...event,
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}

/** The server has answered and would answer the same again; for other errors a retry may help. */
export function isAnswer(error: unknown): error is KubeApiError {
  // Checks the shape, because two copies of the class may be loaded.
  const status = (error as { httpStatus?: unknown } | undefined)?.httpStatus;
  return typeof status === 'number' && status >= 400;
}

/** Expected: the event exists already, or its namespace is being deleted. */
export function isExpectedRefusal({ reason, status }: KubeApiError): boolean {
  const causes = status?.details?.causes ?? [];
  return reason === 'AlreadyExists' || causes.some((cause) => cause.reason === 'NamespaceTerminating');
}
