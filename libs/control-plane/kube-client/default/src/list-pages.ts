import { yieldToEventLoop } from '@podwright/time';
import type { KubeObject, ListOptions, ObjectList, ResourceType } from '@podwright/kube-client-interface';

/** Objects per page when the caller does not say. */
export const defaultPageSize = 500;

interface Page<T> {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly T[] | null;
}

/**
 * All pages of a list as one. Between two pages the event loop has its turn, so a long list does not stall the process.
 * Source: kubernetes v1.36 client-go/tools/pager/pager.go.
 */
export async function listPages<T extends KubeObject>(
  fetchPage: (query: Readonly<Record<string, string | number | undefined>>) => Promise<Page<T>>,
  resource: ResourceType<T>,
  { fieldSelector, labelSelector, resourceVersion, resourceVersionMatch, limit = defaultPageSize }: ListOptions,
): Promise<ObjectList<T>> {
  const selectors = { fieldSelector, labelSelector, ...(limit > 0 && { limit }) };
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  const items: T[] = [];
  let page = await fetchPage({ ...selectors, resourceVersion, resourceVersionMatch });
  const listVersion = page.metadata?.resourceVersion;
  for (;;) {
    // Items of a list carry no type of their own.
    for (const item of page.items ?? []) items.push({ apiVersion, kind: resource.kind, ...item });
    const next = page.metadata?.continue ?? '';
    if (next === '') break;
    await yieldToEventLoop();
    page = await fetchPage({ ...selectors, continue: next });
  }
  return { metadata: { ...(listVersion !== undefined && { resourceVersion: listVersion }) }, items };
}
