import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  decodePem,
  formatPem,
  pemBlocks,
  readCertificateRequest,
  readCertificates,
  readChainCertificate,
  verifyChain,
} from '@podwright/x509';
import { changedDer } from '../der-shape.js';
import { eachOf, fuzzTarget } from '../fuzz-target.js';

const file = (name: string): string => readFileSync(path.resolve('tools/fuzz/fixtures/certificates', name), 'utf8');
const [root, chain, request] = ['root.pem', 'chain.pem', 'request.pem'].map(file) as [string, string, string];
const ders = [root, chain, request].flatMap((text) => pemBlocks(text).map(({ der }) => der));
const [rootDer, leafDer, middleDer, requestDer] = ders as [Buffer, Buffer, Buffer, Buffer];
const clientUsage = '1.3.6.1.5.5.7.3.2';

const verify = (leaf: Buffer, ...intermediates: readonly Buffer[]): unknown =>
  verifyChain(readChainCertificate(leaf), {
    roots: [readChainCertificate(rootDer)],
    intermediates: intermediates.map(readChainCertificate),
    nowMs: Date.UTC(2027, 0, 1),
    usageOid: clientUsage,
  });
const readAll = (text: string): void => {
  decodePem(text);
  readCertificates(text);
};
const { run, seed } = eachOf({
  pem: (input) => readAll(input.toString()),
  request: (input) => readCertificateRequest(input.toString()),
  der: (input) => verify(input, middleDer),
  changedLeaf: (input) => {
    const der = changedDer(leafDer, input);
    readAll(formatPem('CERTIFICATE', der));
    verify(der, middleDer);
  },
  changedAuthority: (input) => verify(leafDer, changedDer(middleDer, input), middleDer),
  changedRequest: (input) => readCertificateRequest(formatPem('CERTIFICATE REQUEST', changedDer(requestDer, input))),
});

export const target = fuzzTarget({
  name: 'certificates',
  reads: 'PEM texts, X.509 certificates and chains, and certificate requests',
  seeds: () => [
    seed('pem', chain),
    seed('pem', '-----BEGIN A-----\nProc-Type: 4\n\nYQ==\n-----END A-----\n'),
    seed('request', request),
    seed('der', leafDer),
    ...['changedLeaf', 'changedAuthority', 'changedRequest'].map((name) => seed(name, Buffer.from([200, 1, 3]))),
  ],
  run,
});
