/** The target of a request: path and query, decoded and as sent. */
export interface RequestTarget {
  readonly path: string;
  /**
   * The parts of the path between its slashes, each decoded; the last one is empty when the path ends in a slash. A
   * decoded element can contain anything, even a slash or `..`: compare elements, never join them.
   */
  readonly elements: readonly string[];
  /** Without pairs that Go's parser drops: with a semicolon, or with a `%` that begins no escape. */
  readonly query: URLSearchParams;
  /** The path as sent. */
  readonly rawPath: string;
  /** The query as sent, with its question mark; empty when there is none. */
  readonly rawQuery: string;
  /** The raw path with `//`, `/./` and `/../` resolved; usually the same as the raw path. */
  readonly cleanPath: string;
}

// Enough for the longest file path with every byte escaped. The bound is for unauthenticated requests: a megabyte of
// slashes would block the event loop for half a second.
const longestPath = 16 * 1024;

/**
 * Parses the target of a request line; undefined when it is malformed or longer than 16 KiB. Only the path and the
 * query count: a target that looks like the address of another host (`//host/pods`) is a path.
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
      // Parsed on demand, because it can be long and the request may be refused before.
      get query() {
        return new URLSearchParams(rawQuery.slice(1).split('&').filter(isPair).join('&'));
      },
    };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

// Source: Go's net/url (parseQuery).
const isPair = (pair: string): boolean => !pair.includes(';') && !/%(?![0-9a-f]{2})/i.test(pair);

// Cleans the path as Go's server does: a slash at the end stays, and `..` does not go above the root.
function clean(elements: readonly string[]): string {
  const kept: string[] = [];
  for (const element of elements) {
    if (element === '..') kept.pop();
    else if (element !== '' && element !== '.') kept.push(element);
  }
  const slash = kept.length > 0 && elements.at(-1) === '' ? '/' : '';
  return `/${kept.join('/')}${slash}`;
}
