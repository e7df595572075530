/** What a request asks for: the decoded path and the query. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Reads the target of a request line; undefined when it is malformed. Only the path and the query count: a target that
 * looks like the address of another host (`//host/pods`) is a path like any other.
 */
export function requestTarget(url: string | undefined): RequestTarget | undefined {
  if (url === undefined || url === '') return undefined;
  const absolute = /^https?:\/\/[^/?#]*/i.exec(url)?.[0];
  const target = absolute === undefined ? url : url.slice(absolute.length) || '/';
  if (!target.startsWith('/')) return undefined;
  const [path = '', ...query] = target.split('?');
  try {
    return { path: decodeURIComponent(path), query: new URLSearchParams(query.join('?')) };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
