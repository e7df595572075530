import { createPublicKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Assembly } from '@podwright/assembly-interface';
import { assembleSimulatedKubelet } from '@podwright/kubelet-assembly';
import { createMemoryLogger } from '@podwright/logging';
import { KUBELET_SERVER } from '@podwright/server-interface';
import { createSimulatedRuntime } from '@podwright/simulated-runtime';
import { createSystemClock, createSystemRandom, eventually } from '@podwright/time';
import { createSelfSignedCertificate, generatePrivateKey, issueCertificate, readPrivateKey } from '@podwright/x509';
import { standaloneProgram } from './standalone-program.js';

const validity = { notBeforeMs: Date.now() - 3_600_000, notAfterMs: Date.now() + 3_600_000 };

/** An authority, and a client certificate that it signed. */
async function makeClient(): Promise<{ readonly ca: string; readonly cert: string; readonly key: string }> {
  const [authorityKey, key] = await Promise.all([generatePrivateKey(), generatePrivateKey()]);
  const subject = { commonName: 'clients' };
  const usages = ['digital signature'] as const;
  const ca = createSelfSignedCertificate({ subject, privateKey: authorityKey, authority: true, usages, ...validity });
  const publicKey = createPublicKey(readPrivateKey(key));
  const client = { subject: { commonName: 'someone' }, publicKey, usages: [...usages, 'client auth'] as const };
  const cert = issueCertificate({ ...client, ...validity }, { certificate: ca, privateKey: authorityKey });
  return { ca, cert, key };
}

const statusOf = (call: typeof request | typeof requestPlain, options: RequestOptions, body = ''): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage): void => {
      response.resume().once('end', () => resolve(response.statusCode));
    };
    const asked = call({ agent: false, path: '/api/v1/configmaps', ...options }, answered);
    asked.once('error', reject);
    asked.end(body);
  });

describe('the API of kubelet-standalone', () => {
  let dir = '';
  let socketPath = '';
  let assembly: Assembly | undefined;
  let client: Awaited<ReturnType<typeof makeClient>>;
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'kubelet-standalone-'));
    socketPath = path.join(dir, 'podwright.sock');
    client = await makeClient();
    const caFile = path.join(dir, 'clients.crt');
    await writeFile(caFile, client.ca);
    const [clock, random] = [createSystemClock(), createSystemRandom()];
    assembly = await assembleSimulatedKubelet({
      ...{ dir, clock, random, logger: createMemoryLogger(), nodeName: 'alone', program: standaloneProgram },
      cri: createSimulatedRuntime({ clock, random }),
      argv: [`--socket=${socketPath}`, '--local-api-address=127.0.0.1:0', `--local-api-client-ca-file=${caFile}`],
    });
    await assembly.start();
  });
  afterAll(async () => {
    await assembly?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('is on its socket and its port, and nothing else is', () => {
    const addresses = assembly?.get(KUBELET_SERVER).addresses();
    expect(addresses).toEqual({ localSocket: socketPath, local: expect.stringMatching(/^127\.0\.0\.1:\d+$/) });
  });

  it('takes objects from root and from clients with a certificate, on a port with a certificate of its own', async () => {
    const [host, port] = (assembly?.get(KUBELET_SERVER).addresses().local ?? '').split(':');
    const tls = { host, port, rejectUnauthorized: false };
    const place = { method: 'PUT', path: '/api/v1/namespaces/default/configmaps/words' };
    const body = JSON.stringify({ metadata: { name: 'words' }, data: { greeting: 'hello' } });
    expect(await statusOf(requestPlain, { socketPath, ...place }, body)).toBe(201);
    const byClient = { ...tls, ...place, cert: client.cert, key: client.key };
    // Until the certificate is made, no handshake succeeds.
    await eventually(async () => (await statusOf(request, byClient, body).catch(() => undefined)) === 200);
    await expect(statusOf(request, { ...tls })).rejects.toThrow();
  });
});
