import { factoryOf } from '@podwright/assembly-interface';
import { describeServerRoutesContract } from '@podwright/server-interface/contract';
import restartsEndpoint from './restarts-endpoint.js';

const pod = { metadata: { name: 'web', namespace: 'default', uid: 'u' }, spec: { containers: [{ name: 'c' }] } };
const createRoutes = factoryOf(restartsEndpoint);

// The suite that the routes of every module pass.
describeServerRoutesContract('those of restarts', () => ({
  routes: createRoutes({ pods: { getPods: () => [pod] }, statuses: { getPodStatus: () => ({ phase: 'Running' }) } }),
  pages: { '/restarts/{name...}': { name: '' } },
}));
