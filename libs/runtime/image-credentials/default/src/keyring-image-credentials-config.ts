import { booleanField, createToken, defineConfig, stringField } from '@podwright/assembly-interface';

export interface KeyringImageCredentialsConfig {
  /** Folder of the kubelet, the first in which the node's own credentials are looked for. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** File or folder with credential providers; empty: none. Default empty. */
  readonly providerConfig: string;
  /** Folder of the programs of the credential providers. Default empty. */
  readonly providerBinDir: string;
  /** Providers may ask for tokens of service accounts. Default true. */
  readonly serviceAccountTokens: boolean;
}

export const KEYRING_IMAGE_CREDENTIALS_CONFIG = createToken<KeyringImageCredentialsConfig>(
  'kubelet.keyring-image-credentials.config/v1',
);

export const keyringImageCredentialsConfigSchema = defineConfig<KeyringImageCredentialsConfig>(
  KEYRING_IMAGE_CREDENTIALS_CONFIG,
  {
    rootDir: stringField('/var/lib/kubelet'),
    providerConfig: stringField(''),
    providerBinDir: stringField(''),
    serviceAccountTokens: booleanField(true),
  },
);
