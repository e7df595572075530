import { createPublicKey, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode, messageOf } from '@podwright/errors';
import {
  derBitString,
  derBoolean,
  derExplicit,
  derImplicit,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  derSet,
  derTime,
  derValue,
} from '../der/der-encode.js';
import { encodeExtension, extensionOids } from '../extensions.js';
import { formatPem } from '../pem.js';
import { generatePrivateKey, readPrivateKey } from '../private-key.js';
import { signatureAlgorithm } from '../signature.js';
import { encodeSubject } from '../subject.js';
import { encodeUsages } from '../usages.js';
import { readChainCertificate, type ChainCertificate } from './chain-certificate.js';
import { commonName } from './name-of.js';
import { signatureFault } from './signature-fault.js';
import { maxSignatureChecks, verifyChain } from './verify-chain.js';

const day = 86_400_000;
const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const clientAuth = '1.3.6.1.5.5.7.3.2';

interface Made {
  readonly name: string;
  readonly issuer?: string;
  /** Index into the keys; the certificate's own, and the one that signs. */
  readonly key?: number;
  readonly signer?: number;
  readonly from?: number;
  readonly until?: number;
  readonly usages?: readonly string[];
  /** `none` leaves the basic constraints out. */
  readonly authority?: boolean | 'none';
  readonly pathLength?: number;
  readonly extensions?: readonly Buffer[];
  readonly algorithm?: Buffer;
  readonly subject?: Buffer;
  /** Of version 1, which has no extensions. */
  readonly old?: boolean;
  /** Has the issuer's unique identifier before its extensions, which nobody uses any more. */
  readonly uniqueId?: boolean;
}

let keys: readonly string[] = [];
beforeAll(async () => {
  keys = await Promise.all([1, 2, 3, 4, 5].map(() => generatePrivateKey()));
});
const keyAt = (index: number): string => keys[index] ?? '';

/** A certificate with anything in it, in DER. Key 0 is the root's, 1 and 2 those of authorities below, 3 the leaf's. */
function made(of: Made): Buffer {
  const { name, issuer = name, key = 0, signer = key, authority = false, usages = [] } = of;
  const signing = readPrivateKey(keyAt(signer));
  const { keyUsage, extended } = encodeUsages(usages);
  const constraints = derSequence(
    ...(authority === true ? [derBoolean(true)] : []),
    ...(of.pathLength === undefined ? [] : [derInteger(Buffer.from([of.pathLength]))]),
  );
  const content = derSequence(
    ...(of.old === true ? [] : [derExplicit(0, derInteger(Buffer.from([2])))]),
    derInteger(Buffer.from([7])),
    of.algorithm ?? signatureAlgorithm(signing),
    encodeSubject({ commonName: issuer }),
    derSequence(derTime(of.from ?? nowMs - day), derTime(of.until ?? nowMs + day)),
    of.subject ?? encodeSubject({ commonName: name }),
    createPublicKey(keyAt(key)).export({ type: 'spki', format: 'der' }),
    ...(of.uniqueId === true ? [derImplicit(1, Buffer.from([0, 0xff]))] : []),
    ...(of.old === true
      ? []
      : [
          derExplicit(
            3,
            derSequence(
              ...(keyUsage === undefined ? [] : [encodeExtension(extensionOids.keyUsage, keyUsage, true)]),
              ...(extended === undefined ? [] : [encodeExtension(extensionOids.extendedKeyUsage, extended)]),
              ...(authority === 'none' ? [] : [encodeExtension(extensionOids.basicConstraints, constraints, true)]),
              ...(of.extensions ?? []),
            ),
          ),
        ]),
  );
  return derSequence(
    content,
    of.algorithm ?? signatureAlgorithm(signing),
    derBitString(sign('sha256', content, signing)),
  );
}

const certificate = (of: Made): ChainCertificate => readChainCertificate(made(of));
const root = (over: Partial<Made> = {}): ChainCertificate =>
  certificate({ name: 'root', authority: true, usages: ['cert sign'], ...over });
const middle = (over: Partial<Made> = {}): ChainCertificate =>
  certificate({ name: 'middle', issuer: 'root', key: 1, signer: 0, authority: true, ...over });
const leaf = (over: Partial<Made> = {}): ChainCertificate =>
  certificate({ name: 'jane', issuer: 'root', key: 3, signer: 0, usages: ['client auth'], ...over });

/** `ok`, or what Go says. */
function verdict(
  certificateOfLeaf: ChainCertificate,
  roots: readonly ChainCertificate[],
  intermediates: readonly ChainCertificate[] = [],
): string {
  try {
    const chain = verifyChain(certificateOfLeaf, { roots, intermediates, nowMs, usageOid: clientAuth });
    expect(chain[0]).toBe(certificateOfLeaf);
    return 'ok';
  } catch (error) {
    expect(hasCode(error, 'unauthenticated')).toBe(true);
    return messageOf(error);
  }
}

const nameConstraints = encodeExtension(
  extensionOids.nameConstraints,
  derSequence(derExplicit(0, derSequence())),
  true,
);
const mail = encodeExtension(extensionOids.alternativeNames, derSequence(derImplicit(1, Buffer.from('a@b'))));
const strange = (critical: boolean): Buffer => encodeExtension('1.2.3.4', derOctetString(Buffer.from('x')), critical);

const keyId = (text: string): Buffer => encodeExtension(extensionOids.subjectKeyId, derOctetString(Buffer.from(text)));
const authorityKeyId = (text: string): Buffer =>
  encodeExtension(extensionOids.authorityKeyId, derSequence(derImplicit(0, Buffer.from(text))));

type Case = readonly [name: string, expected: string | RegExp, of: () => Parameters<typeof verdict>];

const cases: readonly Case[] = [
  ['signed by the root', 'ok', () => [leaf(), [root()]]],
  ['the root among others', 'ok', () => [leaf(), [root({ name: 'other', key: 2 }), root()]]],
  ['without any extended usage', 'ok', () => [leaf({ usages: ['digital signature'] }), [root()]]],
  ['for clients and servers', 'ok', () => [leaf({ usages: ['client auth', 'server auth'] }), [root()]]],
  [
    'an authority that signed itself, which the client sends',
    'x509: certificate signed by unknown authority',
    () => [leaf({ issuer: 'other', signer: 2 }), [root()], [root({ name: 'other', key: 2 })]],
  ],
  ['for any usage', 'ok', () => [leaf({ usages: ['any'] }), [root()]]],
  [
    'trusted itself',
    'ok',
    () => {
      const own = leaf({ issuer: 'jane', signer: 3 });
      return [own, [readChainCertificate(Buffer.from(own.der))]];
    },
  ],
  ['an intermediate that the client sends', 'ok', () => [leaf({ issuer: 'middle', signer: 1 }), [root()], [middle()]]],
  ['an intermediate that is trusted itself', 'ok', () => [leaf({ issuer: 'middle', signer: 1 }), [middle()]]],
  [
    'two intermediates in the wrong order, and one twice',
    'ok',
    () => {
      const low = certificate({ name: 'low', issuer: 'middle', key: 2, signer: 1, authority: true });
      return [leaf({ issuer: 'low', signer: 2 }), [root()], [middle(), low, low]];
    },
  ],
  [
    'a path length that is just long enough',
    'ok',
    () => [leaf({ issuer: 'middle', signer: 1 }), [root({ pathLength: 1 })], [middle({ pathLength: 0 })]],
  ],
  ['an extension nobody knows, not critical', 'ok', () => [leaf({ extensions: [strange(false)] }), [root()]]],
  ['an authority with constraints, no names', 'ok', () => [leaf(), [root({ extensions: [nameConstraints] })]]],
  [
    'a server certificate',
    'x509: certificate specifies an incompatible key usage',
    () => [leaf({ usages: ['server auth'] }), [root()]],
  ],
  [
    'an authority for servers only',
    'x509: certificate specifies an incompatible key usage',
    () => [leaf(), [root({ usages: ['cert sign', 'server auth'] })]],
  ],
  ['no authority at all', 'x509: certificate signed by unknown authority', () => [leaf(), []]],
  [
    'an authority of another name',
    'x509: certificate signed by unknown authority',
    () => [leaf(), [root({ name: 'other' })]],
  ],
  [
    'an authority of the same name',
    /^x509: certificate signed by unknown authority \(possibly because of "x509: the signature .* "root"\)$/,
    () => [leaf(), [root({ key: 2 })]],
  ],
  [
    'signed by itself',
    'x509: certificate signed by unknown authority',
    () => [leaf({ issuer: 'jane', signer: 3 }), [root()]],
  ],
  [
    'expired',
    'x509: certificate has expired or is not yet valid: current time 2026-01-02T03:04:05Z is after 2026-01-02T03:04:04Z',
    () => [leaf({ until: nowMs - 1000 }), [root()]],
  ],
  [
    'not valid yet',
    'x509: certificate has expired or is not yet valid: current time 2026-01-02T03:04:05Z is before 2026-01-02T03:04:06Z',
    () => [leaf({ from: nowMs + 1000 }), [root()]],
  ],
  ['valid until this second', 'ok', () => [leaf({ until: nowMs }), [root()]]],
  ['valid from this second', 'ok', () => [leaf({ from: nowMs }), [root()]]],
  ['an authority without key usage', 'ok', () => [leaf(), [root({ usages: [] })]]],
  ['an authority of version 1', 'ok', () => [leaf(), [root({ old: true })]]],
  ['an authority for any usage', 'ok', () => [leaf(), [root({ usages: ['cert sign', 'any'] })]]],
  [
    'an intermediate of version 1',
    /certificate is not authorized to sign other certificates/,
    () => [leaf({ issuer: 'middle', signer: 1 }), [root()], [middle({ old: true })]],
  ],
  [
    'an expired authority beside a good one of the same name and key',
    'ok',
    () => [leaf(), [root({ until: nowMs - 1000 }), root()]],
  ],
  [
    'two ways, one of them for servers only',
    'ok',
    () => [
      leaf({ issuer: 'middle', signer: 1 }),
      [root()],
      [middle({ usages: ['cert sign', 'server auth'] }), middle({ usages: ['cert sign', 'client auth'] })],
    ],
  ],
  [
    'names of an authority with constraints that is below one without',
    /^x509: a root or intermediate certificate is not authorized to sign for this name/,
    () => [leaf({ issuer: 'middle', signer: 1 }), [root()], [middle({ extensions: [nameConstraints, mail] })]],
  ],
  ['names below an authority without constraints', 'ok', () => [leaf({ extensions: [mail] }), [root()]]],
  ['constraints of the leaf itself', 'ok', () => [leaf({ extensions: [nameConstraints, mail] }), [root()]]],
  ['an expired authority', /^x509: certificate has expired/, () => [leaf(), [root({ until: nowMs - 1000 })]]],
  [
    'an expired intermediate',
    /^x509: certificate has expired/,
    () => [leaf({ issuer: 'middle', signer: 1 }), [root()], [middle({ until: nowMs - 1000 })]],
  ],
  [
    'signed by a leaf',
    /cannot sign this kind of certificate/,
    () => [leaf({ issuer: 'middle', signer: 1 }), [root()], [middle({ authority: false })]],
  ],
  [
    'signed by what does not say that it is an authority',
    /cannot sign this kind of certificate/,
    () => [leaf({ issuer: 'middle', signer: 1 }), [root()], [middle({ authority: 'none' })]],
  ],
  [
    'an authority whose key is for other things',
    /cannot sign this kind of certificate/,
    () => [leaf(), [root({ usages: ['crl sign'] })]],
  ],
  [
    'too many intermediates',
    'x509: too many intermediates for path length constraint',
    () => [leaf({ issuer: 'middle', signer: 1 }), [root({ pathLength: 0 })], [middle()]],
  ],
  [
    'a critical extension',
    'x509: unhandled critical extension',
    () => [leaf({ extensions: [strange(true)] }), [root()]],
  ],
  [
    'a critical extension of the authority',
    'x509: unhandled critical extension',
    () => [leaf(), [root({ extensions: [strange(true)] })]],
  ],
  [
    'names below an authority with constraints',
    /^x509: a root or intermediate certificate is not authorized to sign for this name/,
    () => [leaf({ extensions: [mail] }), [root({ extensions: [nameConstraints] })]],
  ],
  [
    'an algorithm that is broken',
    /insecure algorithm 1\.2\.840\.10045\.4\.1/,
    () => [leaf({ algorithm: derSequence(derOid('1.2.840.10045.4.1')) }), [root()]],
  ],
];

describe('a chain of certificates', () => {
  it.each(cases)('%s: %s', (_name, expected, of) => {
    const said = verdict(...of());
    if (typeof expected === 'string') expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  it.each([
    ['the one with the right key id', ['other', undefined, 'right'], 'right', 'right'],
    ['one without a key id before a wrong one', ['other', undefined], 'right', undefined],
    ['one without a key id, where the child names none', ['right', undefined], undefined, undefined],
  ] as const)('is built with %s first', (_name, ids, wanted, first) => {
    const roots = ids.map((id) => root(id === undefined ? {} : { extensions: [keyId(id)] }));
    const child = leaf(wanted === undefined ? {} : { extensions: [authorityKeyId(wanted)] });
    const chain = verifyChain(child, { roots, intermediates: [], nowMs, usageOid: clientAuth });
    expect(chain[1]?.subjectKeyId?.toString()).toBe(first);
  });

  it('ends when somebody made it to be expensive', () => {
    // Authorities of one name and key that sign each other: ever more ways, and none to the root.
    const loop = Array.from({ length: 30 }, (_unused, index) =>
      certificate({ name: 'loop', issuer: 'loop', key: 1, authority: true, until: nowMs + (index + 1) * 1000 }),
    );
    const before = loop.map((one) => one.parsed.verify.bind(one.parsed));
    let checks = 0;
    for (const [index, one] of loop.entries()) {
      Object.defineProperty(one.parsed, 'verify', {
        value: (...of: Parameters<typeof one.parsed.verify>) => {
          checks++;
          return before[index]?.(...of);
        },
      });
    }
    expect(verdict(leaf({ issuer: 'loop', signer: 1 }), [root()], loop)).toBe(
      'x509: signature check attempts limit reached while verifying certificate chain',
    );
    expect(checks).toBeLessThanOrEqual(maxSignatureChecks);
  });
});

describe('a certificate of a chain', () => {
  it('says what decides, and all attributes of its subject', () => {
    const uid = derSequence(derOid('1.3.6.1.4.1.57683.2'), derValue(0x0c, Buffer.from('id-1')));
    const cn = derSequence(derOid('2.5.4.3'), derValue(0x1e, Buffer.from('jane', 'utf16le').swap16()));
    const subject = derSequence(derSet(cn), derSet(uid));
    expect(root({ subject, pathLength: 3 })).toMatchObject({
      subject: [
        { oid: '2.5.4.3', value: 'jane' },
        { oid: '1.3.6.1.4.1.57683.2', value: 'id-1' },
      ],
      serial: 7n,
      version: 3,
      authority: true,
      maxPathLength: 3,
      maySign: true,
      notBeforeMs: nowMs - day,
      notAfterMs: nowMs + day,
      extendedUsages: undefined,
      unhandledCritical: false,
    });
  });

  it('says what only some have', () => {
    const plain = leaf({ usages: ['client auth', 'server auth'] });
    expect(plain).toMatchObject({
      ...{ authority: false, maxPathLength: undefined, subjectKeyId: undefined, authorityKeyId: undefined },
      ...{ hasAlternativeNames: false, hasNameConstraints: false, extendedUsages: [clientAuth, '1.3.6.1.5.5.7.3.1'] },
      signatureAlgorithm: { oid: '1.2.840.10045.4.3.2', hashOid: undefined },
    });
    expect(leaf({ extensions: [keyId('own'), authorityKeyId('above'), mail, nameConstraints] })).toMatchObject({
      ...{ subjectKeyId: Buffer.from('own'), authorityKeyId: Buffer.from('above') },
      ...{ hasAlternativeNames: true, hasNameConstraints: true },
    });
    expect(leaf({ authority: 'none' })).toMatchObject({ authority: undefined, maxPathLength: undefined });
    expect(leaf({ pathLength: 1 })).toMatchObject({ authority: false, maxPathLength: 1 });
    const says = (authority: boolean): Buffer =>
      encodeExtension(extensionOids.basicConstraints, derSequence(derBoolean(authority)));
    for (const authority of [true, false])
      expect(leaf({ authority: 'none', extensions: [says(authority)] })).toMatchObject({ authority });
    const bySerial = encodeExtension(extensionOids.authorityKeyId, derSequence(derImplicit(2, Buffer.from([7]))));
    expect(leaf({ extensions: [bySerial] }).authorityKeyId).toBeUndefined();
    expect(leaf({ uniqueId: true })).toMatchObject({ authority: false, extendedUsages: [clientAuth] });
    expect(leaf({ usages: ['digital signature'] }).maySign).toBe(false);
    expect(leaf({ old: true })).toMatchObject({ version: 1, authority: undefined, maySign: true, serial: 7n });
    const pss = (...parameters: Buffer[]): Buffer => derSequence(derOid('1.2.840.113549.1.1.10'), ...parameters);
    const sha256 = derExplicit(0, derSequence(derOid('2.16.840.1.101.3.4.2.1')));
    const salt = derExplicit(2, derInteger(Buffer.from([32])));
    const rsa = derSequence(derOid('1.2.840.113549.1.1.11'), derNull());
    expect(leaf({ algorithm: rsa }).signatureAlgorithm).toEqual({ oid: '1.2.840.113549.1.1.11', hashOid: undefined });
    for (const [algorithm, hashOid] of [
      [pss(derSequence(salt, sha256)), '2.16.840.1.101.3.4.2.1'],
      [pss(derSequence(salt)), undefined],
      [pss(), undefined],
    ] as const)
      expect(leaf({ algorithm }).signatureAlgorithm).toEqual({ oid: '1.2.840.113549.1.1.10', hashOid });
  });

  it('is named by its common name, else its first organization, else its number', () => {
    const [cn, o] = ['2.5.4.3', '2.5.4.10'];
    const name = (...subject: (readonly [string, string])[]): string =>
      commonName({ serial: 7n, subject: subject.map(([oid, value]) => ({ oid, value })) });
    expect([
      name([o, 'org'], [cn, 'a'], [cn, 'b'], ['1.2', 'x']),
      name([o, 'one'], [o, 'two']),
      name(['1.2', 'x']),
    ]).toEqual(['b', 'one', 'serial:7']);
    expect(name([cn, ''], [o, 'one'])).toBe('one');
  });

  const text = (tag: number, bytes: Buffer): Buffer =>
    derSequence(derSet(derSequence(derOid('2.5.4.3'), derValue(tag, bytes))));
  it.each<[string, () => Uint8Array]>([
    ['nothing', () => Buffer.alloc(0)],
    ['half of one', () => made({ name: 'a' }).subarray(0, 100)],
    ['one with something behind it', () => Buffer.concat([made({ name: 'a' }), Buffer.from([5, 0])])],
    ['PEM', () => Buffer.from(formatPem('CERTIFICATE', made({ name: 'a' })))],
    ['an extension twice', () => made({ name: 'a', extensions: [strange(false), strange(false)] })],
    ['a name that is no UTF-8', () => made({ name: 'a', subject: text(0x0c, Buffer.from([0xff, 0xfe])) })],
    ['half a character', () => made({ name: 'a', subject: text(0x1e, Buffer.from([0, 0x61, 0])) })],
    ['a name that is a number', () => made({ name: 'a', subject: text(0x02, Buffer.from([1])) })],
  ])('is not %s', (_name, bytes) => {
    let caught: unknown;
    try {
      readChainCertificate(bytes());
    } catch (error) {
      caught = error;
    }
    expect(hasCode(caught, 'invalid-argument')).toBe(true);
  });
});

describe('a signature', () => {
  interface Given {
    readonly oid?: string;
    readonly hashOid?: string;
    readonly key?: { readonly asymmetricKeyType: string; readonly asymmetricKeyDetails?: { modulusLength: number } };
    readonly parent?: Partial<ChainCertificate>;
    readonly verify?: () => boolean;
  }
  function faultOf({
    oid = '1.2.840.10045.4.3.2',
    hashOid,
    key,
    parent,
    verify = () => true,
  }: Given): string | undefined {
    const publicKey = key ?? { asymmetricKeyType: 'ec' };
    const by = { authority: true, version: 3, maySign: true, parsed: { publicKey }, ...parent };
    const of = {
      signatureAlgorithm: { oid, hashOid },
      parsed: { verify: (by: unknown) => by === publicKey && verify() },
    };
    return signatureFault(of as unknown as ChainCertificate, by as unknown as ChainCertificate);
  }
  const rsa = (modulusLength: number): Given => ({
    key: { asymmetricKeyType: 'rsa', asymmetricKeyDetails: { modulusLength } },
  });
  const cannotSign = 'invalid signature: parent certificate cannot sign this kind of certificate';
  const pss = '1.2.840.113549.1.1.10';

  it.each([
    ...['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.12', '1.2.840.113549.1.1.13', '1.2.840.10045.4.3.2'],
    ...['1.2.840.10045.4.3.3', '1.2.840.10045.4.3.4', '1.3.101.112'],
  ])('is good by the algorithm %s', (oid) => {
    expect(faultOf({ oid })).toBeUndefined();
  });

  it.each(['1.2.840.113549.1.1.4', '1.2.840.113549.1.1.5', '1.2.840.10045.4.1', pss, ''])(
    'is refused by the algorithm %j',
    (oid) => {
      expect(faultOf({ oid })).toBe(`cannot verify signature: insecure algorithm ${oid}`);
    },
  );

  it.each<[string, Given, string | undefined]>([
    ...['2.16.840.1.101.3.4.2.1', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3'].map(
      (hashOid): [string, Given, undefined] => [`PSS with ${hashOid}`, { oid: pss, hashOid }, undefined],
    ),
    ['PSS with SHA-1', { oid: pss, hashOid: '1.3.14.3.2.26' }, `cannot verify signature: insecure algorithm ${pss}`],
    [
      'PSS with no hash that has a name',
      { oid: pss, hashOid: '' },
      `cannot verify signature: insecure algorithm ${pss}`,
    ],
    ['a long RSA key', rsa(1024), undefined],
    ['a short RSA key', rsa(1023), 'crypto/rsa: keys of less than 1024 bits are insecure'],
    [
      'an RSA key of unknown length',
      { key: { asymmetricKeyType: 'rsa' } },
      'crypto/rsa: keys of less than 1024 bits are insecure',
    ],
    ['a short key of another kind', { key: { ...rsa(10).key, asymmetricKeyType: 'ec' } }, undefined],
    ['another key', { verify: () => false }, 'the signature is not by the key of the parent certificate'],
    [
      'a key that OpenSSL does not know',
      {
        verify: () => {
          throw new Error('unsupported');
        },
      },
      'cannot verify signature: unsupported',
    ],
    ['no authority', { parent: { authority: false } }, cannotSign],
    ['no authority of version 1', { parent: { authority: false, version: 1 } }, cannotSign],
    ['what does not say that it is one', { parent: { authority: undefined } }, cannotSign],
    ['what cannot say that it is one', { parent: { authority: undefined, version: 1 } }, undefined],
    ['an authority whose key is for other things', { parent: { maySign: false } }, cannotSign],
  ])('by %s', (_name, given, fault) => {
    expect(faultOf(given)).toBe(fault);
  });
});
