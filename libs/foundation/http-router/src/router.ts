import { methodNotAllowed, notAcceptable, notFound, pageNotFound, redirect, type Answer } from '@podwright/http-answer';
import type { RequestTarget } from './request-target.js';
import { parameters, readPattern, type RoutePath, type RoutePattern } from './route-pattern.js';

/** The route of a request, or the answer when there is none. */
export type Routed<R extends RoutePath> =
  | { readonly route: R; readonly parameters: Readonly<Record<string, string>> }
  | Unrouted;

/** The answer to a request that no route serves: a redirect or an error. */
interface Unrouted {
  readonly answer: Answer;
  /** Whether only an authenticated and authorized sender may get the answer. */
  readonly guarded: boolean;
}

const unguarded = (answer: Answer): Unrouted => ({ answer, guarded: false });
const guarded = (answer: Answer): Unrouted => ({ answer, guarded: true });

/**
 * Finds the route of a request as upstream's Go mux and its web services do. A path that is not clean, or a directory
 * without its slash, gets a redirect. A path of no handler and no service gets 404 before authentication. So does a
 * path with an element that decodes to `.`, `..` or text with a slash or NUL.
 * Source: kubernetes v1.36 pkg/kubelet/server/server.go, go-restful v3, Go's net/http.
 */
export class Router<R extends RoutePath> {
  private readonly handlers: readonly RoutePattern<R>[];
  private readonly services: ReadonlyMap<string, readonly RoutePattern<R>[]>;

  constructor(routes: readonly R[]) {
    const patterns = routes.map((route) => readPattern(route));
    this.handlers = patterns.filter(({ service }) => service === undefined);
    const services = new Map<string, RoutePattern<R>[]>();
    for (const pattern of patterns) {
      if (pattern.service === undefined) continue;
      const own = services.get(pattern.service) ?? [];
      services.set(pattern.service, [...own, pattern]);
    }
    this.services = services;
  }

  find(method: string, target: RequestTarget, accept?: string): Routed<R> {
    const { elements, path, rawPath, cleanPath } = target;
    // As Go builds the address: a question mark alone is dropped.
    const rawQuery = target.rawQuery === '?' ? '' : target.rawQuery;
    if (cleanPath !== rawPath) return unguarded(redirect(method, cleanPath + rawQuery));
    if (elements.some(isForeign)) return unguarded(notFound);
    const mount = this.mountOf(path);
    if (mount === undefined) {
      const isDirectory = !path.endsWith('/') && this.mountOf(`${path}/`)?.prefix === `${path}/`;
      if (!isDirectory) return unguarded(notFound);
      return unguarded(redirect(method, `${rawPath}/${rawQuery}`));
    }
    if (mount.handler !== undefined) return { route: mount.handler.route, parameters: {} };
    return inService(mount.patterns, method, elements, accept);
  }

  // The longest match wins, so an exact path wins over any prefix.
  private mountOf(path: string): Mount<R> | undefined {
    let best: Mount<R> | undefined;
    const consider = (mount: Mount<R>): void => {
      if (best === undefined || mount.prefix.length > best.prefix.length) best = mount;
    };
    for (const handler of this.handlers) {
      const prefix = handler.route.path;
      if (prefix === path || (prefix.endsWith('/') && path.startsWith(prefix))) {
        consider({ prefix, handler, patterns: [] });
      }
    }
    for (const [service, patterns] of this.services) {
      const below = service.endsWith('/') ? service : `${service}/`;
      if (path === service || path.startsWith(below)) consider({ prefix: path === service ? path : below, patterns });
    }
    return best;
  }
}

interface Mount<R extends RoutePath> {
  readonly prefix: string;
  readonly handler?: RoutePattern<R>;
  readonly patterns: readonly RoutePattern<R>[];
}

function inService<R extends RoutePath>(
  patterns: readonly RoutePattern<R>[],
  method: string,
  elements: readonly string[],
  accept: string | undefined,
): Routed<R> {
  const asked = elements.at(-1) === '' ? elements.slice(0, -1) : elements;
  const matches = patterns.flatMap((pattern) => {
    const found = parameters(pattern, asked);
    return found === undefined ? [] : [{ route: pattern.route, parameters: found }];
  });
  if (matches.length === 0) return guarded(pageNotFound);
  const match = matches.find(({ route }) => route.methods === 'any' || route.methods.includes(method));
  if (match === undefined)
    return guarded(methodNotAllowed([...new Set(matches.flatMap(({ route }) => route.methods))]));
  const { produces } = match.route;
  if (produces !== undefined && !accepts(accept, produces)) return guarded(notAcceptable(produces));
  return match;
}

// Reads the header as go-restful does: it ignores weights, and `*/*` accepts anything.
function accepts(accept: string | undefined, produces: readonly string[]): boolean {
  if (accept === undefined || accept === '') return true;
  return accept
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '')
    .some((type) => type === '*/*' || produces.includes(type) || produces.includes('*/*'));
}

const isForeign = (element: string): boolean =>
  element === '.' || element === '..' || element.includes('/') || element.includes('\0');
