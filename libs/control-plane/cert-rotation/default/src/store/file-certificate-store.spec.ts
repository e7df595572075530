import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { createSelfSignedCertificate, generatePrivateKey } from '@podwright/x509';
import { FileCertificateStore } from './file-certificate-store.js';

const yearMs = 365 * 86_400_000;
// Local time, as in the names of the files.
const startMs = new Date(2026, 2, 4, 5, 6, 7).getTime();
const names = ['2026-03-04-05-06-07', '2026-03-04-05-06-08'] as const;

let folder = '';
let directory = '';
let keys: readonly string[] = [];
// Kept: each signing gives another certificate.
const signed = new Map<string, string>();
function certificate(index: number, name = 'a'): string {
  const made =
    signed.get(`${index} ${name}`) ??
    createSelfSignedCertificate({
      subject: { commonName: name },
      privateKey: keys[index] ?? '',
      usages: ['digital signature'],
      notBeforeMs: startMs,
      notAfterMs: startMs + yearMs,
    });
  signed.set(`${index} ${name}`, made);
  return made;
}

beforeAll(async () => {
  keys = [await generatePrivateKey(), await generatePrivateKey()];
  signed.clear();
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-'));
  directory = path.join(folder, 'pki');
});
const made: string[] = [];
beforeEach(() => void made.push(folder));
afterAll(async () => {
  await Promise.all(made.map((one) => rm(one, { recursive: true, force: true })));
});

const clock = new VirtualClock({ startMs });
const logger = createMemoryLogger();
beforeEach(() => logger.clear());
const store = (options: { certFile?: string; keyFile?: string } = {}): FileCertificateStore =>
  new FileCertificateStore(clock, logger, { prefix: 'kubelet-client', directory, ...options });
const file = (qualifier: string): string => path.join(directory, `kubelet-client-${qualifier}.pem`);

describe('FileCertificateStore', () => {
  it('has nothing at first, and makes no folder for that', async () => {
    await store().recover();
    expect(await store().load()).toBeUndefined();
    expect(await store({ certFile: file('given') }).load()).toBeUndefined();
    expect(logger.entries).toEqual([]);
    await expect(stat(directory)).rejects.toThrow('ENOENT');
  });

  it('stores a pair in one file that only the owner reads, and links to it by its whole path', async () => {
    clock.setWallClock(startMs);
    const saved = await store().save(certificate(0) + certificate(1, 'issuer'), keys[0] ?? '');
    expect((await readdir(directory)).sort()).toEqual([`kubelet-client-${names[0]}.pem`, 'kubelet-client-current.pem']);
    expect((await stat(file(names[0]))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o755);
    expect(await readlink(file('current'))).toBe(file(names[0]));
    expect(await readFile(file('current'), 'utf8')).toBe(certificate(0) + certificate(1, 'issuer') + (keys[0] ?? ''));
    expect(await store().load()).toEqual(saved);
    expect(saved).toMatchObject({ notBeforeMs: startMs, notAfterMs: startMs + yearMs });
    expect(store().currentPath).toBe(file('current'));
  });

  it('keeps old files when the next pair comes', async () => {
    clock.setWallClock(startMs);
    await store().save(certificate(0), keys[0] ?? '');
    clock.setWallClock(startMs + 1000);
    await store().save(certificate(1), keys[1] ?? '');
    expect(await readlink(file('current'))).toBe(file(names[1]));
    expect((await store().load())?.certificate).toBe(certificate(1));
    expect(await readdir(directory)).toHaveLength(3);
  });

  it.each([
    ['a key of another certificate', 'private key does not match', () => [certificate(1), keys[0] ?? ''] as const],
    ['no certificate', 'no PEM block', () => ['nothing', keys[0] ?? ''] as const],
    ['no key', 'no PEM block of a private key', () => [certificate(1), ''] as const],
  ])('refuses %s and keeps the old pair', async (_what, message, pair) => {
    clock.setWallClock(startMs);
    await store().save(certificate(0), keys[0] ?? '');
    clock.setWallClock(startMs + 1000);
    await expect(store().save(...pair())).rejects.toMatchObject({
      ...{ code: 'invalid-argument', message: expect.stringContaining(message) },
    });
    expect(await readdir(directory)).toHaveLength(2);
    expect((await store().load())?.certificate).toBe(certificate(0));
  });

  it.each(['current', 'updated'])('does not touch a file in the place of the link %s', async (which) => {
    await mkdir(directory);
    await writeFile(file(which), 'mine');
    const cause = {
      code: 'failed-precondition',
      message: `expected "${file(which)}" to be a symlink but it is a file`,
    };
    clock.setWallClock(startMs);
    await expect(store().save(certificate(0), keys[0] ?? '')).rejects.toMatchObject({
      ...{ code: 'failed-precondition', message: `cannot store the certificate in ${file(names[0])}`, cause },
    });
    expect(await readFile(file(which), 'utf8')).toBe('mine');
  });

  it('replaces a link that a switch left behind', async () => {
    await mkdir(directory);
    await symlink('/nowhere', file('updated'));
    await store().save(certificate(0), keys[0] ?? '');
    expect((await store().load())?.certificate).toBe(certificate(0));
    await expect(stat(file('updated'))).rejects.toThrow('ENOENT');
  });

  it('ends a switch that was cut off between its two last steps', async () => {
    clock.setWallClock(startMs);
    await store().save(certificate(0), keys[0] ?? '');
    await rm(file('current'));
    await symlink(file(names[0]), file('updated'));
    await store().recover();
    expect((await store().load())?.certificate).toBe(certificate(0));
    expect(await readlink(file('current'))).toBe(file(names[0]));
  });

  it('leaves a link in use as it is when a switch was cut off earlier', async () => {
    clock.setWallClock(startMs);
    await store().save(certificate(0), keys[0] ?? '');
    await symlink(file(names[1]), file('updated'));
    await store().recover();
    expect(await readlink(file('current'))).toBe(file(names[0]));
  });

  it('refuses to promote a file', async () => {
    await mkdir(directory);
    await writeFile(file('updated'), 'x');
    await expect(store().recover()).rejects.toThrow('to be a symlink but it is a file');
  });

  it('discards a file that was not written to its end, and no other', async () => {
    clock.setWallClock(startMs);
    await store().save(certificate(0), keys[0] ?? '');
    await writeFile(file(names[1]), certificate(1));
    await writeFile(path.join(directory, 'kubelet-server-2026-03-04-05-06-07.pem'), 'another prefix');
    const others = ['notes', `notes-${names[0]}`, `${names[0]}.pem.old`].map(file);
    for (const other of others) await writeFile(other, 'mine');
    await store().recover();
    const message = 'Removing a certificate file that was not written to its end';
    expect(logger.entries).toMatchObject([{ message, fields: { file: file(names[1]) } }]);
    expect((await readdir(directory)).sort()).toEqual([
      `kubelet-client-${names[0]}.pem`,
      `kubelet-client-${names[0]}.pem.old.pem`,
      'kubelet-client-current.pem',
      `kubelet-client-notes-${names[0]}.pem`,
      'kubelet-client-notes.pem',
      'kubelet-server-2026-03-04-05-06-07.pem',
    ]);
  });

  it('looks at the link first, then at the files given, then at <prefix>.crt and .key', async () => {
    await mkdir(directory);
    const write = async (name: string, index: number): Promise<readonly [string, string]> => {
      const files = [path.join(directory, `${name}.crt`), path.join(directory, `${name}.key`)] as const;
      await writeFile(files[0], certificate(index, name));
      await writeFile(files[1], keys[index] ?? '');
      return files;
    };
    const [certFile, keyFile] = await write('given', 0);
    await write('kubelet-client', 1);
    const nameOf = async (options = {}): Promise<string | undefined> =>
      (await store(options).load())?.leaf.subject.commonName;
    expect(await nameOf()).toBe('kubelet-client');
    expect(await nameOf({ certFile })).toBe('kubelet-client');
    expect(await nameOf({ certFile, keyFile })).toBe('given');
    await store().save(certificate(0, 'stored'), keys[0] ?? '');
    expect(await nameOf({ certFile, keyFile })).toBe('stored');
  });

  it('counts a link to a file that cannot be used as no certificate', async () => {
    await mkdir(directory);
    await writeFile(file(names[0]), certificate(0));
    await symlink(file(names[0]), file('current'));
    expect(await store().load()).toBeUndefined();
    const given = { certFile: file('current'), keyFile: file('current'), error: expect.anything() };
    expect(logger.entries).toMatchObject([{ message: 'A certificate on the disk cannot be used', fields: given }]);
    await chmod(file(names[0]), 0o600);
  });
});
