import { KubeApiError, type KubeObject, type ObjectName, type ResourceType } from '@podwright/kube-client-interface';

/** The object, list or subresource of a path. */
export interface PathTarget extends Partial<ObjectName> {
  readonly subresource?: string;
}

/** Query parameters; undefined values are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Path and query of a request, with parameters sorted by name as in kubernetes v1.36 client-go/rest/request.go. Throws
 * `invalid-argument` for names that would change the path.
 */
export function resourcePath(resource: ResourceType<KubeObject>, target: PathTarget = {}, query: Query = {}): string {
  const { namespace = '', name = '', subresource } = target;
  const segments = resource.group === '' ? ['api'] : ['apis', resource.group];
  segments.push(resource.version);
  if (resource.namespaced && namespace !== '') segments.push('namespaces', checkedSegment('namespace', namespace));
  if (resource.namespaced && namespace === '' && name !== '')
    throw refusal('an empty namespace may not be set when a resource name is provided');
  segments.push(resource.plural);
  if (name !== '') segments.push(checkedSegment('resource name', name));
  if (subresource !== undefined) segments.push(...subresource.split('/'));
  return `/${segments.map(encodeURIComponent).join('/')}${queryText(query)}`;
}

/** `?a=b&c=d` or empty, encoded as by Go's url.Values. */
export function queryText(query: Query): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${queryEscape(name)}=${queryEscape(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function queryEscape(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, '+');
}

function checkedSegment(what: string, value: string): string {
  const fault = ['.', '..'].includes(value)
    ? `may not be '${value}'`
    : /[/%]/.test(value)
      ? `may not contain '${value.includes('/') ? '/' : '%'}'`
      : undefined;
  if (fault !== undefined) throw refusal(`invalid ${what} ${JSON.stringify(value)}: [${fault}]`);
  return value;
}

/** An `invalid-argument` error for a request that is not sent. */
export function refusal(message: string): KubeApiError {
  return new KubeApiError(message, { code: 'invalid-argument', httpStatus: 0 });
}
