import { defineModule } from '@podwright/assembly-interface';
import { SERVICE_SOURCE } from '@podwright/container-environment-interface';
import { noServices } from './no-services.js';

export const noServicesModule = defineModule({
  name: '@podwright/container-environment#services',
  provides: [SERVICE_SOURCE],
  create: () => noServices,
});
