import { createSecureContext } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { serverConfig } from '../server-config.js';
import { isInsecureCipherSuite, openSslCiphers } from './cipher-suites.js';
import { openSslCurves } from './curves.js';
import { contextOptions } from './tls-options.js';

const plain = { tlsMinVersion: '', tlsCipherSuites: [], tlsCurvePreferences: [] } as const;

describe('what TLS offers', () => {
  it.each([
    [{}, 'TLSv1.2', 'auto'],
    [{ tlsMinVersion: 'VersionTLS13' }, 'TLSv1.3', 'auto'],
    [{ tlsMinVersion: 'VersionTLS10' }, 'TLSv1', 'auto'],
    [{ tlsCurvePreferences: [29, 23, 4588] }, 'TLSv1.2', 'X25519:P-256'],
  ] as const)('of %j', (more, minVersion, curves) => {
    const options = contextOptions({ ...plain, ...more }, undefined);
    expect(options).toMatchObject({ minVersion });
    expect(options.ecdhCurve === curves || options.ecdhCurve === `${curves}:X25519MLKEM768`).toBe(true);
    expect(() => createSecureContext(options)).not.toThrow();
  });

  it('is what Go offers, unless told otherwise, and TLS 1.3 in any case', () => {
    const usual = openSslCiphers([]).split(':');
    expect([usual.length, usual[0], usual[3]]).toEqual([13, 'TLS_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256']);
    const chosen = ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305'];
    expect(openSslCiphers(chosen)).toBe(
      'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:AES128-GCM-SHA256:ECDHE-RSA-CHACHA20-POLY1305',
    );
    expect(chosen.map(isInsecureCipherSuite)).toEqual([true, false]);
  });

  it('has hybrid curves where the library has them', () => {
    expect(openSslCurves([4588, 29], '3.5.1')).toBe('X25519MLKEM768:X25519');
    expect(openSslCurves([4588], '3.0.17')).toBe('auto');
  });

  it.each([
    [{ tlsCipherSuites: ['AES128-SHA'] }, "Cipher suite not supported or doesn't exist"],
    [{ tlsCurvePreferences: [0] }, 'curve preference 0 is out of range (must be 1-65535)'],
    [{ tlsCurvePreferences: [23, 23] }, 'duplicate curve preference 23'],
    [{ tlsCurvePreferences: [1] }, 'curve preference 1 is not supported'],
    [{ tlsCurvePreferences: ['P-256'] }, 'must be a list of whole numbers'],
    [{ tlsMinVersion: 'TLS12' }, 'must be one of "", VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13'],
  ])('refuses %j', (options, problem) => {
    expect(serverConfig.decode(options)).toMatchObject({ ok: false, faults: [{ problem }] });
  });
});
