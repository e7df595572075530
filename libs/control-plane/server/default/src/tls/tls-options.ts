import { constants } from 'node:crypto';
import type { SecureVersion, TlsOptions } from 'node:tls';
import type { CertificatePair } from '@podwright/cert-rotation-interface';
import type { ServerConfig } from '../server-config.js';
import { openSslCiphers } from './cipher-suites.js';
import { openSslCurves } from './curves.js';

/** Node's TLS version by the value of `tlsMinVersion`. */
export const tlsVersions: Readonly<Record<string, SecureVersion>> = {
  '': 'TLSv1.2',
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

type TlsConfig = Pick<ServerConfig, 'tlsMinVersion' | 'tlsCipherSuites' | 'tlsCurvePreferences'>;

/** The options that stay the same while the server runs. */
export function connectionOptions(requestsClientCertificates: boolean): TlsOptions {
  return {
    // As upstream with a file of client authorities: no protocol is chosen, so that a client which offers only unknown
    // ones gets HTTP/1.1, too. An HTTP/2 connection could not be upgraded.
    ALPNProtocols: [],
    requestCert: requestsClientCertificates,
    // The access filter authenticates each request; it knows the authorities and reloads them.
    rejectUnauthorized: false,
  };
}

/** The options that are set together with the certificate. Without a certificate, every handshake fails. */
export function contextOptions(config: TlsConfig, pair: CertificatePair | undefined): TlsOptions {
  const minVersion = tlsVersions[config.tlsMinVersion] ?? 'TLSv1.2';
  const ancient = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  const ciphers = openSslCiphers(config.tlsCipherSuites);
  return {
    minVersion,
    maxVersion: 'TLSv1.3',
    // OpenSSL refuses TLS below 1.2 at its usual security level.
    ciphers: ancient ? `${ciphers}:@SECLEVEL=0` : ciphers,
    honorCipherOrder: true,
    ecdhCurve: openSslCurves(config.tlsCurvePreferences),
    // Send no list of accepted authorities: a client sends no certificate when the list lacks its issuer.
    ca: [],
    // No session tickets: a resumed session has the client's certificate without its chain.
    secureOptions: constants.SSL_OP_NO_TICKET,
    ...(pair !== undefined && { cert: pair.certificate, key: pair.privateKey }),
  };
}
