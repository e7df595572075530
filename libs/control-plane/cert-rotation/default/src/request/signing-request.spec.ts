import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { certificateSigningRequests } from '@podwright/kube-client-interface';
import type { Informer, InformerChange, KubeClient } from '@podwright/kube-client-interface';
import type { CertificateSigningRequest } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import {
  createCertificateRequest,
  createSelfSignedCertificate,
  generatePrivateKey,
  type Certificate,
} from '@podwright/x509';
import { authorityKey } from '../fixtures/authority-key.js';
import { describeRequestState, type RequestState } from '../rotation/certificate-request-state.js';
import { rotationDeadline } from '../rotation/rotation-deadline.js';
import { showsHealthyServer } from '../rotation/server-health.js';
import { awaitCertificate } from './await-certificate.js';
import { nodeTemplate, sameTemplate, unsatisfied } from './certificate-template.js';
import { submitRequest } from './signing-request.js';

describe('what a certificate lacks', () => {
  const template = { commonName: 'n', organizations: ['o', 'p'], dnsNames: ['a', 'b'], ipAddresses: ['10.0.0.1'] };
  const has = {
    subject: { commonName: 'n', organizations: ['p', 'o'] },
    dnsNames: ['b', 'c', 'a'],
    ipAddresses: ['10.0.0.1'],
  };
  it.each<[string | undefined, object]>([
    [undefined, {}],
    ['its name is m, not n', { subject: { ...has.subject, commonName: 'm' } }],
    ['it lacks the organizations o, p', { subject: { ...has.subject, organizations: [] } }],
    ['it lacks the DNS names a', { dnsNames: ['b'] }],
    ['it lacks the DNS names a, b', { dnsNames: [], ipAddresses: [] }],
    ['it lacks the IP addresses 10.0.0.1', { ipAddresses: ['10.0.0.2'] }],
  ])('is, for a template: %j', (lack, part) => {
    expect(unsatisfied(template, { ...has, ...part } as unknown as Certificate)).toBe(lack);
  });

  it('is nothing that a node is not named for', () => {
    expect(nodeTemplate('n1')).toEqual({
      ...{ commonName: 'system:node:n1', organizations: ['system:nodes'], dnsNames: [], ipAddresses: [] },
    });
  });

  it('is asked anew when the template is another one', () => {
    expect(sameTemplate(template, { ...template })).toBe(true);
    expect(sameTemplate(undefined, undefined)).toBe(true);
    expect(sameTemplate(template, undefined)).toBe(false);
    expect(sameTemplate(template, { ...template, dnsNames: ['a'] })).toBe(false);
  });

  it('is due between 70 and 90 % of the lifetime', () => {
    const at = (chance: number): number =>
      rotationDeadline({ notBeforeMs: 1_000, notAfterMs: 2_000 }, { next: () => chance, hex: () => '' });
    expect([at(0), at(0.5), at(1)]).toEqual([1_700, 1_800, 1_900]);
  });

  it('shows in some answers that the server is well', () => {
    const codes = ['unauthenticated', 'not-found', 'permission-denied', 'unavailable', 'internal'] as const;
    expect(codes.map((code) => showsHealthyServer(new KubeletError('x', { code })))).toEqual([
      ...[true, true, true, false, false],
    ]);
  });

  it.each<[RequestState, string | undefined]>([
    [{ phase: 'idle' }, undefined],
    [{ phase: 'no-template', reason: 'r' }, 'no c is asked for yet: r'],
    [{ phase: 'asking' }, 'the c is being asked for'],
    [{ phase: 'pending', csr: 'x' }, 'the request x for the c waits for approval: kubectl certificate approve x'],
    [
      { phase: 'approved', csr: 'x' },
      'the request x for the c is approved, the signer has not issued the certificate yet',
    ],
    [{ phase: 'failed', reason: 'r' }, 'the last request for the c failed and is made again: r'],
  ])('is told: %j', (state, text) => {
    expect(describeRequestState('c', state)).toBe(text);
  });
});

describe('a certificate signing request', () => {
  const { signal } = new AbortController();
  const nowMs = Date.UTC(2026, 0, 1);
  const made = (commonName: string, privateKey = authorityKey): string =>
    createCertificateRequest({ subject: { commonName }, privateKey });
  const mine = made('system:node:n1');
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const issued = (notAfterMs: number): string =>
    createSelfSignedCertificate({
      ...{ subject: { commonName: 'x' }, privateKey: authorityKey, usages: ['digital signature'] as const },
      ...{ notBeforeMs: nowMs - 1_000_000, notAfterMs },
    });
  const answer = (code: 'not-found' | 'already-exists' | 'permission-denied'): KubeletError =>
    new KubeletError(`server: ${code}`, { code, reason: 'Why' });

  interface Server {
    readonly create?: readonly KubeletError[];
    readonly found?: Partial<CertificateSigningRequest> | KubeletError;
  }
  function submitTo({ create = [], found = {} }: Server, name?: string) {
    const sent: [version: string, what: string | { apiVersion?: string }, options: object][] = [];
    const faults = [...create];
    const client = {
      create: async (resource: { version: string }, object: { apiVersion?: string }, options: object) => {
        sent.push([resource.version, object, options]);
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
        return { metadata: { name: name ?? 'csr-1', uid: 'u1' } };
      },
      get: async (resource: { version: string }, { name: asked }: { name: string }, options: object) => {
        sent.push([resource.version, asked, options]);
        if (found instanceof KubeletError) throw found;
        return found;
      },
    } as unknown as Pick<KubeClient, 'create' | 'get'>;
    const logger = createMemoryLogger(2);
    const options = { request: mine, signerName: 's', usages: ['client auth'], ...(name !== undefined && { name }) };
    const submitted = submitRequest(client, options, { clock: { now: () => nowMs }, logger }, signal);
    return { submitted, sent, logger };
  }
  const same = (part: object = {}, status?: object): Partial<CertificateSigningRequest> =>
    ({ metadata: { uid: 'u2' }, spec: { request: base64(mine), signerName: 's', ...part }, status }) as never;

  it('is created with a name that the server makes up, or with the one given', async () => {
    const spec = { request: base64(mine), signerName: 's', usages: ['client auth'] };
    const object = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', spec };
    const { submitted, sent, logger } = submitTo({});
    expect(await submitted).toEqual({ name: 'csr-1', uid: 'u1', resource: certificateSigningRequests });
    expect(sent).toEqual([['v1', { ...object, metadata: { generateName: 'csr-' } }, { signal }]]);
    expect(logger.entries).toMatchObject([
      { message: 'Certificate signing request created', fields: { csr: 'csr-1' } },
    ]);
    const named = submitTo({}, 'node-1');
    expect(await named.submitted).toMatchObject({ name: 'node-1' });
    expect(named.sent).toEqual([['v1', { ...object, metadata: { name: 'node-1' } }, { signal }]]);
  });

  it('is created in an older version where the server lacks the newer', async () => {
    const { submitted, sent } = submitTo({ create: [answer('not-found')] });
    expect((await submitted).resource.version).toBe('v1beta1');
    expect(sent.map(([version, what]) => [version, typeof what === 'string' ? what : what.apiVersion])).toEqual([
      ['v1', 'certificates.k8s.io/v1'],
      ['v1beta1', 'certificates.k8s.io/v1beta1'],
    ]);
  });

  it.each<[string, Server, string | undefined, object]>([
    [
      'that may not be made',
      { create: [answer('permission-denied')] },
      'a',
      { code: 'permission-denied', reason: 'Why' },
    ],
    [
      'that is there, though nobody chose its name',
      { create: [answer('already-exists')] },
      undefined,
      { code: 'already-exists' },
    ],
    ['that no version has', { create: [answer('not-found'), answer('not-found')] }, 'a', { code: 'not-found' }],
  ])('%s is refused', async (_name, server, name, error) => {
    await expect(submitTo(server, name).submitted).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot create certificate signing request: server: /),
      ...error,
    });
  });

  it('that is there already goes on', async () => {
    const taken = { create: [answer('already-exists')] };
    for (const found of [same(), same({}, { certificate: base64(issued(nowMs)) })]) {
      const { submitted, sent, logger } = submitTo({ ...taken, found }, 'a');
      expect(await submitted).toEqual({ name: 'a', uid: 'u2', resource: certificateSigningRequests });
      expect(sent[1]).toEqual(['v1', 'a', { signal }]);
      expect(logger.messages('info')).toEqual(['csr for this node already exists, reusing']);
    }
    const other = made('other');
    const subject = (name: string): string => JSON.stringify({ commonName: name, organizations: [] });
    for (const [found, fault] of [
      [
        same({ request: base64(other) }),
        `csr subjects differ: new: ${subject('other')}, orig: ${subject('system:node:n1')}`,
      ],
      [same({ signerName: 't' }), 'csr signerNames differ: new "t", orig: "s"'],
      [
        same({ request: base64(made('system:node:n1', await generatePrivateKey())) }),
        'error validating signature new CSR against old key',
      ],
      [
        same({}, { certificate: base64(issued(nowMs + 1_000) + issued(nowMs - 1_000)) }),
        'one of the certificates for the CSR has expired: 2025-12-31T23:59:59.000Z',
      ],
    ] as const)
      await expect(submitTo({ ...taken, found }, 'a').submitted).rejects.toMatchObject({
        ...{ code: 'failed-precondition', message: `retrieved csr is not compatible: ${fault}` },
      });
    await expect(submitTo({ ...taken, found: answer('not-found') }, 'a').submitted).rejects.toMatchObject({
      ...{ code: 'not-found', message: 'cannot retrieve certificate signing request: server: not-found' },
    });
  });

  type Change = InformerChange<CertificateSigningRequest>;
  function waiting(abort = new AbortController()) {
    const events: string[] = [];
    let listener: (change: Change) => void = () => undefined;
    const informer = {
      watch: (given: typeof listener) => {
        listener = given;
        return () => void events.push('unwatch');
      },
      start: () => void events.push('start'),
      stop: async () => void events.push('stop'),
    } as unknown as Informer<CertificateSigningRequest>;
    const inform = (_resource: unknown, { fieldSelector = '' } = {}): typeof informer => {
      events.push(fieldSelector);
      return informer;
    };
    const submitted = { name: 'a', uid: 'u', resource: certificateSigningRequests };
    const chain = awaitCertificate(
      { inform } as unknown as Pick<KubeClient, 'inform'>,
      submitted,
      abort.signal,
      (phase) => events.push(phase),
    );
    const see = (status?: object, uid = 'u'): void =>
      listener({ type: 'added', object: { metadata: { uid }, spec: {}, status } as never });
    return { chain, see, events, tell: (change: Change) => listener(change), abort };
  }
  const condition = (type: string, part: object = {}): object => ({
    conditions: [{ type: 'Other' }, { type, ...part }],
  });

  it('is waited for until it is approved and signed', async () => {
    const { chain, see, events, tell } = waiting();
    tell({ type: 'replaced' });
    see();
    see({ certificate: base64('early') });
    see({ conditions: [{ type: 'Other' }], certificate: base64('early') });
    see(condition('Approved'));
    see({ ...condition('Approved'), certificate: base64('chain') });
    expect(await chain).toBe('chain');
    expect(events).toEqual(['metadata.name=a', 'start', ...Array(3).fill('pending'), 'approved', 'unwatch', 'stop']);
  });

  it.each<[string, (of: ReturnType<typeof waiting>) => void, object]>([
    [
      'it is denied',
      ({ see }) => see(condition('Denied', { reason: 'No', message: 'not you' })),
      { code: 'permission-denied', message: 'certificate signing request is denied, reason: No, message: not you' },
    ],
    [
      'the signer fails',
      ({ see }) => see(condition('Failed')),
      { code: 'failed-precondition', message: 'certificate signing request failed, reason: , message: ' },
    ],
    ['another takes its name', ({ see }) => see({}, 'v'), { code: 'not-found', message: 'csr "a" changed UIDs' }],
    [
      'it is deleted',
      ({ tell }) => tell({ type: 'deleted', object: { metadata: { uid: 'u' } } as never }),
      { code: 'not-found', message: 'csr "a" was deleted' },
    ],
    ['nobody waits any more', ({ abort }) => abort.abort(new Error('enough')), { message: 'enough' }],
  ])('is given up when %s', async (_name, end, error) => {
    const wait = waiting();
    end(wait);
    await expect(wait.chain).rejects.toMatchObject(error);
    expect(wait.events).toEqual(['metadata.name=a', 'start', 'unwatch', 'stop']);
  });

  it('is not even watched when nobody waits', async () => {
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    const { chain, events } = waiting(abort);
    await expect(chain).rejects.toThrow('enough');
    expect(events).toEqual(['metadata.name=a', 'stop']);
  });
});
