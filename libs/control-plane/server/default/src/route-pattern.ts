import type { Route } from './route.js';

/** A route's path, taken apart. */
export interface RoutePattern {
  readonly route: Route;
  /** Where its web service begins, with a slash at the end when only what is below belongs to it; undefined for plain handlers. */
  readonly service: string | undefined;
  readonly elements: readonly string[];
}

const isRest = (element: string): boolean => /^\{.+\.\.\.\}$/.test(element);
const isParameter = (element: string): boolean => /^\{.+\}$/.test(element);

export function readPattern(route: Route): RoutePattern {
  const trimmed = route.path.replace(/^\/|\/$/g, '');
  const elements = trimmed === '' ? [] : trimmed.split('/');
  return { route, elements, service: route.methods === 'any' ? undefined : serviceOf(route.path, elements) };
}

function serviceOf(path: string, elements: readonly string[]): string {
  const rest = elements.findIndex(isRest);
  if (rest >= 0) return `/${elements.slice(0, rest).join('/')}/`;
  return elements.length === 1 ? path : `/${elements[0] ?? ''}`;
}

/** The parameters of a path that the pattern matches; `asked` has no empty element at its end. */
export function parameters(
  { elements }: RoutePattern,
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
