import type { Pod } from '@podwright/kube-types';
import type { HousekeepingStep } from '@podwright/sync-loop-interface';

/** Removes the saved secrets or config maps of pods that are gone. The pass comes only once all sources are ready. */
export const savedObjectsStep = (objects: { forgetUnneeded(pods: readonly Pod[]): void }): HousekeepingStep => ({
  stage: 'last',
  failure: 'Failed removing the saved objects of pods that are gone',
  clean: ({ desired }) => objects.forgetUnneeded(desired),
});
