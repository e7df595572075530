import type { ServiceSource } from '@podwright/container-environment-interface';

/** {@link ServiceSource} of a node without an API server: it has no services and counts as synced from the start. */
export const noServices: ServiceSource = {
  list: () => [],
  hasSynced: () => true,
};
