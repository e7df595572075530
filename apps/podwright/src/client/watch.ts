import { isJsonObject } from '@podwright/kube-types';
import { createInterface } from 'node:readline';
import type { ApiClient } from './api-client.js';
import { ApiError } from './api-error.js';
import type { ApiObject, ObjectList, Resource } from './resources.js';
import { resourcePath } from './resources.js';

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}

export function listObjects(client: ApiClient, resource: Resource, selection: Selection): Promise<ObjectList> {
  const { namespace, labelSelector, fieldSelector } = selection;
  return client.get(resourcePath(resource, namespace), { query: { labelSelector, fieldSelector } });
}

/** Changes after `resourceVersion`, until the server or the signal ends the watch. @throws ApiError, 410 when too old. */
export async function* watchObjects(
  client: ApiClient,
  resource: Resource,
  { namespace, labelSelector, fieldSelector }: Selection,
  resourceVersion: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const query = { watch: true, resourceVersion, labelSelector, fieldSelector };
  const response = await client.open('GET', resourcePath(resource, namespace), { query, signal });
  const lines = createInterface({ input: response, crlfDelay: Infinity });
  try {
    for await (const line of lines) {
      if (line === '') continue;
      const event = JSON.parse(line) as { readonly type: string; readonly object: unknown };
      if (event.type === 'ERROR') throw new ApiError(isJsonObject(event.object) ? event.object : {});
      if (event.type !== 'BOOKMARK') yield event as WatchEvent;
    }
  } finally {
    response.destroy();
  }
}
