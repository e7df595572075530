import type { ServiceSource } from '@podwright/container-environment-interface';

/** {@link ServiceSource} of a node without an API server: there are no services, and that is known from the start. */
export const noServices: ServiceSource = {
  list: () => [],
  hasSynced: () => true,
};
