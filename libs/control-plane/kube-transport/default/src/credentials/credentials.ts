import type { SecureContext } from 'node:tls';
import { createSecureContext } from 'node:tls';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Kubeconfig } from '@podwright/kubeconfig';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import { readCertificates } from '@podwright/x509';
import { ClientCertificate } from './client-certificate.js';
import type { KeyPair } from './client-certificate.js';
import { credentialsFault } from '@podwright/kube-client-interface';
import { readSource } from './credential-source.js';
import type { ExecCredential } from './exec-credential.js';
import { ExecPlugin } from './exec-plugin.js';
import { execPluginMetrics } from './exec-plugin-metrics.js';
import { basicHeaders, bearer, impersonationHeaders } from './request-credentials.js';
import type { CredentialHeaders } from './request-credentials.js';
import { TokenFile } from './token-file.js';

export interface CredentialsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly environment: NodeJS.ProcessEnv;
  readonly tokenMaxAgeMs: number;
  readonly execTimeoutMs: number;
  /** The server uses TLS; as in clientcmd, no credentials are sent without it. */
  readonly secure: boolean;
  /** Called when a plugin has returned another client certificate. */
  readonly onRotated: () => void;
}

/** The credentials of one request. */
export interface SentCredentials {
  readonly headers: CredentialHeaders;
  /** Call it when the server has answered 401. */
  readonly refused: () => void;
}

/** All credentials and trusted authorities of one kubeconfig, kept up to date. */
export class Credentials {
  readonly certificate: ClientCertificate;
  private readonly tokenFile: TokenFile | undefined;
  private readonly plugin: ExecPlugin | undefined;
  private readonly fixed: CredentialHeaders;
  private authority: string | undefined;
  private context: { readonly of: KeyPair | undefined; readonly secure: SecureContext } | undefined;

  constructor(
    private readonly kubeconfig: Kubeconfig,
    private readonly deps: CredentialsDeps,
  ) {
    const { user } = kubeconfig;
    const { clock, logger, secure } = deps;
    this.certificate = new ClientCertificate(kubeconfig);
    const impersonation = impersonationHeaders(user.impersonate);
    this.fixed = secure
      ? { ...basicHeaders(kubeconfig), ...(user.token !== undefined && bearer(user.token)), ...impersonation }
      : impersonation;
    // Registered also without a plugin, as upstream's are.
    const metrics = execPluginMetrics(deps.metrics, () => clock.now());
    if (!secure) return;
    if (user.tokenFile !== undefined) this.tokenFile = new TokenFile(user.tokenFile, deps.tokenMaxAgeMs, clock, logger);
    if (user.exec !== undefined) {
      this.plugin = new ExecPlugin(kubeconfig, user.exec, {
        clock,
        logger,
        metrics,
        environment: deps.environment,
        timeoutMs: deps.execTimeoutMs,
        onRotated: deps.onRotated,
      });
    }
  }

  /** Reads all files for the first time. Rejects with `invalid-argument` for an unreadable CA file. */
  async load(): Promise<void> {
    await Promise.all([this.reloadAuthority(), this.certificate.reload(), this.tokenFile?.reload()]);
  }

  stop(): void {
    this.plugin?.stop();
  }

  /** Rereads token and certificate. Resolves with true when the certificate has changed. */
  async reload(): Promise<boolean> {
    const [changed] = await Promise.all([this.certificate.reload(), this.tokenFile?.reload()]);
    return changed;
  }

  /**
   * Rereads the CA file. Resolves with true when it has changed; rejects with `invalid-argument` and, as reason, what
   * upstream counts: `read_error`, `empty` or `ca_parse_error`.
   */
  async reloadAuthority(): Promise<boolean> {
    const source = this.kubeconfig.cluster.certificateAuthority;
    if (source === undefined) return false;
    let text: string | undefined;
    try {
      text = await readSource(source);
      // OpenSSL accepts a text without a certificate as an empty list, which trusts nobody.
      if (readCertificates(text).length === 0) throw new Error('unable to parse bytes as PEM block');
    } catch (cause) {
      const { file, clusterName } = this.kubeconfig;
      const reason = text === undefined ? 'read_error' : text === '' ? 'empty' : 'ca_parse_error';
      const place = 'file' in source ? source.file : 'certificate-authority-data';
      throw new KubeletError(
        `kubeconfig ${file}: unable to read certificate-authority ${place} for ${clusterName} due to ${messageOf(cause)}`,
        { code: 'invalid-argument', cause, reason },
      );
    }
    if (text === this.authority) return false;
    this.authority = text;
    this.context = undefined;
    return true;
  }

  /**
   * TLS context of the next connection. Rejects with `unavailable` while a certificate is awaited, or when a plugin
   * fails.
   */
  async secureContext(): Promise<SecureContext> {
    const pair = await this.pair();
    if (this.context !== undefined && this.context.of === pair) return this.context.secure;
    try {
      const secure = createSecureContext({
        ...(this.authority !== undefined && { ca: this.authority }),
        ...(pair !== undefined && { cert: pair.certificate, key: pair.key }),
      });
      this.context = { of: pair, secure };
      return secure;
    } catch (cause) {
      throw credentialsFault(`unable to load TLS configuration of ${this.kubeconfig.file}: ${messageOf(cause)}`, cause);
    }
  }

  /**
   * Credentials of one request. A token file takes precedence over a token, and both over a plugin, which then does not
   * run.
   */
  async forRequest(): Promise<SentCredentials> {
    const sentAtMs = this.deps.clock.monotonic();
    const file = this.tokenFile;
    if (file !== undefined) {
      const token = await file.current().catch((error: unknown) => {
        if (this.kubeconfig.user.token === undefined) throw error;
        return this.kubeconfig.user.token;
      });
      return { headers: { ...this.fixed, ...bearer(token) }, refused: () => file.refused(sentAtMs) };
    }
    const { plugin } = this;
    if (plugin === undefined || this.fixed['authorization'] !== undefined) {
      return { headers: this.fixed, refused: () => undefined };
    }
    const credential = await plugin.current();
    return {
      headers: { ...this.fixed, ...(credential.token !== undefined && bearer(credential.token)) },
      refused: () => void plugin.refused(credential),
    };
  }

  /** A certificate of the kubeconfig takes precedence over one of the plugin. */
  private async pair(): Promise<KeyPair | undefined> {
    if (this.certificate.expected) {
      const pair = this.certificate.current();
      if (pair !== undefined) return pair;
      throw credentialsFault(this.certificate.problem() ?? 'no client certificate yet');
    }
    if (this.plugin === undefined || this.fixed['authorization'] !== undefined) return undefined;
    const credential: ExecCredential = await this.plugin.current();
    return credential.pair;
  }
}
