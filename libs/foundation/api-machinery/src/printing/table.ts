import { isJsonObject } from '@podwright/kube-types';
import type { ApiObject } from '../api-object.js';
import type { GroupResource } from '../group-resource.js';
import { partialMetadata } from './partial-metadata.js';
import { printerOf } from './object-printers.js';

/** What a row contains of its object. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly nowMs: number;
  readonly include: IncludeObject;
  /** False for the later tables of a watch: only the first one has columns. */
  readonly withColumns: boolean;
}

/** The table of an object or a list. Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/response.go asTable. */
export function tableOf(resource: GroupResource & { kind: string }, body: ApiObject, options: TableOptions): unknown {
  const { nowMs, include, withColumns } = options;
  const { columns, cells, conditions } = printerOf(resource);
  const list = body.kind === `${resource.kind}List` && Array.isArray(body.items);
  const objects = list ? (body.items as readonly ApiObject[]) : [body];
  const { resourceVersion, continue: next, remainingItemCount } = body.metadata as Readonly<Record<string, unknown>>;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(next !== undefined && { continue: next }),
      ...(remainingItemCount !== undefined && { remainingItemCount }),
    },
    columnDefinitions: withColumns ? columns.map((column) => ({ ...column, description: '' })) : null,
    rows: objects.map((object) => {
      const rowConditions = conditions?.(object) ?? [];
      return {
        cells: cells(object, nowMs),
        ...(rowConditions.length > 0 && { conditions: rowConditions }),
        object: rowObject(list ? withType(object, body, resource.kind) : object, include),
      };
    }),
  };
}

function rowObject(object: ApiObject, include: IncludeObject): unknown {
  if (include === 'Object') return object;
  return include === 'Metadata' ? partialMetadata(object) : null;
}

// Items of a list have no kind, but objects in a table do.
function withType(item: ApiObject, list: ApiObject, kind: string): ApiObject {
  return { kind, ...(list.apiVersion !== undefined && { apiVersion: list.apiVersion }), ...item };
}

/** True for an object or a list, false for a Status, which has no table. */
export function isPrintable(body: unknown): body is ApiObject {
  return isJsonObject(body) && body.kind !== 'Status' && isJsonObject(body.metadata);
}
