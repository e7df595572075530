import { defineModule } from '@podwright/assembly-interface';
import { SECRET_MANAGER } from '@podwright/secret-interface';
import { StandaloneSecretManager } from './standalone-secret-manager.js';

export const secretModule = defineModule({
  name: '@podwright/secret',
  provides: [SECRET_MANAGER],
  requires: [],
  register: (container) => {
    container.registerSingleton(StandaloneSecretManager);
    container.register(SECRET_MANAGER, { useToken: StandaloneSecretManager });
  },
});
