import { booleanField, defineConfig, stringField } from '@podwright/assembly-interface';

export interface KeyringImageCredentialsConfig {
  /** Root directory of the kubelet; the node's own credentials are looked up here first. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** File or folder with the configuration of credential providers; empty = no providers. Default empty. */
  readonly providerConfig: string;
  /** Folder with the executables of the credential providers. Default empty. */
  readonly providerBinDir: string;
  /** Providers may request service account tokens. Default true. */
  readonly serviceAccountTokens: boolean;
}

export const keyringImageCredentialsConfigSchema = defineConfig<KeyringImageCredentialsConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  providerConfig: stringField(''),
  providerBinDir: stringField(''),
  serviceAccountTokens: booleanField(true),
});
