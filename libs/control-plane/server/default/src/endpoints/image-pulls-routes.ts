import type { ImagePullProgress } from '@podwright/image-interface';
import { pageNotFound } from '../answer.js';
import type { Route } from '../route.js';

const json = 'application/json';

/**
 * `/debug/imagepulls/`: the images that are pulled now, then those that wait for their turn, each with its place and since when.
 * Upstream has no such page.
 */
export function imagePullsRoutes(progress: ImagePullProgress): readonly Route[] {
  return [
    {
      path: '/debug/imagepulls/{name...}',
      methods: ['GET'],
      produces: [json],
      metricPath: 'debug',
      handle: ({ parameters }) =>
        parameters['name'] === ''
          ? {
              status: 200,
              headers: { 'Content-Type': json },
              body: JSON.stringify({ pulls: progress.pulls() }, undefined, 1),
            }
          : pageNotFound,
    },
  ];
}
