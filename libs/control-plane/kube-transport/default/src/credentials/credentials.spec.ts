import { chmod, rm, writeFile } from 'node:fs/promises';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { eventually } from '@podwright/time';
import { createTestAuthority } from '../fixtures/test-authority.js';
import type { TestHandler, TestServer } from '../fixtures/test-server.js';
import { failed, get, never, text, TransportHarness } from '../fixtures/transport-harness.js';
import { isCredentialsFault } from '@podwright/kube-client-interface';

let harness: TransportHarness;
beforeAll(async () => {
  harness = await TransportHarness.create();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

/** Who the client is, in the server's eyes. */
const whoAmI: TestHandler = (request, response) => {
  if (request.url === '/watch') return void response.write('w');
  const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
  const certificate = socket.getPeerCertificate();
  const impersonated = Object.entries(request.headers).filter(([name]) => name.startsWith('impersonate-'));
  response.writeHead(request.headers.authorization === 'Bearer bad' ? 401 : 200);
  response.end(
    JSON.stringify({
      ...(certificate.subject && { cn: certificate.subject.CN }),
      ...(request.headers.authorization && { authorization: request.headers.authorization }),
      ...(impersonated.length > 0 && { impersonated: Object.fromEntries(impersonated) }),
    }),
  );
};
const serve = (): Promise<TestServer> => harness.serve(whoAmI, { requestCert: true, rejectUnauthorized: false });
const at = ({ port }: TestServer): { server: string } => ({ server: `https://127.0.0.1:${port}` });
const me = async (transport: Parameters<typeof get>[0]): Promise<unknown> =>
  JSON.parse(await text(await get(transport)));

describe('the client certificate', () => {
  it('is awaited, taken up when it comes, and followed when it changes', async () => {
    const server = await serve();
    const clock = harness.virtualClock();
    const file = await harness.file('client.pem');
    const user = { 'client-certificate': file, 'client-key': file };
    const { transport, log, kubeconfig } = await harness.connect(at(server), { user, clock });
    const error = await failed(get(transport));
    expect([hasCode(error, 'unavailable'), error.message]).toEqual([
      true,
      `waiting for the client certificate ${file} (user "u" of ${kubeconfig}): open ${file}: no such file or directory; nobody makes it here, put it there or name another file`,
    ]);
    const issue = async (commonName: string): Promise<void> => {
      const { certificate, key } = await harness.authority.issue({ commonName });
      await writeFile(file, certificate + key);
    };
    await issue('first');
    await clock.advance(1_000);
    expect(await me(transport)).toEqual({ cn: 'first' });
    const watch = failed(text(await get(transport, '/watch')));
    await issue('second');
    await clock.advance(9_000);
    expect(await me(transport)).toEqual({ cn: 'first' });
    await clock.advance(1_000);
    expect((await watch).message).toBe('the client certificate was rotated');
    expect(await me(transport)).toEqual({ cn: 'second' });
    await issue('third');
    await transport.reloadCredentials();
    expect(await me(transport)).toEqual({ cn: 'third' });
    expect(log.messages('warning')).toEqual(['credentials for the API server are not complete']);
    expect(log.messages('info')).toEqual([
      'the client certificate can be used',
      'certificate rotation detected, shutting down client connections to start using new credentials',
      'certificate rotation detected, shutting down client connections to start using new credentials',
    ]);
    await transport.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('stays in use while its files are gone, broken or of two pairs', async () => {
    const server = await serve();
    const pairs = await Promise.all(['old', 'new'].map((commonName) => harness.authority.issue({ commonName })));
    const [older, newer] = pairs as [(typeof pairs)[0], (typeof pairs)[0]];
    const certificate = await harness.file('c.pem', older.certificate);
    const key = await harness.file('k.pem', older.key);
    const user = { 'client-certificate': certificate, 'client-key': key };
    const { transport, log } = await harness.connect(at(server), { user });
    for (const change of [
      () => writeFile(certificate, newer.certificate),
      () => writeFile(certificate, 'junk'),
      () => rm(certificate),
    ]) {
      await change();
      await transport.reloadCredentials();
      await transport.reloadCredentials();
      expect(await me(transport)).toEqual({ cn: 'old' });
    }
    expect(log.entries.map(({ fields }) => String(fields['error']))).toEqual([
      expect.stringContaining('cannot be used: tls: private key does not match public key'),
      expect.stringContaining('cannot be used: no PEM block of type CERTIFICATE'),
      expect.stringContaining('no such file or directory'),
    ]);
    await Promise.all([writeFile(certificate, newer.certificate), writeFile(key, newer.key)]);
    await transport.reloadCredentials();
    expect(await me(transport)).toEqual({ cn: 'new' });
  });

  it('may stand in the kubeconfig', async () => {
    const server = await serve();
    const { certificate, key } = await harness.authority.issue({ commonName: 'inline' });
    const [data, keyData] = [certificate, key].map((pem) => Buffer.from(pem).toString('base64'));
    const user = { 'client-certificate-data': data, 'client-key-data': keyData };
    const { transport, metrics } = await harness.connect(at(server), { user });
    expect(await me(transport)).toEqual({ cn: 'inline' });
    // As upstream's, the metrics of plugins are there without a plugin.
    expect(await metrics.render()).toContain('rest_client_exec_plugin_ttl_seconds +Inf\n');
  });
});

describe('the authority', () => {
  it('stays what it was when reading it again is switched off', async () => {
    const other = await createTestAuthority();
    const server = await serve();
    const clock = harness.virtualClock();
    const file = await harness.file('ca.pem', harness.authority.certificate);
    const options = { reloadAuthority: false };
    const { transport } = await harness.connect({ ...at(server), 'certificate-authority': file }, { clock, options });
    await writeFile(file, other.certificate);
    await clock.advance(300_000);
    await transport.reloadCredentials();
    transport.closeConnections('all');
    expect(await me(transport)).toEqual({});
  });

  it('is read again every five minutes; open streams live on', async () => {
    const other = await createTestAuthority();
    const server = await serve();
    const clock = harness.virtualClock();
    const file = await harness.file('ca.pem', harness.authority.certificate);
    const cluster = { ...at(server), 'certificate-authority': file };
    const { transport, metrics } = await harness.connect(cluster, { clock });
    const watch = await get(transport, '/watch');
    await writeFile(file, 'junk');
    await clock.advance(300_000);
    expect(await me(transport)).toEqual({});
    await writeFile(file, other.certificate);
    await clock.advance(300_000);
    const rendered = await metrics.render();
    expect(rendered).toContain('rest_client_transport_ca_reload_total{reason="ca_parse_error",result="failure"} 1');
    expect(rendered).toContain('rest_client_transport_ca_reload_total{reason="updated",result="success"} 1');
    expect((await failed(get(transport))).message).toContain('certificate signed by unknown authority');
    expect(server.sessions.size).toBe(1);
    await watch.body[Symbol.asyncIterator]().return?.();
    await eventually(() => server.sessions.size === 0);
  });

  it('that cannot be read fails the start', async () => {
    const { transport, kubeconfig } = await harness.connect(
      { server: 'https://127.0.0.1:1', 'certificate-authority': '/none/ca.crt' },
      { start: false },
    );
    const error = await failed(transport.start());
    expect([hasCode(error, 'invalid-argument'), error.message]).toEqual([
      true,
      `kubeconfig ${kubeconfig}: unable to read certificate-authority /none/ca.crt for c due to open /none/ca.crt: no such file or directory`,
    ]);
  });
});

describe('tokens', () => {
  it('and names go into their header', async () => {
    const server = await serve();
    for (const [user, authorization] of [
      [{ token: 't' }, 'Bearer t'],
      [{ username: 'jane', password: 'p' }, `Basic ${Buffer.from('jane:p').toString('base64')}`],
      [{ token: 't', tokenFile: await harness.file('absent-token') }, 'Bearer t'],
      [{ token: 't', tokenFile: await harness.file('present-token', 'f\n') }, 'Bearer f'],
    ] as const) {
      const { transport } = await harness.connect(at(server), { user });
      expect(await me(transport)).toEqual({ authorization });
    }
  });

  it('in files are read again after a minute or a 401, and kept while the file is away', async () => {
    const server = await serve();
    const clock = harness.virtualClock();
    const tokenFile = await harness.file('token', 'one');
    const { transport, log } = await harness.connect(at(server), { user: { tokenFile }, clock });
    expect(await me(transport)).toEqual({ authorization: 'Bearer one' });
    await writeFile(tokenFile, 'bad');
    expect(await me(transport)).toEqual({ authorization: 'Bearer one' });
    await clock.advance(50_000);
    expect((await get(transport)).status).toBe(401);
    await writeFile(tokenFile, 'two');
    expect(await me(transport)).toEqual({ authorization: 'Bearer two' });
    await rm(tokenFile);
    await clock.advance(60_000);
    expect(await me(transport)).toEqual({ authorization: 'Bearer two' });
    expect(await me(transport)).toEqual({ authorization: 'Bearer two' });
    expect(log.messages('error')).toEqual(['Unable to rotate token']);
  });

  it('that were never there are told', async () => {
    const tokenFile = await harness.file('no-token');
    const { transport } = await harness.connect({ server: 'https://127.0.0.1:1' }, { user: { tokenFile } });
    expect((await failed(get(transport))).message).toBe(`no token: open ${tokenFile}: no such file or directory`);
  });

  it('may be used in the name of somebody else', async () => {
    const server = await serve();
    const user = {
      token: 't',
      as: 'jane',
      'as-uid': '7',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'example.org/x': ['1'] },
    };
    for (const http2 of [true, false]) {
      const { transport } = await harness.connect(at(server), { user, options: { http2 } });
      expect(await me(transport)).toEqual({
        authorization: 'Bearer t',
        impersonated: {
          'impersonate-user': 'jane',
          'impersonate-uid': '7',
          'impersonate-group': 'a, b',
          'impersonate-extra-example.org%2fx': '1',
        },
      });
    }
  });
});

describe('an exec plugin', () => {
  const apiVersion = 'client.authentication.k8s.io/v1';
  const plugin = async (name: string, script: string): Promise<string> => {
    const file = await harness.file(name, `#!/bin/sh\n${script}`);
    await chmod(file, 0o755);
    return file;
  };
  const exec = (command: string, more: object = {}): object => ({
    exec: { apiVersion, command, interactiveMode: 'Never', ...more },
  });
  const credential = (status: object): string => JSON.stringify({ apiVersion, kind: 'ExecCredential', status });

  it('gets what the kubeconfig says, and is run again when its token expires or is refused', async () => {
    const server = await serve();
    const clock = harness.virtualClock();
    const count = await harness.file('count', '');
    const status = (token: string): string =>
      credential({ token, expirationTimestamp: new Date(clock.now() + 60_000).toISOString() });
    const token = await harness.file('exec-token', status('one'));
    const info = await harness.file('exec-info');
    const command = await plugin(
      'plugin',
      `echo run >> ${count}; echo hello >&2; printf '%s|%s' "$KUBERNETES_EXEC_INFO" "$OWN" > ${info}; cat "$1"\n`,
    );
    const more = { args: [token], env: [{ name: 'OWN', value: 'own value' }], provideClusterInfo: true };
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }];
    const cluster = { ...at(server), extensions };
    const { transport, log, metrics } = await harness.connect(cluster, { user: exec(command, more), clock });
    const { readFile } = await import('node:fs/promises');
    const runs = async (): Promise<number> => (await readFile(count, 'utf8')).split('run').length - 1;
    const both = await Promise.all([me(transport), me(transport)]);
    expect(both).toEqual([{ authorization: 'Bearer one' }, { authorization: 'Bearer one' }]);
    expect(await runs()).toBe(1);
    const [json = '', own] = (await readFile(info, 'utf8')).split('|');
    expect([JSON.parse(json), own]).toEqual([
      {
        kind: 'ExecCredential',
        apiVersion,
        spec: {
          cluster: {
            server: at(server).server,
            'certificate-authority-data': Buffer.from(harness.authority.certificate).toString('base64'),
            config: { audience: 'a' },
          },
          interactive: false,
        },
      },
      'own value',
    ]);
    expect(log.entries.find(({ fields }) => fields['stderr'] === 'hello')).toBeDefined();
    await clock.advance(60_001);
    await writeFile(token, status('bad'));
    expect((await get(transport)).status).toBe(401);
    await writeFile(token, status('three'));
    let now: unknown;
    while (((now = await me(transport)), JSON.stringify(now).includes('bad'))) await clock.advance(1);
    expect(now).toEqual({ authorization: 'Bearer three' });
    expect(await metrics.render()).toContain('rest_client_exec_plugin_call_total{call_status="no_error",code="0"} ');
  });

  it('may give a client certificate; another one ends all connections', async () => {
    const server = await serve();
    const clock = harness.virtualClock();
    const pairOf = async (commonName: string): Promise<string> => {
      const { certificate, key } = await harness.authority.issue({ commonName });
      const expirationTimestamp = new Date(clock.now() + 60_000).toISOString();
      return credential({ clientCertificateData: certificate, clientKeyData: key, expirationTimestamp });
    };
    const file = await harness.file('pair', await pairOf('one'));
    const { transport, metrics } = await harness.connect(at(server), { user: exec('cat', { args: [file] }), clock });
    expect(await me(transport)).toEqual({ cn: 'one' });
    const watch = failed(text(await get(transport, '/watch')));
    await clock.advance(60_001);
    await writeFile(file, await pairOf('two'));
    expect(await me(transport)).toEqual({ cn: 'two' });
    expect((await watch).message).toBe('the client certificate was rotated');
    const rendered = await metrics.render();
    expect(rendered).toContain('rest_client_exec_plugin_certificate_rotation_age_count 1');
    expect(rendered).toMatch(/rest_client_exec_plugin_ttl_seconds \d/);
  });

  it.each<[string, string, object]>([
    ['exec: executable failing failed with exit code 3', 'exit 3', {}],
    ['exec: executable failing failed with exit code -1', 'kill -9 $$', {}],
    ['decoding stdout: not JSON', 'echo secret', {}],
    [
      "exec plugin didn't return a status field",
      `echo '${JSON.stringify({ apiVersion, kind: 'ExecCredential' })}'`,
      {},
    ],
    ["exec plugin didn't return a token or cert/key pair", `echo '${credential({})}'`, {}],
    ['exec plugin returned only certificate or key, not both', `echo '${credential({ clientKeyData: 'k' })}'`, {}],
    [
      'decoding stdout: expirationTimestamp "2026-01-02" is no time',
      `echo '${credential({ token: 't', expirationTimestamp: '2026-01-02' })}'`,
      {},
    ],
    [
      'failed parsing client key/certificate',
      `echo '${credential({ clientKeyData: 'k', clientCertificateData: 'c' })}'`,
      {},
    ],
    [
      'exec plugin is configured to use API version client.authentication.k8s.io/v1beta1, plugin returned version client.authentication.k8s.io/v1',
      `echo '${credential({ token: 't' })}'`,
      { apiVersion: 'client.authentication.k8s.io/v1beta1' },
    ],
    ['standard input is not a terminal', 'exit 0', { interactiveMode: 'Always' }],
  ])('that fails says: %s', async (words, script, more) => {
    const command = await plugin('failing', script);
    const { transport } = await harness.connect({ server: 'https://127.0.0.1:1' }, { user: exec(command, more) });
    const error = await failed(transport.send({ method: 'GET', path: '/', headers: {} }, never));
    expect(error.message.replace(command, 'failing')).toContain(
      `getting credentials: ${words.startsWith('standard') ? 'exec plugin cannot support interactive mode: ' : ''}${words}`,
    );
    expect(hasCode(error, 'unavailable')).toBe(true);
    expect(error.message).not.toContain('secret');
  });

  it.each([
    ['killed', 'kill -9 $$', '{call_status="plugin_execution_error",code="-1"} 1'],
    ['failed', 'exit 3', '{call_status="plugin_execution_error",code="3"} 1'],
  ])('that was %s is counted', async (_how, script, line) => {
    const user = exec(await plugin('counted', script));
    const { transport, metrics } = await harness.connect({ server: 'https://127.0.0.1:1' }, { user });
    await failed(get(transport));
    expect(await metrics.render()).toContain(line);
  });

  it('that is not installed says so with the hint, made harmless', async () => {
    const user = exec('no-such-plugin', { installHint: 'get it\u001b[1m here' });
    const { transport, metrics } = await harness.connect({ server: 'https://127.0.0.1:1' }, { user });
    const { message } = await failed(get(transport));
    expect(message).toContain('getting credentials: exec: executable no-such-plugin not found\n\nIt looks like');
    expect(message).toContain('\n\nget itU+001B[1m here');
    expect(await metrics.render()).toContain('{call_status="plugin_not_found_error",code="1"} 1');
  });

  it('that fails again and again is told once, until it fails in another way', async () => {
    const clock = harness.virtualClock();
    const words = await harness.file('words', 'first');
    const command = await plugin('failing', 'cat "$1" >&2; exit 3\n');
    const { transport, log } = await harness.connect(
      { server: 'https://127.0.0.1:1' },
      { user: exec(command, { args: [words] }), clock },
    );
    for (const said of ['first', 'first', 'second']) {
      await writeFile(words, said);
      await clock.advance(2_000);
      const error = await failed(get(transport));
      expect(error.message).toContain('failed with exit code 3');
      expect(isCredentialsFault(error)).toBe(true);
    }
    const told = log.entries.filter(({ severity }) => severity === 'error');
    expect(told.map(({ fields }) => fields['stderr'])).toEqual(['first', 'second']);
  });

  it('that hangs when the client stops is ended', async () => {
    const user = exec('sleep', { args: ['600'] });
    const { transport } = await harness.connect(
      { server: 'https://127.0.0.1:1' },
      { user, clock: harness.virtualClock() },
    );
    const asking = failed(get(transport));
    await transport.stop();
    expect((await asking).message).toBe('getting credentials: exec: executable sleep did not end in time');
  });

  it('that hangs is ended', async () => {
    const clock = harness.virtualClock();
    const user = exec('sleep', { args: ['600'] });
    const { transport } = await harness.connect({ server: 'https://127.0.0.1:1' }, { user, clock });
    const asking = failed(get(transport));
    await clock.advance(60_000);
    expect((await asking).message).toBe('getting credentials: exec: executable sleep did not end in time');
  });
});

describe('a kubeconfig that is not there', () => {
  it('fails the start, or is awaited', async () => {
    const server = await serve();
    const clock = harness.virtualClock();
    const { transport, kubeconfig } = await harness.connect(at(server), { user: { token: 't' }, start: false });
    const { readFile } = await import('node:fs/promises');
    const content = await readFile(kubeconfig, 'utf8');
    await rm(kubeconfig);
    expect(hasCode(await failed(transport.start()), 'not-found')).toBe(true);
    await writeFile(kubeconfig, content);
    const waiting = await harness.connect(at(server), {
      user: { token: 't' },
      clock,
      options: { awaitKubeconfig: true },
      start: false,
    });
    await rm(waiting.kubeconfig);
    await waiting.transport.start();
    expect((await failed(get(waiting.transport))).message).toContain(
      `waiting for the kubeconfig ${waiting.kubeconfig}`,
    );
    await writeFile(waiting.kubeconfig, content);
    await clock.advance(1_000);
    expect([await me(waiting.transport), waiting.transport.server]).toEqual([
      { authorization: 'Bearer t' },
      at(server).server,
    ]);
    await waiting.transport.stop();
    expect(clock.pendingTimers).toBe(0);
  });
});
