import { writeFileSync } from 'node:fs';
import { createTestApiServer } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';

// Watches of a thousand nodes start at different times, and none of them shall miss changes of the others' pods.
const historyLength = 200_000;

/** An API server in memory; writes an administrator's kubeconfig to the file that the first argument names. */
const [file = ''] = process.argv.slice(2);
const server = createTestApiServer({
  clock: createSystemClock(),
  random: createSystemRandom(),
  historyLength,
  onError: (error) => console.error(`a controller of the API server failed: ${String(error)}`),
});
const listener = await server.listen();
writeFileSync(file, listener.kubeconfig({ name: 'kubernetes-admin', groups: ['system:masters'] }), { mode: 0o600 });
process.once('SIGTERM', () => void listener.stop().then(() => process.exit(0)));
