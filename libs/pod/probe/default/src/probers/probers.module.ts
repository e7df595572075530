import { defineModule } from '@podwright/assembly-interface';
import { PROBERS } from '@podwright/probe-interface';
import { createProbers, probersNeeds } from './network-probers.js';

/** A module of its own, so that a simulation can replace the probers. */
export const probersModule = defineModule({
  name: '@podwright/probe#probers',
  provides: [PROBERS],
  needs: probersNeeds,
  create: createProbers,
});
