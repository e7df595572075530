import { constants } from 'node:crypto';
import type { SecureVersion, TlsOptions } from 'node:tls';
import type { CertificatePair } from '@podwright/cert-rotation-interface';
import type { ServerConfig } from '../server-config.js';
import { openSslCiphers } from './cipher-suites.js';
import { openSslCurves } from './curves.js';

/** By the names of `tlsMinVersion`. */
export const tlsVersions: Readonly<Record<string, SecureVersion>> = {
  '': 'TLSv1.2',
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

type TlsConfig = Pick<ServerConfig, 'tlsMinVersion' | 'tlsCipherSuites' | 'tlsCurvePreferences'>;

/** What does not change while the server runs. */
export function connectionOptions(requestsClientCertificates: boolean): TlsOptions {
  return {
    // One protocol: a connection that is to be upgraded must not be HTTP/2.
    ALPNProtocols: ['http/1.1'],
    requestCert: requestsClientCertificates,
    // Who the client is gets decided per request, by somebody who knows the authorities and reloads them.
    rejectUnauthorized: false,
  };
}

/** What comes with the certificate; without one every handshake fails. */
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
    // No list of acceptable authorities is sent: a client would keep its certificate back when its issuer is not in it.
    ca: [],
    // A resumed session would have the client's certificate without its chain.
    secureOptions: constants.SSL_OP_NO_TICKET,
    ...(pair !== undefined && { cert: pair.certificate, key: pair.privateKey }),
  };
}
