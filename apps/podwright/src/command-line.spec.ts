import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { commandList, wordOf } from './command-list.js';
import { golden } from './fixtures/golden.js';
import { settings, webPod } from './fixtures/objects.js';
import { connectionError } from './client/connection-error.js';
import { serverAddress } from './client/server-address.js';
import { PodApi, status } from './fixtures/pod-api.js';
import { TestShell } from './fixtures/test-shell.js';
import { version } from './version.js';

describe('the command line', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const object of [webPod, settings]) api.put(object);
  });
  afterEach(() => api.stop());

  it('shows all commands, also when there is none', async () => {
    const { code, out } = await shell.run('--help');
    expect(code).toBe(0);
    expect(out).toBe(golden('help', out));
    expect((await shell.run([])).out).toBe(out);
  });

  it.each(commandList.map(wordOf))('shows examples of %s', async (word) => {
    const { code, out } = await shell.run(`${word} --help`);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: podwright ${word}`);
    expect(out).toMatch(new RegExp(`Examples:\\n  podwright ${word}`));
  });

  it.each([
    ['frob', `error: unknown command "frob" for "podwright"\nRun 'podwright --help' for usage.\n`],
    ['get pods --frob', `error: unknown flag: frob\nSee 'podwright get --help' for usage.\n`],
    ['get pods -o', `error: flag needs an argument: o\nSee 'podwright get --help' for usage.\n`],
    ['apply -f x --dry-run=maybe', `See 'podwright apply --help' for usage.\n`],
  ])('refuses %s', async (line, message) => {
    const { code, err } = await shell.run(line);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });

  it('takes the last of options that are given twice, and all of lists', async () => {
    expect((await shell.run('get cm -n other -n default -o yaml -oname')).out).toBe('configmap/settings\n');
    const { out } = await shell.run('run a --image=x --dry-run=client -ojsonpath={} --output json --env=A=1 --env B=2');
    expect(out).toContain('"name": "A",');
    expect(out).toContain('"name": "B",');
  });

  it('says what to start when nobody listens', async () => {
    const advice =
      'start kubelet-standalone, the kubelet or npm start, or name the socket of a running one with --socket or PODWRIGHT_SOCKET\n';
    expect(await shell.run(`get pods --socket ${api.socket}.none`)).toEqual({
      code: 1,
      out: '',
      err: `There is no socket ${api.socket}.none: ${advice}`,
    });
    const file = path.join(path.dirname(api.socket), 'left');
    await leaveSocket(file);
    expect((await shell.run(`get pods --socket ${file}`)).err).toBe(`Nobody listens on the socket ${file}: ${advice}`);
  });

  it('asks the first of the usual sockets that somebody serves, and names all of them when none is there', async () => {
    const [none, left] = [`${api.socket}.none`, path.join(path.dirname(api.socket), 'left')];
    expect(await serverAddress({}, { TMPDIR: path.dirname(api.socket) }, [none, api.socket])).toEqual({
      socket: api.socket,
    });
    const nowhere = await serverAddress({}, { TMPDIR: path.dirname(api.socket) }, [none, `${none}-either`]);
    expect(connectionError(nowhere, Object.assign(new Error(''), { code: 'ENOENT' })).message).toMatch(
      `There is no socket ${none} and none at ${none}-either: start `,
    );
    await leaveSocket(left);
    expect(await serverAddress({}, { TMPDIR: path.dirname(api.socket) }, [left, api.socket])).toEqual({
      socket: api.socket,
    });
    expect(await serverAddress({}, { TMPDIR: path.dirname(api.socket) }, [left, none])).toEqual({ socket: left });
  });

  it('says who has the pods when the kubelet of the socket has none itself', async () => {
    const advice =
      'error: this kubelet keeps no pods, config maps and secrets itself: ask its API server with kubectl;';
    for (const [path, code] of [
      ['/api/v1/namespaces/default/pods', 404],
      ['/api/v1/namespaces/default/pods/web', 403],
    ] as const)
      api.answers.set(path, (_, response) => response.writeHead(code).end('no\n'));
    for (const line of ['get pods', 'delete pod web'])
      expect(await shell.run(line)).toEqual({ code: 1, out: '', err: expect.stringContaining(advice) });
  });

  it('ends when the user interrupts, whatever it waits for', async () => {
    let asked = 0;
    api.answers.set('/api/v1/namespaces/default/pods/web', () => (asked += 1)); // never answers
    for (const line of ['get pod web', 'describe pod web', 'exec web -- ls', 'delete pod web']) {
      asked = 0;
      const running = shell.start(line);
      await eventually(() => asked === 1);
      running.interrupt();
      expect(await running.ended).toEqual({ code: 1, out: '', err: '' });
    }
  });

  it('checks where the server is', async () => {
    expect((await shell.run('get pods --server http://x')).err).toContain('--server must be https://HOST:PORT');
    expect((await shell.run('get pods --server https://127.0.0.1:1')).err).toBe(
      'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?\n',
    );
    expect((await shell.run('get pods --server https://x:1 --client-key nowhere')).err).toContain(
      'unable to read --client-key',
    );
  });

  it.each([
    [400, 'BadRequest', 'bad', 'Error from server (BadRequest): bad\n'],
    [401, 'Unauthorized', 'who?', 'error: You must be logged in to the server (who?)\n'],
    [409, 'Conflict', 'changed', 'Error from server (Conflict): changed\n'],
  ])('words the status %i as kubectl does', async (code, reason, message, expected) => {
    api.answers.set('/api/v1/namespaces/default/pods/web', (_, response) => status(response, code, reason, message));
    expect((await shell.run('get pod web')).err).toBe(expected);
  });

  it('shows the text of an answer that is no Status', async () => {
    api.answers.set('/api/v1/namespaces/default/pods/web', (_, response) => response.writeHead(503).end('not yet\n'));
    expect((await shell.run('get pod web')).err).toBe('Error from server (ServiceUnavailable): not yet\n');
  });

  it('prints its version, which is that of the package, and the server’s', async () => {
    const manifest = JSON.parse(readFileSync(path.join(__dirname, '../package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(version).toBe(`v${manifest.version}`);
    api.answers.set('/version', (_, response) => response.end(JSON.stringify({ gitVersion: 'v1.36.0' })));
    expect((await shell.run('version')).out).toBe(`Client Version: ${version}\nServer Version: v1.36.0\n`);
    expect((await shell.run('version --client -ojson')).out).toBe(
      `{\n  "clientVersion": {\n    "gitVersion": "${version}"\n  }\n}\n`,
    );
  });

  it('prints a script for bash and for zsh', async () => {
    expect((await shell.run('completion bash')).out).toContain(
      'complete -o bashdefault -o default -F _podwright podwright',
    );
    expect((await shell.run('completion zsh')).out).toContain('compdef _podwright podwright');
    expect((await shell.run('completion fish')).err).toContain('Unsupported shell type "fish"');
  });

  it.each([
    [['ge'], 'get\n'],
    [['get', ''], 'pods\nconfigmaps\nsecrets\nnodes\nevents\nall\n'],
    [['get', 'pods', ''], 'web\n'],
    [['describe', 'cm', '-n', 'default', 's'], 'settings\n'],
    [['logs', ''], 'web\n'],
    [['exec', '-it', 'web', '-c', ''], 'init\nside\napp\ngrpc\n'],
    [['get', 'pods', '--show'], '--show-labels\n'],
    [['apply', '--dry-run', ''], 'none\nclient\nserver\n'],
    [['completion', ''], 'bash\nzsh\n'],
    [['delete', '-f', ''], ''],
    [['get', 'pods', 'x', '--socket', '/nowhere', ''], ''],
  ])('completes %j', async (words, expected) => {
    expect(await shell.run(['__complete', ...words])).toEqual({ code: 0, out: expected, err: '' });
  });
});

/** A socket file that nobody listens on any more. */
async function leaveSocket(file: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(file, resolve));
  const { linkSync, renameSync } = await import('node:fs');
  linkSync(file, `${file}.copy`);
  await new Promise((resolve) => server.close(resolve));
  renameSync(`${file}.copy`, file);
}
