/** The path and methods of a route. */
export interface RoutePath {
  /**
   * `/pods` matches only itself, `/logs/` also everything below it (the longest prefix wins). `{name}` matches one
   * element that is not empty, `{name...}` the rest, which may be empty.
   */
  readonly path: string;
  /**
   * `any` makes a plain handler. A list makes the route part of a web service, which owns everything below the route's
   * first element (or below the elements before `{name...}`). A web service ignores a slash at the end of the path, and
   * answers other paths with 404 and other methods with 405 in the words of upstream's web services.
   */
  readonly methods: 'any' | readonly string[];
  /**
   * The path of the web service, where it is not that. With a slash at the end only paths below it belong to it, and
   * the path without the slash gets a redirect.
   */
  readonly service?: string;
  /**
   * The media types of the answer, in a web service: an Accept header without any of them gets 406. Empty, as for
   * upstream's routes that declare none: any Accept header without a wildcard for all types gets 406. Absent: not
   * checked.
   */
  readonly produces?: readonly string[];
}

/** A route with its parsed path. */
export interface RoutePattern<R extends RoutePath> {
  readonly route: R;
  /**
   * The path of its web service, with a slash at the end when only paths below belong to it; undefined for a plain
   * handler.
   */
  readonly service: string | undefined;
  readonly elements: readonly string[];
}

const isRest = (element: string): boolean => /^\{.+\.\.\.\}$/.test(element);
const isParameter = (element: string): boolean => /^\{.+\}$/.test(element);

export function readPattern<R extends RoutePath>(route: R): RoutePattern<R> {
  const trimmed = route.path.replace(/^\/|\/$/g, '');
  const elements = trimmed === '' ? [] : trimmed.split('/');
  const service = route.methods === 'any' ? undefined : (route.service ?? serviceOf(route.path, elements));
  return { route, elements, service };
}

function serviceOf(path: string, elements: readonly string[]): string {
  const rest = elements.findIndex(isRest);
  if (rest >= 0) return `/${elements.slice(0, rest).join('/')}/`;
  return elements.length === 1 ? path : `/${elements[0] ?? ''}`;
}

/** The parameters of a path; undefined when the pattern does not match. `asked` must not end with an empty element. */
export function parameters(
  { elements }: Pick<RoutePattern<RoutePath>, 'elements'>,
  asked: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const found: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [index, element] of elements.entries()) {
    if (isRest(element)) {
      found[element.slice(1, -4)] = asked.slice(index).join('/');
      return found;
    }
    const value = asked[index];
    if (value === undefined || value === '') return undefined;
    if (isParameter(element)) found[element.slice(1, -1)] = value;
    else if (element !== value) return undefined;
  }
  return asked.length === elements.length ? found : undefined;
}
