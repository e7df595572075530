// An endpoint of your own on the kubelet's authenticated port: GET /restarts/ counts the restarts of each pod.
import { contribution, defineModule, needs, pick, type Needs } from '@podwright/assembly-interface';
import { jsonPage, pageNotFound } from '@podwright/http-answer';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { SERVER_ROUTES, type ServerRoute } from '@podwright/server-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';

const restartsNeeds = needs({ pods: pick(POD_MANAGER, 'getPods'), statuses: pick(STATUS_MANAGER, 'getPodStatus') });

function restartsRoutes({ pods, statuses }: Needs<typeof restartsNeeds>): readonly ServerRoute[] {
  const restarts = () =>
    pods.getPods().map(({ metadata }) => {
      const { containerStatuses = [] } = statuses.getPodStatus(metadata.uid ?? '') ?? {};
      const count = containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
      return { namespace: metadata.namespace, name: metadata.name, restarts: count };
    });
  return [
    {
      path: '/restarts/{name...}',
      methods: ['GET'],
      produces: ['application/json'],
      metricPath: 'restarts',
      handle: ({ parameters }) => (parameters['name'] === '' ? jsonPage({ pods: restarts() }) : pageNotFound),
    },
  ];
}

export default defineModule({
  name: 'restarts-endpoint',
  provides: [],
  needs: restartsNeeds,
  create: restartsRoutes,
  contributes: [contribution(SERVER_ROUTES, (routes: readonly ServerRoute[]) => routes)],
});
