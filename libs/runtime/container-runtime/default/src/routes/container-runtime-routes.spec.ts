import { describe, expect, it } from '@jest/globals';
import { describeServerRoutesContract } from '@podwright/server-interface/contract';
import { VirtualClock } from '@podwright/time';
import { createContainerRuntimeRoutes, type ContainerRuntimeRoutesNeeds } from './container-runtime-routes.module.js';

const deps: ContainerRuntimeRoutesNeeds = {
  pods: { getPodByFullName: () => undefined, translatePodUid: (uid) => uid },
  runtime: { getPods: async () => [] },
  cri: { checkpointContainer: async () => ({}) },
  clock: new VirtualClock(),
};
const checkpoint = '/checkpoint/{namespace}/{pod}/{container}';

describeServerRoutesContract('those of the container runtime', () => ({
  routes: createContainerRuntimeRoutes(deps),
  pages: {},
  actions: [checkpoint],
}));

describe('the routes of the container runtime', () => {
  it('are there for debugging alone', () => {
    expect(createContainerRuntimeRoutes(deps).map(({ debugging }) => debugging)).toEqual([true, true]);
  });

  it('have no checkpoint without its gate', () => {
    const routes = createContainerRuntimeRoutes(deps, { containerCheckpoint: false });
    expect(routes.map(({ path }) => path)).toEqual(['/runningpods/']);
  });
});
