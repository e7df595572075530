import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { IMAGE_CREDENTIALS } from '@podwright/image-credentials-interface';
import { keyringImageCredentialsConfigSchema } from './keyring-image-credentials-config.js';
import { KeyringImageCredentials, keyringImageCredentialsNeeds } from './keyring-image-credentials.js';

export const keyringImageCredentialsModule = defineModule({
  name: '@podwright/image-credentials',
  provides: [IMAGE_CREDENTIALS],
  needs: keyringImageCredentialsNeeds,
  config: keyringImageCredentialsConfigSchema,
  create: (deps, config) => new KeyringImageCredentials(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createKeyringImageCredentials = factoryOf(keyringImageCredentialsModule);
