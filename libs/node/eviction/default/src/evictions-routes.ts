import { messageOf } from '@podwright/errors';
import type { EvictionManager } from '@podwright/eviction-interface';
import { jsonPage, pageNotFound, text, type Answer } from '@podwright/http-answer';
import type { ServerRoute } from '@podwright/server-interface';

/**
 * `/debug/evictions/` lists the last decisions, newest first. `/debug/evictions/dry-run` shows what a pass would do now
 * and how every signal ranks the pods. Upstream has neither.
 */
export function evictionsRoutes(evictions: Pick<EvictionManager, 'decisions' | 'dryRun'>): readonly ServerRoute[] {
  const dryRun = async (signal: AbortSignal): Promise<Answer> => {
    try {
      return jsonPage(await evictions.dryRun(signal));
    } catch (error) {
      return text(500, `Internal Error: ${messageOf(error)}`);
    }
  };
  return [
    {
      path: '/debug/evictions/{name...}',
      methods: ['GET'],
      produces: ['application/json'],
      metricPath: 'debug',
      debugging: true,
      handle: ({ parameters: { name }, signal }) => {
        if (name === '') return jsonPage({ decisions: evictions.decisions() });
        return name === 'dry-run' ? dryRun(signal) : pageNotFound;
      },
    },
  ];
}
