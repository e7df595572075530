import { debuggingDisabled } from '@podwright/http-answer';
import type { Route } from '@podwright/server-interface';

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

/** Routes that answer on a listener without debugging endpoints that these are disabled. */
export const debuggingDisabledRoutes = (): readonly Route[] =>
  disabled.map(([path, metricPath]) => ({ path, methods: 'any', metricPath, handle: () => debuggingDisabled }));
