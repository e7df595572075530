import { debuggingDisabled, goError } from '../answer.js';
import type { Route } from '../route.js';

const disabled: readonly (readonly [path: string, metricPath: string])[] = [
  ['/run/', 'run'],
  ['/exec/', 'exec'],
  ['/attach/', 'attach'],
  ['/portForward/', 'portForward'],
  ['/containerLogs/', 'containerLogs'],
  ['/runningpods/', 'runningpods'],
  ['/debug/pprof/', 'pprof'],
  ['/logs/', 'logs'],
];

/** What a listener without debugging endpoints says in their place. */
export const debuggingDisabledRoutes = (): readonly Route[] =>
  disabled.map(([path, metricPath]) => ({ path, methods: 'any', metricPath, handle: () => debuggingDisabled }));

/** What is said in place of one endpoint that a field of the configuration switches off. */
export const endpointDisabledRoute = (path: string, metricPath: string, name: string): Route => ({
  path,
  methods: 'any',
  metricPath,
  handle: () => goError(405, `${name} endpoint is disabled.`),
});
