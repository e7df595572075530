import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { IMAGE_CREDENTIALS } from '@podwright/image-credentials-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { keyringImageCredentialsConfigSchema } from './keyring-image-credentials-config.js';
import { KeyringImageCredentials } from './keyring-image-credentials.js';

export const keyringImageCredentialsModule = defineModule({
  name: '@podwright/image-credentials',
  provides: [IMAGE_CREDENTIALS],
  requires: [CLOCK, LOGGER, METRICS],
  optional: [KUBE_CLIENT, SERVICE_ACCOUNT_TOKENS],
  config: keyringImageCredentialsConfigSchema,
  register: (container) => {
    container.registerSingleton(KeyringImageCredentials);
    container.register(IMAGE_CREDENTIALS, { useToken: KeyringImageCredentials }); // alias: both names give one instance
  },
});
