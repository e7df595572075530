import { parseKubeconfig } from '@podwright/kubeconfig';
import { parseExecCredential } from '../../../libs/control-plane/kube-transport/default/src/credentials/exec-credential.js';
import { eachOf, fuzzTarget, refusesAs, refusesInput } from '../fuzz-target.js';

const version = 'client.authentication.k8s.io/v1';
const { run, seed } = eachOf({
  file: (input) => parseKubeconfig(input, '/etc/kubernetes/kubelet.conf'),
  credential: (input) => parseExecCredential(input.toString(), version),
});
const error = refusesAs('Error');

export const target = fuzzTarget({
  name: 'kubeconfigs',
  reads: 'kubeconfig files, and the answers of their exec plugins',
  seeds: () => [
    seed(
      'file',
      `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u, namespace: n}}]
clusters: [{name: k, cluster: {server: 'https://10.0.0.1:6443', certificate-authority: ca.crt, tls-server-name: x, proxy-url: 'http://p:1'}}]
users: [{name: u, user: {client-certificate: a.pem, client-key: b.pem}}]
`,
    ),
    seed(
      'file',
      `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: 'https://[::1]:6443', certificate-authority-data: YQ==}}]
users: [{name: u, user: {exec: {apiVersion: ${version}, command: ./a, args: [b], env: [{name: A, value: b}], interactiveMode: Never, provideClusterInfo: true}}}]
`,
    ),
    seed(
      'credential',
      JSON.stringify({
        kind: 'ExecCredential',
        apiVersion: version,
        status: { token: 't', expirationTimestamp: '2030-01-01T00:00:00Z' },
      }),
    ),
  ],
  run,
  // The answer of a plugin is refused with an Error in upstream's words.
  refuses: (thrown) => refusesInput(thrown) || error(thrown),
});
