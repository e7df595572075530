/** What a request asks for: the decoded path and the query. */
export interface RequestTarget {
  readonly path: string;
  /**
   * The path between its slashes, decoded one by one; the last one is empty when the path ends in a slash. An element can
   * hold anything, a slash or `..` too, so elements are compared and never joined again.
   */
  readonly elements: readonly string[];
  readonly query: URLSearchParams;
  /** As sent. */
  readonly rawPath: string;
  /** As sent, with its question mark; empty when there is none. */
  readonly rawQuery: string;
  /** The raw path without `//`, `/./` and `/../`; mostly the same. */
  readonly cleanPath: string;
}

// The longest path of a file with every byte escaped, and what comes before it. Strangers' paths are read as well, and a
// megabyte of slashes keeps the event loop for half a second.
const longestPath = 16 * 1024;

/**
 * Reads the target of a request line; undefined when it is malformed or longer than any path that there can be. Only the path and the query count: a target that
 * looks like the address of another host (`//host/pods`) is a path like any other.
 */
export function requestTarget(url: string | undefined): RequestTarget | undefined {
  if (url === undefined || url === '') return undefined;
  const absolute = /^https?:\/\/[^/?#]*/i.exec(url)?.[0];
  const target = absolute === undefined ? url : url.slice(absolute.length) || '/';
  if (!target.startsWith('/')) return undefined;
  const mark = target.indexOf('?');
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const rawQuery = mark < 0 ? '' : target.slice(mark);
  if (rawPath.length > longestPath) return undefined;
  const rawElements = rawPath.slice(1).split('/');
  try {
    const elements = rawElements.map((element) => decodeURIComponent(element));
    const path = `/${elements.join('/')}`;
    return {
      ...{ path, elements, rawPath, rawQuery, cleanPath: clean(rawElements) },
      // Read only for those who may ask: it can be long.
      get query() {
        return new URLSearchParams(rawQuery);
      },
    };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

// As Go's server cleans paths: a slash at the end stays, and nothing climbs above the root.
function clean(elements: readonly string[]): string {
  const kept: string[] = [];
  for (const element of elements) {
    if (element === '..') kept.pop();
    else if (element !== '' && element !== '.') kept.push(element);
  }
  const slash = kept.length > 0 && elements.at(-1) === '' ? '/' : '';
  return `/${kept.join('/')}${slash}`;
}
