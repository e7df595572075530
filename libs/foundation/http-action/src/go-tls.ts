import { messageOf } from '@podwright/errors';

/**
 * What Go's client offers, in OpenSSL's words: less than Node, so that a server that Go refuses is refused here. Source:
 * Go crypto/tls defaults.go.
 */
export const goCipherSuites = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-RSA-AES256-SHA',
].join(':');

// Source: Go crypto/tls alert.go.
const alerts: Readonly<Record<string, string>> = {
  '10': 'unexpected message',
  '20': 'bad record MAC',
  '22': 'record overflow',
  '40': 'handshake failure',
  '42': 'bad certificate',
  '43': 'unsupported certificate',
  '44': 'revoked certificate',
  '45': 'expired certificate',
  '46': 'unknown certificate',
  '47': 'illegal parameter',
  '48': 'unknown certificate authority',
  '49': 'access denied',
  '50': 'error decoding message',
  '51': 'error decrypting message',
  '70': 'protocol version not supported',
  '71': 'insufficient security level',
  '80': 'internal error',
  '86': 'inappropriate fallback',
  '90': 'user canceled',
  '109': 'missing extension',
  '110': 'unsupported extension',
  '112': 'unrecognized name',
  '115': 'unknown PSK identity',
  '116': 'certificate required',
  '120': 'no application protocol',
};

/** Go's text for the error of a handshake that the server has ended with an alert; undefined for another error. */
export function goRemoteAlert(error: unknown): string | undefined {
  const number = /SSL alert number (\d+)/.exec(messageOf(error))?.[1];
  return number === undefined ? undefined : `remote error: tls: ${alerts[number] ?? `alert(${number})`}`;
}
