import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { CredentialLookup, ImageCredentials, TrackedCredential } from '@podwright/image-credentials-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { parseImageReference, type Pod, type Secret } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { endStrayPrograms } from '@podwright/program';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { credentialHash } from './docker-config/credential-hash.js';
import { NodeDockerConfig } from './docker-config/node-docker-config.js';
import { pullSecretConfig } from './docker-config/pull-secret-config.js';
import type { KeyringImageCredentialsConfig } from './keyring-image-credentials-config.js';
import { CredentialPlugin } from './plugin/credential-plugin.js';
import { registerPluginMetrics, type PluginMetrics } from './plugin/plugin-metrics.js';
import { readProviderConfig } from './plugin/read-provider-config.js';
import { runPlugin } from './plugin/run-plugin.js';
import { DockerKeyring, type KeyringEntry } from './registry/docker-keyring.js';

export const keyringImageCredentialsNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  /** Absent without an API server: then no provider can act for a service account. */
  client: optional(pick(KUBE_CLIENT, 'get')),
  tokens: optional(pick(SERVICE_ACCOUNT_TOKENS, 'get')),
});

/** {@link ImageCredentials} that tries pull secrets first, then the node's files, then credential provider plugins. */
export class KeyringImageCredentials implements ImageCredentials {
  private readonly logger: Logger;
  private readonly metrics: PluginMetrics;
  private readonly nodeConfig: NodeDockerConfig;
  private readonly stopping = new AbortController();
  private plugins: readonly CredentialPlugin[] = [];
  private configHash: string | undefined;

  constructor(
    private readonly deps: Needs<typeof keyringImageCredentialsNeeds>,
    private readonly config: KeyringImageCredentialsConfig,
  ) {
    const { clock, logger, metrics } = deps;
    this.logger = logger.with({ logger: 'image-credentials' });
    this.metrics = registerPluginMetrics(metrics, () => this.configHash);
    this.nodeConfig = new NodeDockerConfig(
      { clock, logger: this.logger },
      { rootDir: config.rootDir, workingDir: process.cwd(), homeDir: process.env['HOME'] ?? '', topDir: '/' },
    );
  }

  async start(): Promise<void> {
    const { providerConfig: configPath, providerBinDir: binDir, serviceAccountTokens } = this.config;
    if (configPath === '' && binDir === '') return;
    // Not awaited: nobody needs to wait for that, and it never rejects.
    void endStrayPrograms(this.logger);
    const { providers, hash } = await readProviderConfig({ configPath, binDir, serviceAccountTokens });
    this.configHash = hash;
    const deps = {
      clock: this.deps.clock,
      metrics: this.metrics,
      run: runPlugin,
      env: process.env,
      binDir,
      stopping: this.stopping.signal,
      ...(this.deps.client !== undefined && { client: this.deps.client }),
      ...(this.deps.tokens !== undefined && { tokens: this.deps.tokens }),
    };
    this.plugins = providers.map((provider) => new CredentialPlugin(provider, deps));
    this.logger.debug(4, 'registered credential providers', { providers: providers.map(({ name }) => name) });
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the kubelet is stopping', { code: 'cancelled' }));
  }

  async lookup({ image, pod, pullSecrets, signal }: CredentialLookup): Promise<readonly TrackedCredential[]> {
    const parsed = parseImageReference(image);
    if ('fault' in parsed) {
      const message = `couldn't parse image name ${JSON.stringify(image)}: ${parsed.fault}`;
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
    const { repository } = parsed;
    const ofSecrets = new DockerKeyring(pullSecrets.flatMap(secretEntries)).lookUp(repository);
    const ofNode = new DockerKeyring(await this.nodeEntries()).lookUp(repository);
    const ofPlugins = await this.pluginEntries(repository, pod, signal ?? this.stopping.signal);
    return [...ofSecrets, ...ofNode, ...new DockerKeyring(ofPlugins).lookUp(repository)];
  }

  private async nodeEntries(): Promise<readonly KeyringEntry[]> {
    const config = await this.nodeConfig.read();
    return config.map(([registry, { username, password }]) => [
      registry,
      { auth: { username, password }, source: { kind: 'node' }, hash: '' },
    ]);
  }

  /** Calls all providers at once; the result is in the order of the configuration. */
  private async pluginEntries(repository: string, pod: Pod, signal: AbortSignal): Promise<readonly KeyringEntry[]> {
    const answers = this.plugins.map(async (plugin) => {
      try {
        return await plugin.provide(repository, pod, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        // The image may be public, or another provider may have credentials for it.
        this.logger.error('Failed to provide credentials for image', {
          provider: plugin.name,
          image: repository,
          pod,
          reason: messageOf(error),
        });
        return [];
      }
    });
    return (await Promise.all(answers)).flat();
  }
}

function secretEntries(secret: Secret): readonly KeyringEntry[] {
  const { uid = '', namespace = '', name = '' } = secret.metadata ?? {};
  return pullSecretConfig(secret).map(([registry, entry]) => [
    registry,
    {
      auth: { username: entry.username, password: entry.password },
      source: { kind: 'secret', uid, namespace, name },
      hash: credentialHash(entry),
    },
  ]);
}
