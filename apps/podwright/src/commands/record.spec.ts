import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { PodApi } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';

describe('podwright record', () => {
  const api = new PodApi();
  let shell: TestShell;
  let dir: string;
  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    dir = await mkdtemp(path.join(tmpdir(), 'record-'));
    api.answers.set('/recording', ({ url }, response) => response.end(`recorded: ${url}`));
  });
  afterEach(async () => {
    await api.stop();
    await rm(dir, { recursive: true });
  });

  it('names the program that replays the recording', async () => {
    const header = { t: 'recording', version: 2, startedAtMs: 1, facts: { program: 'kubelet-standalone' } };
    const whole = gzipSync(`${JSON.stringify(header)}\n{"t":"end","at":1}\n`);
    api.answers.set('/recording', (_request, response) => response.end(whole));
    const file = path.join(dir, 'a.gz');
    const { out } = await shell.run(`record ${file}`);
    expect(out).toContain(`with: kubelet-standalone replay ${file} --all`);
  });

  it.each([
    ['', '/recording'],
    ['--for=1m30s', '/recording?seconds=90'],
  ])('writes what the kubelet sends to a file of root: %s', async (flags, url) => {
    const file = path.join(dir, 'a.gz');
    const { code, out, err } = await shell.run(`record ${file} ${flags}`.trim());
    expect([code, out, err]).toEqual([0, expect.stringContaining(`kubelet replay ${file}`), '']);
    expect(await readFile(file, 'utf8')).toBe(`recorded: ${url}`);
    expect(api.requests).toMatchObject([{ url, accept: 'application/gzip' }]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['', 'a.gz was not written: ', []],
    // Nobody can ask for it again.
    [' --for=9s', 'a.gz has what came before: ', ['a.gz']],
  ])('says so when the answer breaks off: %s', async (flags, message, files) => {
    api.answers.set('/recording', (_, response) => {
      response.write('half', () => response.destroy());
    });
    const { code, err } = await shell.run(`record ${path.join(dir, 'a.gz')}${flags}`);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(await readdir(dir)).toEqual(files);
  });

  it.each([
    ['', 1, []],
    [' --for=9s', 0, ['a.gz']],
  ])('ends at Ctrl-C, and keeps what has come of a recording from now on: %s', async (flags, exitCode, files) => {
    api.answers.set('/recording', (_, response) => response.write('half'));
    const running = shell.start(`record ${path.join(dir, 'a.gz')}${flags}`);
    await eventually(async () => {
      const [partial] = await readdir(dir);
      return partial !== undefined && (await stat(path.join(dir, partial))).size > 0;
    });
    running.interrupt();
    expect(await running.ended).toMatchObject({ code: exitCode, err: '' });
    expect(await readdir(dir)).toEqual(files);
  });

  it.each([
    ['absent/a.gz', 'absent/a.gz was not written: ENOENT'],
    ['', 'was not written: EISDIR'],
  ])('leaves no file when it cannot write %s', async (name, message) => {
    const { code, err } = await shell.run(`record ${path.join(dir, name)}`);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(await readdir(dir)).toEqual([]);
    expect((await readdir(path.dirname(dir))).filter((each) => each.startsWith(path.basename(dir)))).toHaveLength(1);
  });

  it.each([
    ['record', 'record takes one file to write'],
    ['record a b', 'record takes one file to write'],
    ['record a --for=soon', 'invalid argument "soon" for "--for" flag'],
    ['record a --for=1500ms', 'bad --for "1500ms": it takes whole seconds, at least 1s, at most 1h'],
    ['record a --for=2h', 'bad --for "2h": it takes whole seconds, at least 1s, at most 1h'],
  ])('refuses %s', async (line, message) => {
    expect(await shell.run(line)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) });
  });

  it.each([
    [404, '404 page not found', 'start it with --flight-recorder=on-demand'],
    [409, 'ask for one from now on, with a duration', 'with a duration: --for=60s'],
  ])('says what to do after %i', async (status, body, message) => {
    api.answers.set('/recording', (_, response) => response.writeHead(status).end(body));
    const { code, err } = await shell.run(`record ${path.join(dir, 'a.gz')}`);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(await readdir(dir)).toEqual([]);
  });
});
