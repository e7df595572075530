import { createSystemClock, createSystemRandom } from '@podwright/time';
import { describeApiServerCases } from './cases/api-server-cases.js';
import { HttpsTransport } from './cases/https-transport.js';
import { createTestApiServer } from './test-api-server.js';

interface Kubeconfig {
  readonly users: readonly [{ readonly user: Readonly<Record<string, string>> }];
}

const administrator = { name: 'kubernetes-admin', groups: ['system:masters'] };
const text = (base64 = ''): string => Buffer.from(base64, 'base64').toString();

describeApiServerCases('the server in memory, over HTTPS', async () => {
  const server = createTestApiServer({ clock: createSystemClock(), random: createSystemRandom() });
  const listener = await server.listen();
  return {
    transport: (user = administrator) => {
      const [{ user: credentials }] = (JSON.parse(listener.kubeconfig(user)) as Kubeconfig).users;
      const certificate = text(credentials['client-certificate-data']);
      const privateKey = text(credentials['client-key-data']);
      return new HttpsTransport(listener.url, server.caCertificate, { certificate, privateKey });
    },
    stop: () => listener.stop(),
  };
});
