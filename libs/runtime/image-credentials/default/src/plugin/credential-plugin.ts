import path from 'node:path';
import { abortable } from '@podwright/concurrency';
import { KubeletError, messageOf } from '@podwright/errors';
import type { TrackedCredential } from '@podwright/image-credentials-interface';
import type { Pod } from '@podwright/kube-types';
import type { Clock } from '@podwright/time';
import { credentialHash } from '../docker-config/credential-hash.js';
import type { KeyringEntry } from '../registry/docker-keyring.js';
import { matchesRegistry } from '../registry/matches-registry.js';
import type { PluginMetrics } from './plugin-metrics.js';
import { decodeResponse, encodeRequest, type PluginResponse } from './plugin-protocol.js';
import type { CredentialProviderConfig } from './provider-config.js';
import { ResponseCache } from './response-cache.js';
import type { runPlugin } from './run-plugin.js';
import {
  noServiceAccount,
  serviceAccountIdentity,
  type ServiceAccountDeps,
  type ServiceAccountIdentity,
} from './service-account-identity.js';

export interface CredentialPluginDeps extends ServiceAccountDeps {
  readonly clock: Clock;
  readonly metrics: PluginMetrics;
  readonly run: typeof runPlugin;
  /** Environment of the kubelet; the provider's own variables are added to it. */
  readonly env: NodeJS.ProcessEnv;
  readonly binDir: string;
  /** Aborts when the kubelet stops. */
  readonly stopping: AbortSignal;
}

/** Upstream's value: long enough for a plugin that retries, short enough for the pod that waits. */
const callTimeoutMs = 60_000;
const globalKey = '<global>';

/**
 * One credential provider: a program that returns the credentials for an image. Equal requests at the same time share
 * one run, and answers are cached for as long as the plugin says. Source: kubernetes v1.36
 * pkg/credentialprovider/plugin/plugin.go.
 */
export class CredentialPlugin {
  private readonly cache: ResponseCache;
  private readonly calls = new Map<string, Promise<PluginResponse>>();

  constructor(
    private readonly config: CredentialProviderConfig,
    private readonly deps: CredentialPluginDeps,
  ) {
    this.cache = new ResponseCache(deps.clock);
  }

  get name(): string {
    return this.config.name;
  }

  /**
   * `repository` has no tag and no digest. Empty when the plugin does not serve this image or pod. Rejects when the
   * plugin fails.
   */
  async provide(repository: string, pod: Pod, signal: AbortSignal): Promise<readonly KeyringEntry[]> {
    if (!this.config.matchImages.some((pattern) => matchesRegistry(pattern, repository))) return [];
    const { tokenAttributes } = this.config;
    const identity =
      tokenAttributes === undefined
        ? noServiceAccount
        : await serviceAccountIdentity(tokenAttributes, pod, this.deps, signal);
    if (identity === undefined) return [];
    const key = (base: string): string => JSON.stringify([base, identity.cacheKey]);
    const [registry = ''] = repository.split('/', 1);
    const cached = this.cache.get([key(repository), key(registry), key(globalKey)]);
    if (cached !== undefined) return entriesOf(cached, identity);
    const response = await abortable(this.ask(repository, identity), signal).catch((error: unknown) => {
      const { code } = KubeletError.from(error);
      const message = `failed to get credential from external registry credential provider: ${messageOf(error)}`;
      throw new KubeletError(message, { code, cause: error });
    });
    this.refuseEcho(response, identity);
    const base = { Image: repository, Registry: registry, Global: globalKey }[response.cacheKeyType];
    if (base === undefined) {
      const message = `credential provider plugin did not return a valid cacheKeyType: ${response.cacheKeyType}`;
      throw new KubeletError(message, { code: 'data-loss' });
    }
    const durationMs = response.cacheDurationMs ?? this.config.defaultCacheDurationMs;
    this.cache.add(key(base), response.auth, durationMs);
    return entriesOf(response.auth, identity);
  }

  /** Refuses an answer whose password is the token itself: cached, it would be used after the token has expired. */
  private refuseEcho({ auth }: PluginResponse, { token }: ServiceAccountIdentity): void {
    if (token === '' || this.config.tokenAttributes?.cacheType === 'Token') return;
    if (!Object.values(auth).some(({ password }) => password === token)) return;
    const message =
      "credential provider plugin returned the service account token as the password which is not allowed when service account cache type is not set to 'Token'";
    throw new KubeletError(message, { code: 'failed-precondition' });
  }

  private ask(repository: string, identity: ServiceAccountIdentity): Promise<PluginResponse> {
    const key = JSON.stringify([repository, identity.callKey]);
    const running = this.calls.get(key);
    if (running !== undefined) return running;
    const call = this.call(repository, identity).finally(() => this.calls.delete(key));
    this.calls.set(key, call);
    return call;
  }

  private async call(repository: string, identity: ServiceAccountIdentity): Promise<PluginResponse> {
    const { name, apiVersion, args, env: own } = this.config;
    const { clock, metrics, run, env, binDir, stopping } = this.deps;
    const { token: serviceAccountToken, annotations: serviceAccountAnnotations } = identity;
    const request = { image: repository, serviceAccountToken, serviceAccountAnnotations };
    const command = {
      file: path.join(binDir, name),
      args,
      env: { ...env, ...Object.fromEntries(own.map((variable) => [variable.name, variable.value])) },
      input: encodeRequest(apiVersion, request),
    };
    const startedAtMs = clock.monotonic();
    // Not the signal of the first caller: it may cancel while others still wait for the answer.
    const deadline = clock.deadline(callTimeoutMs, stopping);
    let output: string;
    try {
      output = await run(command, deadline.signal);
    } catch (error) {
      metrics.errors.increment({ plugin_name: name });
      const message = `error execing credential provider plugin ${name} for image ${repository}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: KubeletError.from(error).code, cause: error });
    } finally {
      deadline.dispose();
      metrics.duration.observe((clock.monotonic() - startedAtMs) / 1000, { plugin_name: name });
    }
    return decodeResponse(apiVersion, output);
  }
}

function entriesOf(auth: PluginResponse['auth'], { source }: ServiceAccountIdentity): readonly KeyringEntry[] {
  return Object.entries(auth).map(([registry, credential]): KeyringEntry => {
    const hash = source.kind === 'node' ? '' : credentialHash({ ...credential, email: '' });
    const tracked: TrackedCredential = { auth: credential, source, hash };
    return [registry, tracked];
  });
}
