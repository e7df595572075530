import { decodeProviderFile } from '../../../libs/runtime/image-credentials/default/src/plugin/decode-provider-file.js';
import { decodeResponse } from '../../../libs/runtime/image-credentials/default/src/plugin/plugin-protocol.js';
import { validateProvider } from '../../../libs/runtime/image-credentials/default/src/plugin/validate-provider.js';
import { parseDockerConfig } from '../../../libs/runtime/image-credentials/default/src/docker-config/docker-config.js';
import { eachOf, fuzzTarget, refusesAs, refusesInput } from '../fuzz-target.js';

const version = 'credentialprovider.kubelet.k8s.io/v1';
const place = { configPath: '/etc/providers.yaml', binDir: '/opt/bin', serviceAccountTokens: true };
const { run, seed } = eachOf({
  answer: (input) => decodeResponse(version, input.toString()),
  config: (input) =>
    decodeProviderFile(input).forEach((provider, index) => validateProvider(provider, `providers[${index}]`, place)),
  docker: (input) => parseDockerConfig(input.toString(), 'config.json', 'secret'),
  dockercfg: (input) => parseDockerConfig(input.toString(), '.dockercfg', 'secret'),
});
const error = refusesAs('Error');

export const target = fuzzTarget({
  name: 'image-credentials',
  reads: 'answers of credential plugins, their configuration, and Docker configurations of secrets',
  seeds: () => [
    seed(
      'answer',
      JSON.stringify({
        kind: 'CredentialProviderResponse',
        apiVersion: version,
        cacheKeyType: 'Registry',
        cacheDuration: '5m0s',
        auth: { '*.io': { username: 'a', password: 'b' } },
      }),
    ),
    seed(
      'config',
      `apiVersion: kubelet.config.k8s.io/v1
kind: CredentialProviderConfig
providers:
- {name: a, matchImages: ['*.dkr.ecr.*.amazonaws.com', 'b.io:5000/x'], defaultCacheDuration: 12h, apiVersion: ${version}, args: [x], env: [{name: A, value: b}]}
`,
    ),
    seed('docker', '{"auths":{"quay.io/team":{"auth":"YTpi","email":"c"},"a":{"username":"b","password":"c"}}}'),
    seed('dockercfg', '{"https://index.docker.io/v1/":{"auth":"YTpi"}}'),
  ],
  run,
  // The caller of the configuration's decoder names the file.
  refuses: (thrown) => refusesInput(thrown) || error(thrown),
});
