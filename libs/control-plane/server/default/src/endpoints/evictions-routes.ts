import { messageOf } from '@podwright/errors';
import type { EvictionManager } from '@podwright/eviction-interface';
import type { Logger } from '@podwright/logging';
import { pageNotFound, text, type Answer } from '../answer.js';
import type { Route, ServerRequest } from '../route.js';

const json = 'application/json';

const page = (value: unknown): Answer => ({
  status: 200,
  headers: { 'Content-Type': json },
  body: JSON.stringify(value, undefined, 1),
});

/**
 * `/debug/evictions/`: the last decisions, newest first. `/debug/evictions/dry-run`: what a pass would do now, and how all signals
 * rank the pods. Upstream has neither.
 */
export function evictionsRoutes(
  evictions: Pick<EvictionManager, 'decisions' | 'dryRun'>,
  logger: Logger,
): readonly Route[] {
  const dryRun = async (signal: AbortSignal): Promise<Answer> => {
    try {
      return page(await evictions.dryRun(signal));
    } catch (error) {
      logger.error('HTTP InternalServerError serving', { request: '/debug/evictions/dry-run', error });
      return text(500, `Internal Error: ${messageOf(error)}`);
    }
  };
  const handle = async ({ parameters, signal }: ServerRequest): Promise<Answer> => {
    switch (parameters['name']) {
      case '':
        return page({ decisions: evictions.decisions() });
      case 'dry-run':
        return dryRun(signal);
      default:
        return pageNotFound;
    }
  };
  const methods = ['GET'];
  return [{ path: '/debug/evictions/{name...}', methods, produces: [json], metricPath: 'debug', handle }];
}
