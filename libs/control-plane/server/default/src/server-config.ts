import { isAbsolute } from 'node:path';
import {
  booleanField,
  defineConfig,
  durationMsField,
  enumField,
  integerField,
  stringField,
  type FieldFault,
  type ConfigField,
} from '@podwright/assembly-interface';
import { endpointsFields, type EndpointsConfig } from './endpoints/endpoints-config.js';
import { addressProblem } from './local/local-address.js';
import { isCipherSuite } from './tls/cipher-suites.js';
import { curvesProblem } from './tls/curves.js';

export interface ServerConfig extends EndpointsConfig {
  /** Whether the main listener is opened. */
  readonly enabled: boolean;
  /** Listen address of the main and the read-only listener. */
  readonly address: string;
  /** Port of the main listener, HTTPS and authenticated. 0: any free port, for tests. */
  readonly port: number;
  /** Port of the unauthenticated read-only listener; 0 = off. */
  readonly readOnlyPort: number;
  readonly healthzBindAddress: string;
  /** Port of /healthz; 0 = off. */
  readonly healthzPort: number;
  /** Lowest TLS version; empty: TLS 1.2. */
  readonly tlsMinVersion: '' | 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
  /** IANA names; an empty list means Go's defaults. The suites of TLS 1.3 are always offered. */
  readonly tlsCipherSuites: readonly string[];
  /** Go's tls.CurveID numbers; an empty list means the TLS library's defaults. */
  readonly tlsCurvePreferences: readonly number[];
  /** Authorise exec, attach, run and port-forward by the HTTP method of the request, as upstream does. */
  readonly verbByMethod: boolean;
  /** Path of the unix socket of the local API; empty = off. */
  readonly localSocket: string;
  /** True: a kubelet that cannot listen on `localSocket` warns and starts without it. */
  readonly localSocketOptional: boolean;
  /** True: the listeners of the local API refuse every request that changes something or opens a session. */
  readonly localReadOnly: boolean;
  /** `host:port` of the local API for clients with a certificate; empty = off. */
  readonly localAddress: string;
  /** PEM file of the authorities that sign those certificates. */
  readonly localClientCaFile: string;
  readonly maxConnections: number;
  /** Most connections that have not sent a complete request yet. */
  readonly maxPendingConnections: number;
  readonly maxRequests: number;
  readonly maxStreams: number;
  /** Most connections of the read-only listener, and of the healthz listener. */
  readonly maxOpenConnections: number;
  /** Time limit for a TLS handshake, and for the head of a request, in milliseconds. */
  readonly headersTimeoutMs: number;
}

const port = (fallback: number) => integerField(fallback, { min: 0, max: 65535 });
const count = (fallback: number) => integerField(fallback, { min: 1 });

const cipherSuites: ConfigField<readonly string[]> = {
  decode: (value, field) => {
    if (value === undefined) return { ok: true, value: [] };
    if (Array.isArray(value) && value.every((name) => typeof name === 'string' && isCipherSuite(name)))
      return { ok: true, value: value as readonly string[] };
    return { ok: false, faults: [{ field, value, problem: "Cipher suite not supported or doesn't exist" }] };
  },
};
const curves: ConfigField<readonly number[]> = {
  decode: (value, field) => {
    if (value === undefined) return { ok: true, value: [] };
    const isList = Array.isArray(value) && value.every((id) => Number.isInteger(id));
    const problem = isList ? curvesProblem(value as readonly number[]) : 'must be a list of whole numbers';
    if (problem !== undefined) return { ok: false, faults: [{ field, value, problem }] };
    return { ok: true, value: value as readonly number[] };
  },
};

export const serverConfig = defineConfig<ServerConfig>(
  {
    ...endpointsFields,
    enabled: booleanField(true),
    address: stringField('0.0.0.0'),
    port: port(10250),
    readOnlyPort: port(0),
    healthzBindAddress: stringField('127.0.0.1'),
    healthzPort: port(10248),
    tlsMinVersion: enumField(['', 'VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'], ''),
    tlsCipherSuites: cipherSuites,
    tlsCurvePreferences: curves,
    verbByMethod: booleanField(false),
    localSocket: stringField(''),
    localSocketOptional: booleanField(false),
    localReadOnly: booleanField(false),
    localAddress: stringField(''),
    localClientCaFile: stringField(''),
    maxConnections: count(2000),
    maxPendingConnections: count(256),
    maxRequests: count(1000),
    maxStreams: count(1000),
    maxOpenConnections: count(100),
    headersTimeoutMs: durationMsField(10_000, { min: 1 }),
  },
  ({ localSocket, localAddress, localClientCaFile }) => [
    ...fault('localSocket', localSocket, localSocket !== '' && !isAbsolute(localSocket) && 'must be an absolute path'),
    ...fault('localAddress', localAddress, localAddress !== '' && addressProblem(localAddress)),
    ...fault(
      'localClientCaFile',
      localClientCaFile,
      localAddress !== '' &&
        localClientCaFile === '' &&
        'must name the authorities of the clients of localAddress (kubelet-standalone: --local-api-address needs --local-api-client-ca-file)',
    ),
  ],
);

const fault = (field: string, value: string, problem: string | false | undefined): readonly FieldFault[] =>
  problem === false || problem === undefined ? [] : [{ field, value, problem }];
