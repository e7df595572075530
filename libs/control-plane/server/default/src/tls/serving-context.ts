import type { TlsOptions } from 'node:tls';
import type { CertificateManager, CertificatePair } from '@podwright/cert-rotation-interface';
import type { Logger } from '@podwright/logging';
import type { ServerAuth } from '@podwright/server-auth-interface';
import type { ServerConfig } from '../server-config.js';
import { isInsecureCipherSuite } from './cipher-suites.js';
import { connectionOptions, contextOptions } from './tls-options.js';

interface Follower {
  useContext(context: TlsOptions): void;
}

type TlsConfig = Pick<ServerConfig, 'tlsMinVersion' | 'tlsCipherSuites' | 'tlsCurvePreferences'>;

/** Supplies a listener's TLS options, and updates its certificate for new connections when it changes. */
export class ServingContext {
  private unwatch: (() => void) | undefined;
  private saidMissing = false;

  constructor(
    private readonly certificate: Pick<CertificateManager, 'current' | 'watch' | 'waitingFor' | 'made'>,
    private readonly auth: Pick<ServerAuth, 'requestsClientCertificates'>,
    private readonly logger: Logger,
    private readonly config: TlsConfig,
  ) {}

  /** The TLS options for a new listener. Logs warnings about insecure or ineffective cipher suites. */
  options(): TlsOptions {
    const { tlsCipherSuites, tlsMinVersion } = this.config;
    for (const cipher of tlsCipherSuites.filter(isInsecureCipherSuite))
      this.logger.warn('Use of insecure cipher detected.', { cipher });
    if (tlsMinVersion === 'VersionTLS13' && tlsCipherSuites.length > 0)
      this.logger.warn('Warning: TLS 1.3 cipher suites are not configurable, ignoring --tls-cipher-suites');
    return {
      ...connectionOptions(this.auth.requestsClientCertificates),
      ...contextOptions(this.config, this.certificate.current()),
    };
  }

  /** Until then a handshake could only fail, though nothing is wrong. Undefined when there is nothing to wait for. */
  untilMade(): Promise<void> | undefined {
    return this.certificate.current() === undefined ? this.certificate.made?.() : undefined;
  }

  follow(listener: Follower): void {
    this.unwatch = this.certificate.watch((pair) => this.use(listener, pair));
    // The certificate may have changed since the listener was made.
    const current = this.certificate.current();
    if (current !== undefined) this.use(listener, current);
  }

  stop(): void {
    this.unwatch?.();
    this.unwatch = undefined;
  }

  /** Logs a failed handshake: at debug level, or once as an error when the reason is the missing certificate. */
  handshakeFailed(error: Error): void {
    if (this.certificate.current() !== undefined) {
      this.logger.debug(2, 'TLS handshake error', { error });
      return;
    }
    if (this.saidMissing) return;
    this.saidMissing = true;
    const waitingFor = this.certificate.waitingFor();
    this.logger.error('TLS handshake error', {
      error: 'no serving certificate available for the kubelet',
      ...(waitingFor !== undefined && { waitingFor }),
    });
  }

  private use(listener: Follower, pair: CertificatePair): void {
    try {
      listener.useContext(contextOptions(this.config, pair));
      this.saidMissing = false;
    } catch (error) {
      this.logger.error('The serving certificate cannot be used, the one before stays', { error });
    }
  }
}
