import { messageOf } from '@podwright/errors';
import { goDialError, goPlainAnswer, isPlainAnswer } from '@podwright/http-action';

/** Error code of a connection that could not be established in time. */
export const dialTimeoutCode = 'PODWRIGHT_DIAL_TIMEOUT';

/** Error code of a connection that was closed before the server sent anything. */
export const ungreetedCode = 'PODWRIGHT_UNGREETED';

/** The target of a connection, for messages. */
export interface FaultPlace {
  readonly host: string;
  readonly port: number;
  /** The kubeconfig that names the target. */
  readonly kubeconfig: string;
  /** The machine's clock, milliseconds since 1970. */
  readonly nowMs: number;
}

interface Fault {
  /** The fault in Go's words, which operators know from the upstream kubelet. */
  readonly words: (place: FaultPlace, error: unknown) => string;
  /** What to check. */
  readonly check: (place: FaultPlace) => string;
}

const dial = ({ host, port }: FaultPlace, error: unknown): string => goDialError(error, host, port);
const verify =
  (what: string) =>
  ({ nowMs }: FaultPlace): string =>
    `tls: failed to verify certificate: x509: ${what.replace('$now', new Date(nowMs).toISOString())}`;
const clock = ({ nowMs }: FaultPlace): string =>
  `compare this machine's clock (${new Date(nowMs).toISOString()}) with the server's, then the dates of the server's certificate`;
const trust = ({ kubeconfig }: FaultPlace): string =>
  `certificate-authority or certificate-authority-data in ${kubeconfig} must be the authority that signed the server's certificate`;
const route = ({ host }: FaultPlace): string => `check routes and firewalls between this machine and ${host}`;
const names = ({ host, kubeconfig }: FaultPlace): string =>
  `server in ${kubeconfig} says ${host}: check the name there, /etc/resolv.conf and the DNS servers`;
const ownCertificate = ({ kubeconfig }: FaultPlace): string =>
  `the server refuses the client certificate of ${kubeconfig}: check its dates and which authority signed it`;

const faults: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: {
    words: dial,
    check: ({ host, port, kubeconfig }) =>
      `is the API server running at ${host}, and is ${port} its port? server in ${kubeconfig} says so`,
  },
  ECONNRESET: {
    words: (_place, error) => (messageOf(error) === 'socket hang up' ? 'EOF' : 'read: connection reset by peer'),
    check: () => 'the API server, or something on the way to it, ended the connection',
  },
  EHOSTUNREACH: { words: dial, check: route },
  ENETUNREACH: { words: dial, check: route },
  ETIMEDOUT: { words: dial, check: route },
  [dialTimeoutCode]: { words: (_place, error) => messageOf(error), check: route },
  [ungreetedCode]: {
    words: (_place, error) => messageOf(error),
    check: ({ kubeconfig }) => `does it accept the client certificate of ${kubeconfig}?`,
  },
  ENOTFOUND: { words: dial, check: names },
  EAI_AGAIN: {
    words: ({ host }) => `dial tcp: lookup ${host}: temporary failure in name resolution`,
    check: names,
  },
  CERT_HAS_EXPIRED: {
    words: verify('certificate has expired or is not yet valid: current time $now is after the end of its validity'),
    check: clock,
  },
  CERT_NOT_YET_VALID: {
    words: verify('certificate has expired or is not yet valid: current time $now is before the start of its validity'),
    check: clock,
  },
  ...Object.fromEntries(
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'CERT_SIGNATURE_FAILURE',
    ].map((code) => [code, { words: verify('certificate signed by unknown authority'), check: trust }]),
  ),
  ERR_TLS_CERT_ALTNAME_INVALID: {
    words: (_place, error) => `tls: failed to verify certificate: x509: ${nameFault(error)}`,
    check: ({ host, kubeconfig }) =>
      `${host} must be a name of the server's certificate; else set tls-server-name in ${kubeconfig}`,
  },
  ...Object.fromEntries(
    [
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
      'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
      'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
      'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
      'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED',
      'ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR',
    ].map((code) => [code, { words: remoteAlert, check: ownCertificate }]),
  ),
};

/** OpenSSL's own text names its source files and ends with a line break. */
const brokenTls: Fault = {
  words: (_place, error) => `tls: ${codeOf(error).slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ')}`,
  check: ({ host, port }) =>
    `what came from ${host}:${port} was no TLS as it should be: look at what stands on the way to it`,
};

/** Describes a connection error in Go's words, with advice: `dial tcp ...: connect: connection refused (is ...)`. */
export function describeConnectionFault(error: unknown, place: FaultPlace): string {
  if (isPlainAnswer(error)) {
    return `${goPlainAnswer} (server in ${place.kubeconfig} begins with https: does ${place.host}:${place.port} speak TLS?)`;
  }
  const fault = faults[codeOf(error)] ?? (codeOf(error).startsWith('ERR_SSL_') ? brokenTls : undefined);
  return fault === undefined ? messageOf(error) : `${fault.words(place, error)} (${fault.check(place)})`;
}

/** Such as `remote error: tls: unknown certificate authority`. */
function remoteAlert(_place: FaultPlace, error: unknown): string {
  const alert = codeOf(error).replace(/^ERR_SSL_\w+?_ALERT_/, '');
  return `remote error: tls: ${alert.toLowerCase().replaceAll('_', ' ').replace('unknown ca', 'unknown certificate authority')}`;
}

function nameFault(error: unknown): string {
  const { cert, host } = error as { cert?: { subjectaltname?: string }; host?: string };
  const valid = (cert?.subjectaltname ?? '').replaceAll(/(DNS|IP Address):/g, '');
  return valid === ''
    ? 'certificate relies on legacy Common Name field, use SANs instead'
    : `certificate is valid for ${valid}, not ${host ?? ''}`;
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
