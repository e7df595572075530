import {
  fieldPredicate,
  notFound,
  parseFieldSelector,
  parseLabelSelector,
  type ApiObject,
} from '@podwright/api-machinery';
import type { LocalObject, LocalObjects } from '@podwright/local-objects-interface';
import type { Target } from '../http/request-target.js';
import type { ShownPods } from '../pods/shown-pods.js';
import type { Records } from '../records/records.js';
import { isStored, type LocalResource } from '../resources.js';

export interface ReaderParts {
  readonly objects: Pick<LocalObjects, 'get' | 'list'>;
  readonly pods: ShownPods;
  readonly records: Records;
}

/** Reads what clients may see. */
export class ObjectReader {
  constructor(private readonly parts: ReaderParts) {}

  /** @throws ApiError 404. */
  get({ resource, namespace, name }: Pick<Target, 'resource' | 'namespace' | 'name'>): ApiObject {
    const found = this.find(resource, namespace, name);
    if (found === undefined) throw notFound(resource, name);
    return found as unknown as ApiObject;
  }

  /** @throws ApiError 400 for a bad selector. */
  list({ resource, namespace }: Pick<Target, 'resource' | 'namespace'>, query: URLSearchParams): ApiObject {
    const matches = selection(resource, namespace, query);
    const { resourceVersion } = this.parts.objects.list('Pod');
    return {
      kind: `${resource.kind}List`,
      apiVersion: 'v1',
      metadata: { resourceVersion },
      items: this.all(resource).filter(matches).sort(byKey),
    };
  }

  private find(resource: LocalResource, namespace: string, name: string): unknown {
    if (resource.plural === 'pods') return this.parts.pods.get(namespace, name);
    if (isStored(resource)) return this.parts.objects.get(resource.stored, namespace, name);
    return this.all(resource).find(
      ({ metadata }) => metadata.name === name && (!resource.namespaced || metadata.namespace === namespace),
    );
  }

  private all(resource: LocalResource): readonly ApiObject[] {
    if (resource.plural === 'pods') return this.parts.pods.list() as readonly unknown[] as readonly ApiObject[];
    if (isStored(resource))
      return this.parts.objects.list(resource.stored).items as readonly LocalObject[] as readonly ApiObject[];
    return resource.plural === 'nodes' ? this.parts.records.nodes() : this.parts.records.events();
  }
}

// As an API server lists them, whose store is sorted by namespace and name.
function byKey({ metadata: left }: ApiObject, { metadata: right }: ApiObject): number {
  const [a, b] = [left, right].map(({ namespace = '', name = '' }) => `${namespace}/${name}`);
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

/** Whether an object is in the namespace (empty: any) and matches the selectors. @throws ApiError 400. */
export function selection(
  resource: LocalResource,
  namespace: string,
  query: URLSearchParams,
): (object: ApiObject) => boolean {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = fieldPredicate(resource, parseFieldSelector(query.get('fieldSelector') ?? ''));
  return (object) =>
    (namespace === '' || object.metadata.namespace === namespace) &&
    labels(object.metadata.labels ?? {}) &&
    fields(object);
}

/** Whether an object's namespace and name, which never change, allow the selection. @throws ApiError 400. */
export function scope(
  resource: LocalResource,
  namespace: string,
  query: URLSearchParams,
): (object: ApiObject) => boolean {
  const fixed = parseFieldSelector(query.get('fieldSelector') ?? '').filter(({ field }) =>
    ['metadata.name', 'metadata.namespace'].includes(field),
  );
  const fields = fieldPredicate(resource, fixed);
  return (object) => (namespace === '' || object.metadata.namespace === namespace) && fields(object);
}
