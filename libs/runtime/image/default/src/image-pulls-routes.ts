import { jsonPage, pageNotFound } from '@podwright/http-answer';
import type { ImagePullProgress } from '@podwright/image-interface';
import type { ServerRoute } from '@podwright/server-interface';

/**
 * `/debug/imagepulls/`: the images that are being pulled, then those that wait, each with its position and since when.
 * Upstream has no such page.
 */
export function imagePullsRoutes(progress: ImagePullProgress): readonly ServerRoute[] {
  return [
    {
      path: '/debug/imagepulls/{name...}',
      methods: ['GET'],
      produces: ['application/json'],
      metricPath: 'debug',
      debugging: true,
      handle: ({ parameters }) => (parameters['name'] === '' ? jsonPage({ pulls: progress.pulls() }) : pageNotFound),
    },
  ];
}
