import { CLOCK, METRICS, defineModule } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { PROBERS } from '@podwright/probe-interface';
import { createProbers } from './network-probers.js';

/** Apart from the manager, so that a simulation can answer for its containers. */
export const probersModule = defineModule({
  name: '@podwright/probe#probers',
  provides: [PROBERS],
  requires: [RUNTIME_SERVICE, CLOCK, METRICS],
  register: (container) =>
    container.register(PROBERS, {
      useFactory: (resolver) =>
        createProbers({
          runtime: resolver.resolve(RUNTIME_SERVICE),
          clock: resolver.resolve(CLOCK),
          metrics: resolver.resolve(METRICS),
        }),
    }),
});
