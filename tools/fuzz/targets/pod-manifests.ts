import { createStaticPodReader } from '../../../libs/pod/pod-config/default/src/static-pod-reader.js';
import { fuzzTarget } from '../fuzz-target.js';
import { seedFiles } from '../seed-files.js';

const reader = createStaticPodReader('node');

export const target = fuzzTarget({
  name: 'pod-manifests',
  reads: 'manifests of static pods, YAML and JSON, from files and URLs',
  seeds: () => [
    ...seedFiles(
      'examples/hello/manifests/hello.yaml',
      'examples/device-plugin/pod.yaml',
      'examples/podman-kube-play/03-init.yaml',
      'examples/podman-kube-play/12-prestop.yaml',
      'libs/foundation/kube-protobuf/src/fixtures/pod.json',
    )(),
    'a: &a [1, *a]\n<<: *a\n? b\n: !!binary YQ==\n"c": |\n  d\n',
    'apiVersion: v1\nkind: PodList\nitems: [{metadata: {name: a}, spec: {containers: [{name: a, image: b}]}}]\n',
  ],
  run: (input) =>
    input[0] === 0 ? reader.readList(input.subarray(1), 'http://pods/') : reader.readFile(input, 'pod.yaml'),
});
