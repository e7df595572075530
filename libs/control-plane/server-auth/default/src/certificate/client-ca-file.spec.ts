import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { eventually, VirtualClock } from '@podwright/time';
import { TestAuthorities } from '../fixtures/test-authorities.js';
import { ClientCaFile } from './client-ca-file.js';

describe('the client CA file', () => {
  const clock = new VirtualClock();
  let authorities: TestAuthorities;
  let dir = '';
  let file = '';
  const logger = createMemoryLogger(0);
  let change: (name?: string) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  let watches = 0;
  let watchable = true;
  let bundle: ClientCaFile;
  const create = (reload: boolean): ClientCaFile =>
    new ClientCaFile(
      {
        clock,
        logger,
        watchDirectory: (_directory, onChange, onError) => {
          if (!watchable) throw new Error('no inotify');
          watches++;
          change = onChange;
          fail = onError;
          return () => void watches--;
        },
      },
      { file, reload },
    );
  const count = (): number => bundle.current().length;

  beforeEach(async () => {
    authorities = await TestAuthorities.create(clock.now());
    dir = await mkdtemp(path.join(tmpdir(), 'podwright-ca-'));
    file = path.join(dir, 'ca.crt');
    await writeFile(file, authorities.trusted.certificate);
    logger.clear();
    watchable = true;
    bundle = create(true);
    await bundle.start();
    await clock.advance(0);
  });
  afterEach(async () => {
    await bundle.stop();
    await bundle.stop();
    expect([watches, clock.pendingTimers]).toEqual([0, 0]);
    await rm(dir, { recursive: true, force: true });
  });
  const both = (): string => `${authorities.trusted.certificate}\n# the next one\n${authorities.other.certificate}`;

  const fieldsOf = (message: string): unknown => logger.entries.find((entry) => entry.message === message)?.fields;

  it('is read again when it changes', async () => {
    expect([count(), watches]).toEqual([1, 1]);
    expect(fieldsOf('Starting controller')).toEqual({ name: `client-ca-bundle::${file}` });
    await writeFile(file, both());
    change();
    change();
    await clock.advance(0);
    expect(count()).toBe(2);
  });

  it('is looked at each minute, whatever the watch says', async () => {
    await writeFile(file, both());
    await clock.advance(60_000);
    expect(count()).toBe(2);
  });

  it.each([
    ['empty', () => writeFile(file, '')],
    ['broken', () => writeFile(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')],
    ['gone', () => rm(file)],
  ])('that is %s leaves what was before, and is told once', async (_name, spoil) => {
    const before = bundle.current();
    await spoil();
    change();
    await clock.advance(180_000);
    expect(bundle.current()).toBe(before);
    const story = 'The client CA file cannot be used, the authorities before stay trusted';
    expect(logger.messages('error')).toEqual([story]);
    expect(fieldsOf(story)).toEqual({ file, error: expect.anything() });
    await writeFile(file, both());
    change();
    await clock.advance(0);
    expect(count()).toBe(2);
    expect(logger.messages('info').at(-1)).toBe('The client CA file can be used again');
    expect(fieldsOf('The client CA file can be used again')).toMatchObject({ file });
  });

  it('is watched again after the watch broke', async () => {
    fail(new Error('gone'));
    expect(watches).toBe(0);
    watchable = false;
    await clock.advance(60_000);
    expect(watches).toBe(0);
    watchable = true;
    await clock.advance(60_000);
    expect(watches).toBe(1);
    expect(logger.messages('error')).toEqual(['Failed to watch CA file, will retry later']);
    expect(fieldsOf('Failed to watch CA file, will retry later')).toEqual({ error: new Error('gone') });
  });

  it.each([
    ['', /^missing content for CA bundle "client-ca-bundle::.*ca.crt"; name a PEM file .*clientCAFile$/],
    [
      'nothing',
      /^error loading CA bundle for "client-ca-bundle::.*ca.crt": data does not contain any valid .* certificates; name/,
    ],
    [
      '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n',
      /^error loading CA bundle for .*: data does not contain any valid RSA or ECDSA certificates; name/,
    ],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      /^error loading CA bundle for "client-ca-bundle::.*ca.crt": the certificate cannot be read; name/,
    ],
  ])('lets nobody start when it has %j', async (content, message) => {
    await writeFile(file, content);
    const broken = create(true);
    await expect(broken.start()).rejects.toMatchObject({
      ...{ code: 'invalid-argument', message: expect.stringMatching(message) },
    });
    await broken.stop();
  });

  it('is not read again when it is the same, and not after the end', async () => {
    const before = bundle.current();
    change();
    await clock.advance(0);
    expect(bundle.current()).toBe(before);
    await bundle.stop();
    await writeFile(file, both());
    change();
    await clock.advance(0);
    expect(bundle.current()).toBe(before);
  });

  it('is read once only when it is not to be watched', async () => {
    const quiet = create(false);
    await quiet.start();
    await writeFile(file, both());
    await clock.advance(180_000);
    expect(quiet.current()).toHaveLength(1);
    await quiet.stop();
  });

  it('is told of by inotify when another one is renamed into its place', async () => {
    const watching = new ClientCaFile({ clock, logger }, { file, reload: true });
    await watching.start();
    await clock.advance(0);
    await writeFile(path.join(dir, 'new'), both());
    await rename(path.join(dir, 'new'), file);
    await eventually(() => watching.current().length === 2);
    await watching.stop();
  });
});
