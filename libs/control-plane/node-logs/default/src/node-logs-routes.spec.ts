import { mkdir, mkdtemp, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { askRoutes, type Asked } from '@podwright/server-interface/contract';
import { nodeLogsRoutes } from './node-logs-routes.js';
import type { RunProgram } from './query/run-program.js';

const modified = new Date('2026-01-02T03:04:05.600Z');
const lastModified = 'Fri, 02 Jan 2026 03:04:05 GMT';

/** journalctl with the units sshd and cron; what it is called with is kept. */
function journal(calls: (readonly string[])[], isThere = true): RunProgram {
  return (file, args) => {
    calls.push([file, ...args]);
    const text = args[0] === '--field' ? 'init.scope\nsshd.service\ncron.service\n' : 'Jan 02 line\n';
    return {
      output: (async function* () {
        if (isThere) yield Buffer.from(text);
      })(),
      exitCode: Promise.resolve(isThere ? 0 : undefined),
    };
  };
}

describe('/logs/', () => {
  let base = '';
  let root = '';
  beforeAll(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'node-logs-'));
    root = path.join(base, 'log');
    for (const directory of ['pods/a', 'with index', 'nginx', 'empty']) {
      await mkdir(path.join(root, directory), { recursive: true });
    }
    const files = {
      'app.log': 'hello world',
      'pods/a/0.log': 'container',
      'with index/index.html': 'index',
      'nginx/nginx.log': 'of nginx',
      'dpkg.log': 'of dpkg',
      plain: 'of plain',
      'bad<&>"\'name': '',
      'a:b?c#d%': 'odd',
      'page.html.1': '<html><script>alert(1)</script>',
      binary: '\x00\x01',
      'old.gz': '\x1f\x8b\x08rest',
      'shrinking.log': 'x'.repeat(1000),
      nothing: '',
    };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(path.join(root, name), content, 'latin1');
      await utimes(path.join(root, name), modified, modified);
    }
    await writeFile(path.join(base, 'secret'), 'secret');
    await symlink('app.log', path.join(root, 'inside'));
    await symlink(path.join(root, 'pods/a/0.log'), path.join(root, 'absolute'));
    await symlink('../secret', path.join(root, 'outside'));
    await symlink(path.join(base, 'secret'), path.join(root, 'absolute-outside'));
    await symlink('..', path.join(root, 'parent'));
    await symlink('loop', path.join(root, 'loop'));
  });
  afterAll(() => rm(base, { recursive: true }));

  interface Options {
    readonly enableQuery?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
    readonly run?: RunProgram;
  }
  const logs = (
    url: string,
    { enableQuery = false, headers = {}, run = journal([]) }: Options = {},
  ): Promise<Asked> => {
    const parts = { clock: new VirtualClock(), random: createSeededRandom(1), logger: createMemoryLogger() };
    return askRoutes(nodeLogsRoutes({ root, run, enabled: true, enableQuery, ...parts }), 'GET', `/logs/${url}`, {
      headers,
    });
  };

  describe('as a file server', () => {
    it.each([
      ['app.log', 'hello world', 'text/plain; charset=utf-8'],
      ['pods/a/0.log', 'container', 'text/plain; charset=utf-8'],
      ['inside', 'hello world', 'text/plain; charset=utf-8'],
      ['absolute', 'container', 'text/plain; charset=utf-8'],
      ['with%20index/', 'index', 'text/plain; charset=utf-8'],
      ['a:b%3Fc%23d%25', 'odd', 'text/plain; charset=utf-8'],
      ['nothing', '', 'text/plain; charset=utf-8'],
      // A container writes this, and an operator's browser would run it.
      ['page.html.1', '<html><script>alert(1)</script>', 'text/plain; charset=utf-8'],
      ['binary', '\x00\x01', 'application/octet-stream'],
    ])('serves %s', async (url, body, type) => {
      const answer = await logs(url);
      expect(answer).toMatchObject({ status: 200, body });
      expect(answer.headers).toEqual({
        ...{ 'Content-Type': type, 'Accept-Ranges': 'bytes', 'Content-Length': String(body.length) },
        'Last-Modified': url === 'with%20index/' ? expect.any(String) : lastModified,
      });
    });

    it('knows compressed logs', async () => {
      expect((await logs('old.gz')).headers['Content-Type']).toBe('application/x-gzip');
    });

    it('lists a directory, names escaped', async () => {
      const { status, headers, body } = await logs('');
      expect([status, headers['Content-Type']]).toEqual([200, 'text/html; charset=utf-8']);
      const lines = body.split('\n');
      expect(lines.slice(0, 4)).toEqual([
        '<!doctype html>',
        '<meta name="viewport" content="width=device-width">',
        '<pre>',
        '<a href="./a:b%3Fc%23d%25">a:b?c#d%</a>',
      ]);
      expect(lines).toContain('<a href="bad%3C&%3E%22%27name">bad&lt;&amp;&gt;&#34;&#39;name</a>');
      expect(lines).toContain('<a href="pods/">pods/</a>');
      expect(lines).toContain('<a href="with%20index/">with index/</a>');
      // A link is no directory.
      expect(lines).toContain('<a href="parent">parent</a>');
      expect((await logs('empty/')).body).toMatch(/<pre>\n<\/pre>\n$/);
    });

    it.each([
      ['pods', 'pods/'],
      ['pods?x=1', 'pods/?x=1'],
      ['with%20index', 'with%20index/'],
      ['app.log/', '../app.log'],
      ['with%20index/index.html', './'],
      ['none/index.html', './'],
    ])('redirects %s to %s', async (url, location) => {
      expect(await logs(url)).toMatchObject({ status: 301, headers: { Location: location }, body: '' });
    });

    it.each([
      ['none', 404, '404 page not found\n'],
      ['app.log/more', 404, '404 page not found\n'],
      ['outside', 403, '403 Forbidden\n'],
      ['absolute-outside', 403, '403 Forbidden\n'],
      ['parent/', 403, '403 Forbidden\n'],
      ['parent/secret', 403, '403 Forbidden\n'],
      ['loop', 403, '403 Forbidden\n'],
      ['%2e%2e%2fsecret', 404, '404 page not found\n'],
    ])('does not serve %s', async (url, status, body) => {
      expect(await logs(url)).toMatchObject({ status, body });
    });

    it.each([
      ['bytes=0-4', 206, 'hello', 'bytes 0-4/11'],
      ['bytes=6-', 206, 'world', 'bytes 6-10/11'],
      ['bytes=-5', 206, 'world', 'bytes 6-10/11'],
      ['bytes=-50', 206, 'hello world', 'bytes 0-10/11'],
      ['bytes=0-100', 206, 'hello world', 'bytes 0-10/11'],
      ['bytes=0-10,0-10', 200, 'hello world', undefined],
      [`bytes=0-0${',1-1'.repeat(200)}`, 200, 'hello world', undefined],
      ['bytes=-0', 206, '', 'bytes 11-10/11'],
      ['bytes=20-', 416, 'invalid range: failed to overlap\n', 'bytes */11'],
      ['bytes=5-1', 416, 'invalid range\n', undefined],
      ['bytes=x', 416, 'invalid range\n', undefined],
      ['lines=1', 416, 'invalid range\n', undefined],
    ])('Range: %s', async (range, status, body, contentRange) => {
      const answer = await logs('app.log', { headers: { range } });
      expect([answer.status, answer.body, answer.headers['Content-Range']]).toEqual([status, body, contentRange]);
    });

    it('sends several ranges as parts', async () => {
      const { status, headers, body } = await logs('app.log', { headers: { range: 'bytes=0-1, 9-10' } });
      const boundary = /boundary=(.+)$/.exec(headers['Content-Type'] ?? '')?.[1] ?? '';
      const type = 'Content-Type: text/plain; charset=utf-8';
      expect([status, headers['Content-Length']]).toEqual([206, String(body.length)]);
      expect(body.split(`--${boundary}`)).toEqual([
        '',
        `\r\nContent-Range: bytes 0-1/11\r\n${type}\r\n\r\nhe\r\n`,
        `\r\nContent-Range: bytes 9-10/11\r\n${type}\r\n\r\nld\r\n`,
        '--\r\n',
      ]);
    });

    it('takes a range of nothing for all of it', async () => {
      expect(await logs('nothing', { headers: { range: 'bytes=0-' } })).toMatchObject({ status: 200, body: '' });
    });

    it.each<[Readonly<Record<string, string>>, number]>([
      [{ 'if-modified-since': lastModified }, 304],
      [{ 'if-modified-since': 'Fri, 02 Jan 2026 03:04:04 GMT' }, 200],
      [{ 'if-modified-since': 'whenever' }, 200],
      [{ 'if-unmodified-since': lastModified }, 200],
      [{ 'if-unmodified-since': 'Fri, 02 Jan 2026 03:04:04 GMT' }, 412],
      [{ 'if-match': '"a"' }, 412],
      [{ 'if-match': '"a", *' }, 412],
      [{ 'if-match': '*' }, 200],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"a"', 'if-modified-since': lastModified }, 200],
      [{ range: 'bytes=0-1', 'if-range': lastModified }, 206],
      [{ range: 'bytes=0-1', 'if-range': 'Fri, 02 Jan 2026 03:04:04 GMT' }, 200],
      [{ range: 'bytes=0-1', 'if-range': '"a"' }, 200],
    ])('%j: %i', async (headers, status) => {
      expect((await logs('app.log', { headers })).status).toBe(status);
    });

    it('breaks off when the file became shorter than it said', async () => {
      const parts = { clock: new VirtualClock(), random: createSeededRandom(1), logger: createMemoryLogger() };
      const [route] = nodeLogsRoutes({ root, run: journal([]), enabled: true, enableQuery: false, ...parts });
      const answer = await route?.handle({
        ...{ method: 'GET', path: '/logs/shrinking.log', query: new URLSearchParams(), headers: {}, user: undefined },
        parameters: { path: 'shrinking.log' },
        signal: new AbortController().signal,
        body: async () => Buffer.alloc(0),
      });
      await truncate(path.join(root, 'shrinking.log'), 10);
      const read = async (): Promise<void> => {
        for await (const chunk of answer?.body as AsyncIterable<unknown>) expect(chunk).toHaveLength(10);
      };
      await expect(read()).rejects.toThrow('the file became shorter');
    });

    it('knows no queries unless they are enabled', async () => {
      expect(await logs('app.log?query=sshd')).toMatchObject({ status: 200, body: 'hello world' });
    });

    it('answers that it is disabled', async () => {
      const parts = { clock: new VirtualClock(), random: createSeededRandom(1), logger: createMemoryLogger() };
      const routes = nodeLogsRoutes({ root, run: journal([]), enabled: false, enableQuery: true, ...parts });
      const disabled = { status: 405, body: 'logs endpoint is disabled.\n' };
      expect(await askRoutes(routes, 'GET', '/logs/')).toMatchObject(disabled);
    });

    it('has GET alone', async () => {
      const parts = { clock: new VirtualClock(), random: createSeededRandom(1), logger: createMemoryLogger() };
      const routes = nodeLogsRoutes({ root, run: journal([]), enabled: true, enableQuery: true, ...parts });
      for (const method of ['HEAD', 'POST', 'DELETE'])
        expect((await askRoutes(routes, method, '/logs/')).status).toBe(405);
    });
  });

  describe('as a query', () => {
    const query = (parameters: string, options: Options = {}): Promise<Asked> =>
      logs(`?${parameters}`, { enableQuery: true, ...options });

    it.each([
      ['query=', 'query: Invalid value: [""]: query cannot be empty'],
      ['query=%20&query=', 'query: Invalid value: [" ",""]: query cannot be empty'],
      ['query=sshd&sinceTime=yesterday', 'sinceTime: Invalid value: "yesterday": invalid time format'],
      ['query=sshd&untilTime=2026-01-02', 'untilTime: Invalid value: "2026-01-02": invalid time format'],
      ['query=sshd&boot=x', 'boot: Invalid value: "x": strconv.Atoi: parsing "x": invalid syntax'],
      [
        'query=sshd&tailLines=9223372036854775808',
        'tailLines: Invalid value: "9223372036854775808": strconv.Atoi: parsing "9223372036854775808": value out of range',
      ],
      [
        'query=sshd&boot=x&sinceTime=y',
        '[sinceTime: Invalid value: "y": invalid time format, boot: Invalid value: "x": strconv.Atoi: parsing "x": invalid syntax]',
      ],
    ])('cannot read %s', async (parameters, message) => {
      const { status, body } = await query(parameters);
      expect([status, body]).toEqual([400, `${message}\n`]);
    });

    const long = 'a'.repeat(257);
    it.each([
      ['tailLines=5', 'query: Required value: cannot be empty with options'],
      ['query=a%20b', 'query: Invalid value: "a b": input contains unsupported characters'],
      ['query=$(id)', 'query: Invalid value: "$(id)": input contains unsupported characters'],
      [`query=${long}`, `query: Invalid value: "${long}": length must be less than 256`],
      [
        ['a', 'b', 'c', 'd', 'e'].map((name) => `query=${name}`).join('&'),
        'query: Too many: 5: must have at most 4 items',
      ],
      ['query=/a&query=b', 'query: Invalid value: "[/a], [b]": cannot specify a file and service'],
      ['query=/a&query=/b', 'query: Invalid value: ["/a","/b"]: cannot specify more than one file'],
      ['query=/app.log&tailLines=5', 'query: Invalid value: ["/app.log"]: cannot specify file with options'],
      ['query=/none', 'query: Invalid value: ["/none"]: statat /none: no such file or directory'],
      ['query=/outside', 'query: Invalid value: ["/outside"]: statat /outside: path escapes from parent'],
      ['query=/absolute', 'query: Invalid value: ["/absolute"]: statat /absolute: path escapes from parent'],
      ['query=../secret', 'query: Invalid value: ["../secret"]: statat ../secret: path escapes from parent'],
      [
        'query=sshd&sinceTime=2026-01-02T00:00:01Z&untilTime=2026-01-02T00:00:00Z',
        'untilTime: Invalid value: "2026-01-02T00:00:00Z": must be after `sinceTime`',
      ],
      ['query=sshd&boot=1', 'boot: Invalid value: 1: must be less than 1'],
      ['query=sshd&tailLines=-1', 'tailLines: Invalid value: -1: must be between 0 and 100000, inclusive'],
      ['query=sshd&tailLines=100001', 'tailLines: Invalid value: 100001: must be between 0 and 100000, inclusive'],
      ['query=sshd&pattern=a(', 'pattern: Invalid value: "a(": error parsing regexp: missing closing ): `a(`'],
      [
        'query=sshd&boot=2&pattern=*',
        '[boot: Invalid value: 2: must be less than 1, pattern: Invalid value: "*": error parsing regexp: missing argument to repetition operator: `*`]',
      ],
    ])('refuses %s', async (parameters, message) => {
      const calls: (readonly string[])[] = [];
      const { status, body } = await query(parameters, { run: journal(calls) });
      expect([status, body]).toEqual([406, `${message}\n`]);
      expect(calls).toEqual([]);
    });

    it.each([
      ['query=/app.log', 'hello world'],
      ['query=pods/a/0.log', 'container'],
      ['query=/inside', 'hello world'],
    ])('serves the file of %s', async (parameters, body) => {
      expect(await query(parameters)).toMatchObject({ status: 200, body });
    });

    it('serves files by their path as well', async () => {
      expect(await logs('app.log', { enableQuery: true })).toMatchObject({ status: 200, body: 'hello world' });
    });

    it.each([
      ['query=sshd', ['--unit=sshd']],
      ['query=sshd&query=cron', ['--unit=sshd', '--unit=cron']],
      [
        'query=sshd&sinceTime=2026-01-02T03:04:05Z&untilTime=2026-11-12T13:14:15%2B01:00',
        ['--since=2026-1-2 3:4:5', '--until=2026-11-12 13:14:15', '--unit=sshd'],
      ],
      // Upstream cannot do without the beginning.
      ['query=sshd&untilTime=2026-01-02T03:04:05Z', ['--until=2026-1-2 3:4:5', '--unit=sshd']],
      ['query=sshd&tailLines=0', ['--pager-end', '--lines=0', '--unit=sshd']],
      ['query=sshd&pattern=-o.*%20x', ['--unit=sshd', '--grep=-o.* x']],
      ['query=sshd&boot=-1', ['--unit=sshd', '--boot', '-1']],
      ['query=sshd&boot=0&tailLines=100000', ['--pager-end', '--lines=100000', '--unit=sshd', '--boot', '0']],
    ])('asks the journal for %s', async (parameters, args) => {
      const calls: (readonly string[])[] = [];
      const answer = await query(parameters, { run: journal(calls) });
      expect(answer).toMatchObject({
        ...{ status: 200, body: 'Jan 02 line\n' },
        headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
      });
      expect(calls).toEqual([
        ['journalctl', '--field', '_SYSTEMD_UNIT'],
        ['journalctl', '--utc', '--no-pager', '--output=short-precise', ...args],
      ]);
    });

    it.each([
      ['query=dpkg', 'of dpkg'],
      ['query=plain', 'of plain'],
      ['query=nginx', 'of nginx'],
      ['query=plain&query=nginx', 'of plainof nginx'],
      ['query=none', '\nlog not found for none\n'],
      ['query=pods', '\nlog not found for pods\n'],
      ['query=outside', '\nerror getting log for outside: statat outside: path escapes from parent\n'],
      ['query=sshd&query=dpkg', 'Jan 02 line\nof dpkg'],
      [
        'query=dpkg&query=nginx&tailLines=1',
        '\noptions present and query resolved to log files for [dpkg nginx]\ntry without specifying options\n',
      ],
    ])('finds files for %s', async (parameters, body) => {
      expect(await query(parameters)).toMatchObject({ status: 200, body });
    });

    it('says that there is no journal, and looks for files then', async () => {
      expect((await query('query=sshd', { run: journal([], false) })).body).toBe('\nlog not found for sshd\n');
    });

    it.each([
      ['gzip', true],
      ['gzip, deflate', false],
      ['', false],
    ])('Accept-Encoding: %j', async (encoding, isCompressed) => {
      const { headers, bytes } = await query('query=dpkg', { headers: { 'accept-encoding': encoding } });
      expect(headers['Content-Encoding']).toBe(isCompressed ? 'gzip' : undefined);
      expect((isCompressed ? gunzipSync(bytes) : bytes).toString()).toBe('of dpkg');
    });
  });
});
