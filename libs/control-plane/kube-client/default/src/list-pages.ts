import type { KubeObject } from '@podwright/kube-client-interface';
import { yieldToEventLoop } from '@podwright/time';
import type { ListPage } from './answer/decode-list.js';
import { isExpired } from './informer/watch-errors.js';
import type { Query } from './request/resource-path.js';

/** Default number of objects per page. */
export const defaultPageSize = 500;

/** All pages of a list. */
export interface PagedList<T extends KubeObject> {
  readonly resourceVersion: string;
  readonly items: readonly T[];
  /** The list came in more than one page. */
  readonly paginated: boolean;
}

/** Which list to fetch; `limit`: page size, 0 for a single page. */
export interface PagesQuery {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit: number;
}

/**
 * Fetches a list page by page. If the list expires on the server between two pages, fetches it again in one. Source:
 * kubernetes v1.36 client-go/tools/pager/pager.go.
 */
export async function listPages<T extends KubeObject>(
  fetchPage: (query: Query) => Promise<ListPage<T>>,
  { resourceVersion, resourceVersionMatch, limit }: PagesQuery,
): Promise<PagedList<T>> {
  const first = await fetchPage({ resourceVersion, resourceVersionMatch, limit: limit > 0 ? limit : undefined });
  const { resourceVersion: listVersion } = first;
  const items: T[] = [...first.items];
  let { continueToken } = first;
  while (continueToken !== '') {
    await yieldToEventLoop();
    let page: ListPage<T>;
    try {
      page = await fetchPage({ continue: continueToken, limit });
    } catch (error) {
      if (!isExpired(error)) throw error;
      const whole = await fetchPage({ resourceVersion, resourceVersionMatch });
      return { resourceVersion: whole.resourceVersion, items: whole.items, paginated: true };
    }
    for (const item of page.items) items.push(item);
    ({ continueToken } = page);
  }
  return { resourceVersion: listVersion, items, paginated: items.length > first.items.length };
}
