import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { describeServerContract, get } from '@podwright/server-interface/contract';
import { eventually, VirtualClock } from '@podwright/time';
import { createHttpHarness } from './fixtures/http-harness.js';
import { TestAuthority } from './fixtures/test-certificates.js';

describeServerContract('HttpServer', (routes) => createHttpHarness({}, { routes }));

describe('HttpServer', () => {
  it('opens nothing that is off', async () => {
    const { server } = await createHttpHarness({ enabled: false, healthzPort: 0, readOnlyPort: 0 });
    await server.start();
    expect(server.addresses()).toEqual({});
    await server.stop();
  });

  it('names the fields of a port that is taken, and frees the port that it had opened', async () => {
    const first = await createHttpHarness({ healthzPort: 0 });
    await first.server.start();
    const second = await createHttpHarness({ readOnlyPort: first.config.readOnlyPort ?? 0 });
    await expect(second.server.start()).rejects.toThrow(
      /^cannot listen for the read-only port on 127\.0\.0\.1:\d+: .*; free the port or change address and readOnlyPort$/,
    );
    await expect(get(`127.0.0.1:${second.config.healthzPort}`, '/healthz')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    await first.server.stop();
  });

  it('tries for a healthz port that is taken every 5 s and runs without it meanwhile', async () => {
    const first = await createHttpHarness({ enabled: false, readOnlyPort: 0 });
    await first.server.start();
    const clock = new VirtualClock();
    const { server, logger, config } = await createHttpHarness(
      { healthzPort: first.config.healthzPort ?? 0 },
      { clock },
    );
    await server.start();
    expect(Object.keys(server.addresses())).toEqual(['https', 'readOnly']);
    expect(logger.entries.map(({ message }) => message)).toContain('Failed to start healthz server');
    await first.server.stop();
    await clock.advance(5_000);
    await eventually(() => server.addresses().healthz !== undefined);
    expect(server.addresses().healthz).toBe(`127.0.0.1:${config.healthzPort}`);
    await server.stop();
  });

  it('shows clients a new certificate without cutting off those that are there, and says once that it has none', async () => {
    const {
      server,
      certificate,
      authority: issuer,
      ca,
      logger,
    } = await createHttpHarness({ healthzPort: 0, readOnlyPort: 0 });
    await server.start();
    const { https = '' } = server.addresses();
    const [host, port] = ['127.0.0.1', Number(https.split(':')[1])];
    const old = connect({ host, port, ca, servername: 'localhost' });
    await once(old, 'secureConnect');
    expect(old.getPeerCertificate().subject.CN).toBe('localhost');
    certificate.set(await issuer.issue('renewed'));
    const young = connect({ host, port, ca, servername: 'localhost' });
    await once(young, 'secureConnect');
    expect([young.getPeerCertificate().subject.CN, young.alpnProtocol, old.destroyed]).toEqual([
      'renewed',
      false,
      false,
    ]);
    old.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [answer] = (await once(old, 'data')) as [Buffer];
    expect(answer.toString()).toContain('401 Unauthorized');
    young.destroy();
    await server.stop();
    expect(logger.entries.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('lets clients wait while the certificate is being made', async () => {
    const { server, certificate, authority: issuer, ca, logger, config } = await createHttpHarness({ healthzPort: 0 });
    certificate.make();
    await server.start();
    const https = `127.0.0.1:${config.port}`;
    const early = [1, 2].map(() => get(https, '/pods', 'GET', { tls: { ca } }));
    const left = connectPlain(config.port ?? 0, '127.0.0.1');
    await new Promise((resolve) => left.once('connect', resolve));
    left.resetAndDestroy();
    certificate.set(await issuer.issue('made'));
    expect((await Promise.all(early)).map(({ status }) => status)).toEqual([401, 401]);
    expect((await get(https, '/pods', 'GET', { tls: { ca } })).status).toBe(401);
    expect(logger.entries.filter(({ severity }) => severity === 'error')).toEqual([]);
    await server.stop();
  });

  it('closes connections that still wait for the certificate when it stops', async () => {
    const { server, certificate, ca, config } = await createHttpHarness({ healthzPort: 0 });
    certificate.make();
    await server.start();
    const early = get(`127.0.0.1:${config.port}`, '/pods', 'GET', { tls: { ca } });
    early.catch(() => undefined);
    const waiting = connectPlain(config.port ?? 0, '127.0.0.1');
    waiting.on('error', () => undefined);
    await new Promise((resolve) => waiting.once('connect', resolve));
    await server.stop();
    await expect(early).rejects.toThrow();
  });

  it('fails every handshake while there is no certificate, and says why once', async () => {
    const { server, certificate, authority: issuer, ca, logger, config } = await createHttpHarness({ healthzPort: 0 });
    const pair = await issuer.issue('late');
    certificate.lose();
    await server.start();
    const https = `127.0.0.1:${config.port}`;
    for (let tries = 0; tries < 3; tries++) await expect(get(https, '/pods', 'GET', { tls: { ca } })).rejects.toThrow();
    const said = logger.entries.filter(({ message }) => message === 'TLS handshake error');
    expect(said.map(({ fields }) => fields)).toEqual([
      { error: 'no serving certificate available for the kubelet', waitingFor: 'approval' },
    ]);
    certificate.set(pair);
    expect((await get(https, '/pods', 'GET', { tls: { ca } })).status).toBe(401);
    await server.stop();
  });

  it('tells a client without TLS what is wrong, and logs it as any failed handshake', async () => {
    const { server, config, logger } = await createHttpHarness({ healthzPort: 0, readOnlyPort: 0 });
    await server.start();
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connectPlain(config.port ?? 0, '127.0.0.1', () => socket.write('GET /pods HTTP/1.1\r\n\r\n'));
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('error', reject).on('close', () => resolve(received));
    });
    expect(answer).toBe('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
    expect(logger.entries.map(({ message }) => message)).toContain('TLS handshake error');
    await server.stop();
  });

  it('chooses no protocol for a client, whatever it offers', async () => {
    const { server, config, ca } = await createHttpHarness({ healthzPort: 0, readOnlyPort: 0 });
    await server.start();
    const offers = { ca, port: config.port ?? 0, host: '127.0.0.1', servername: 'localhost', ALPNProtocols: ['h2'] };
    const socket = connect(offers);
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe(false);
    socket.destroy();
    await server.stop();
  });

  it('passes the certificates on that a client has sent', async () => {
    const {
      server,
      authority: issuer,
      ca,
      auth,
      config,
    } = await createHttpHarness({ healthzPort: 0, readOnlyPort: 0 });
    await server.start();
    const strangers = await TestAuthority.create('strangers');
    for (const signer of [issuer, strangers]) {
      const client = await signer.issue('admin');
      const cert = client.certificate + signer.certificate;
      const tls = { ca, cert, key: client.privateKey };
      expect(await get(`127.0.0.1:${config.port}`, '/pods', 'GET', { tls })).toMatchObject({ status: 200 });
      const chain = auth.shown.at(-1)?.clientCertificate?.chain.map((der) => new X509Certificate(der).subject);
      expect(chain).toEqual(['CN=admin', `CN=${signer === issuer ? 'test-ca' : 'strangers'}`]);
    }
    await server.stop();
  });

  it("counts its requests by upstream's labels", async () => {
    const { server, ca, tokens, metrics, config } = await createHttpHarness({ healthzPort: 0 });
    await server.start();
    const headers = { authorization: `Bearer ${tokens.admin}` };
    await get(`127.0.0.1:${config.port}`, '/pods', 'GET', { tls: { ca }, headers });
    await get(`127.0.0.1:${config.port}`, '/nowhere', 'PATCH', { tls: { ca } });
    await get(`127.0.0.1:${config.readOnlyPort}`, '/metrics/probes/x');
    await server.stop();
    const page = await metrics.render();
    for (const [method, path, type] of [
      ['GET', 'pods', 'readwrite'],
      ['other', 'other', 'readwrite'],
      ['GET', 'other', 'readonly'],
    ]) {
      const labels = `long_running="false",method="${method}",path="${path}",server_type="${type}"`;
      expect(page).toContain(`kubelet_http_requests_total{${labels}} 1`);
      expect(page).toContain(`kubelet_http_inflight_requests{${labels}} 0`);
      expect(page).toContain(`kubelet_http_requests_duration_seconds_count{${labels}} 1`);
    }
  });
});
