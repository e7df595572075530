import { methodNotAllowed, notAcceptable, notFound, pageNotFound, redirect, type Answer } from './answer.js';
import type { RequestTarget } from './request-target.js';
import { parameters, readPattern, type RoutePattern } from './route-pattern.js';
import type { Route } from './route.js';

/** What becomes of a request. */
export type Routed =
  | { readonly route: Route; readonly parameters: Readonly<Record<string, string>> }
  /** Nobody's path, or the way to another one. `guarded`: only after the sender has shown that he may ask. */
  | { readonly answer: Answer; readonly guarded: boolean };

const unguarded = (answer: Answer): Routed => ({ answer, guarded: false });
const guarded = (answer: Answer): Routed => ({ answer, guarded: true });

/**
 * Finds the route of a request as upstream's Go mux and the web services below it do: paths that are not clean, and
 * directories without their slash, are redirected; what nobody has is 404 before anybody is asked who he is.
 * Elements that decode to something with a slash, a NUL, or to `.` or `..` are found nowhere.
 * Source: kubernetes v1.36 pkg/kubelet/server/server.go, go-restful v3, Go's net/http.
 */
export class Router {
  private readonly handlers: readonly RoutePattern[];
  private readonly services: ReadonlyMap<string, readonly RoutePattern[]>;

  constructor(routes: readonly Route[]) {
    const patterns = routes.map(readPattern);
    this.handlers = patterns.filter(({ service }) => service === undefined);
    const services = new Map<string, RoutePattern[]>();
    for (const pattern of patterns) {
      if (pattern.service === undefined) continue;
      const own = services.get(pattern.service) ?? [];
      services.set(pattern.service, [...own, pattern]);
    }
    this.services = services;
  }

  find(method: string, target: RequestTarget, accept?: string): Routed {
    const { elements, path, rawPath, rawQuery, cleanPath } = target;
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

  // The longest prefix wins, and an exact path before any prefix.
  private mountOf(path: string): Mount | undefined {
    let best: Mount | undefined;
    const consider = (mount: Mount): void => {
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

interface Mount {
  readonly prefix: string;
  readonly handler?: RoutePattern;
  readonly patterns: readonly RoutePattern[];
}

function inService(
  patterns: readonly RoutePattern[],
  method: string,
  elements: readonly string[],
  accept: string | undefined,
): Routed {
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

// As go-restful reads it: no weights, and `*/*` takes anything.
function accepts(accept: string | undefined, produces: readonly string[]): boolean {
  if (accept === undefined || accept === '') return true;
  return accept
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '')
    .some((type) => type === '*/*' || produces.includes(type) || produces.includes('*/*'));
}

const isForeign = (element: string): boolean =>
  element === '.' || element === '..' || element.includes('/') || element.includes('\0');
