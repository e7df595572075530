import { describe, expect, it } from '@jest/globals';
import { hasCode, messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { decodePodList, decodePodManifest, maxManifestBytes } from './pod-manifest.js';

const head = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n';

function messageFor(text: string): string {
  try {
    decodePodManifest(text, 'web.yaml');
  } catch (error) {
    expect(hasCode(error, 'invalid-argument')).toBe(true);
    return messageOf(error);
  }
  return '';
}

describe('decodePodManifest', () => {
  it('gives the pod as the API would write it', () => {
    const pod = decodePodManifest(
      `${head}spec:
  hostNetwork: false
  dnsPolicy: ""
  terminationGracePeriodSeconds: 0
  nodeSelector: {}
  volumes:
  - {name: v, secret: {secretName: s, defaultMode: 0400}}
  containers:
  - name: c
    image: nginx
    env: [{name: EMPTY, value: ""}, {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]
    resources: {limits: {cpu: 0.5, memory: 1024Mi}}
    ports: [{containerPort: 80}]
`,
      'web.yaml',
    );
    expect(pod).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: {
        terminationGracePeriodSeconds: 0,
        volumes: [{ name: 'v', secret: { secretName: 's', defaultMode: 256 } }],
        containers: [
          {
            name: 'c',
            image: 'nginx',
            env: [
              { name: 'EMPTY' },
              { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
            ],
            resources: { limits: { cpu: '500m', memory: '1Gi' } },
            ports: [{ containerPort: 80 }],
          },
        ],
      },
    });
  });

  it.each([
    [
      'wrong scalar',
      `${head}spec: {containers: [{name: c, image: 5}]}`,
      'web.yaml: spec.containers[0].image: expected string, got 5 (number)',
    ],
    [
      'yes is a boolean',
      `${head}spec: {hostNetwork: "yes"}`,
      'web.yaml: spec.hostNetwork: expected boolean, got "yes" (string)',
    ],
    [
      'object for list',
      `${head}spec: {containers: {name: c}}`,
      'web.yaml: spec.containers: expected list, got an object',
    ],
    [
      'text for number',
      `${head}spec: {containers: [{name: c, ports: [{containerPort: "80"}]}]}`,
      'web.yaml: spec.containers[0].ports[0].containerPort: expected integer, got "80" (string)',
    ],
    ['fraction', `${head}spec: {priority: 1.5}`, 'web.yaml: spec.priority: expected integer, got 1.5 (number)'],
    [
      'out of range',
      `${head}spec: {priority: 3000000000}`,
      'web.yaml: spec.priority: 3000000000 is out of range, must be between -2147483648 and 2147483647',
    ],
    [
      'unknown field',
      `${head}spec: {containers: [{name: c, imgae: x}]}`,
      'web.yaml: spec.containers[0].imgae: unknown field (did you mean "image"?)',
    ],
    [
      'wrong case',
      `${head}spec: {Containers: []}`,
      'web.yaml: spec.Containers: unknown field (did you mean "containers"?)',
    ],
    ['far from any', `${head}spec: {zzzzzz: 1}`, 'web.yaml: spec.zzzzzz: unknown field'],
    [
      'label value',
      `apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app.kubernetes.io/version: 1.0}}`,
      'web.yaml: metadata.labels[app.kubernetes.io/version]: expected string, got 1 (number)',
    ],
    [
      'quantity',
      `${head}spec: {containers: [{name: c, resources: {limits: {memory: 1GB}}}]}`,
      `web.yaml: spec.containers[0].resources.limits[memory]: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$', got "1GB"`,
    ],
    [
      'time stamp',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web, creationTimestamp: "2026-02-30T03:04:05Z"}',
      'web.yaml: metadata.creationTimestamp: "2026-02-30T03:04:05Z" is not an RFC 3339 time stamp',
    ],
    [
      'duplicate key',
      `${head}spec:\n  hostPID: true\n  hostPID: false\n`,
      'web.yaml: spec.hostPID: duplicate key (line 6)',
    ],
    [
      'duplicate key in JSON',
      '{"apiVersion": "v1", "kind": "Pod",\n "metadata": {"name": "a",\n "name": "b"}}',
      'web.yaml: metadata.name: duplicate key (line 3)',
    ],
    [
      'several at once',
      `${head}spec: {a: 1, hostPID: 1}`,
      'web.yaml: spec.a: unknown field; spec.hostPID: expected boolean, got 1 (number)',
    ],
    [
      'two documents',
      `${head}---\n${head}`,
      "web.yaml: invalid YAML holds 2 documents separated by '---', but only one object per file is read",
    ],
    ['list', 'apiVersion: v1\nkind: PodList\nitems: []', 'web.yaml: holds a PodList; a manifest file holds one Pod'],
    ['other kind', 'apiVersion: v1\nkind: Service', 'web.yaml: kind: expected Pod, got "Service" (string)'],
    ['other version', 'apiVersion: apps/v1\nkind: Pod', 'web.yaml: apiVersion: expected v1, got "apps/v1" (string)'],
    ['no version', 'kind: Pod', 'web.yaml: apiVersion is not set, expected v1'],
    ['no kind', 'apiVersion: v1', 'web.yaml: kind is not set, expected Pod'],
    ['empty', '', 'web.yaml: is empty'],
    ['comment only', '# nothing\n', 'web.yaml: is empty'],
    ['text', 'hello', 'web.yaml: expected an object with apiVersion and kind, got a string'],
    ['broken JSON', '{"apiVersion": "v1", "kind": "Pod" "x"', "web.yaml: invalid JSON at line 1: expected ',' or '}'"],
    [
      'self reference',
      `${head}spec: &a {affinity: *a}`,
      'web.yaml: invalid YAML at spec.affinity: an anchor contains itself',
    ],
    [
      'prototype',
      `${head.replace('{name: web}', '{name: web, labels: {__proto__: x}}')}`,
      'web.yaml: metadata.labels[__proto__]: this key is not allowed',
    ],
    ['prototype as field', `${head}__proto__: {polluted: true}`, 'web.yaml: __proto__: unknown field'],
    [
      'binary',
      `${head}spec: {hostname: !!binary a}`,
      'web.yaml: invalid YAML at spec.hostname: !!binary value contains invalid base64 data',
    ],
    [
      'alias of nothing',
      `${head}spec: {hostname: *name}`,
      "web.yaml: invalid YAML (line 4): unknown anchor 'name' referenced",
    ],
    [
      'control characters',
      `${head}spec: {hostname: "a\0"}`,
      'web.yaml: invalid YAML at line 4: control characters are not allowed',
    ],
    [
      'tag of another value',
      `${head}spec: {hostNetwork: !!int yes}`,
      'web.yaml: invalid YAML at spec.hostNetwork: cannot decode !!bool `yes` as a !!int',
    ],
  ])('%s', (_, text, message) => {
    expect(messageFor(text)).toBe(message);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('names the line of broken YAML', () => {
    expect(messageFor(`${head}spec:\n  containers: [\n  - x\n`)).toMatch(/^web.yaml: invalid YAML at line \d: /);
  });

  it('refuses a YAML bomb at once', () => {
    const levels = 'abcdefghij'.split('').map((name, index, all) => {
      const refs = index === 0 ? '"x"' : Array.from({ length: 10 }, () => `*${all[index - 1] ?? ''}`).join(', ');
      return `${name}: &${name} [${refs}]`;
    });
    expect(messageFor(levels.join('\n'))).toMatch(/aliases add more than 10000 nodes/);
  });

  it('refuses nesting that would exhaust the stack', () => {
    expect(messageFor(`{"apiVersion":"v1","kind":"Pod","spec":${'['.repeat(5000)}${']'.repeat(5000)}}`)).toMatch(
      /nested deeper than 100 levels/,
    );
  });

  it.each(['[', '- {a: ', '- ', '? '])('refuses YAML that is nested by 20,000 times %j', (open) => {
    expect(messageFor(open.repeat(20_000))).toMatch(/nested deeper than 100 levels/);
  });

  it('refuses a file too long for any API object', () => {
    expect(messageFor(' '.repeat(maxManifestBytes + 1))).toBe(
      'web.yaml: is 3145729 bytes long; at most 3145728 are read',
    );
  });

  it('resolves anchors, aliases and merge keys', () => {
    const pod = decodePodManifest(
      `${head}spec:
  containers:
  - &base {name: a, image: x, tty: true}
  - {<<: *base, name: b}
  - <<: [*base]
    name: c
`,
      'web.yaml',
    );
    expect(pod.spec.containers.map(({ name, image, tty }) => [name, image, tty])).toEqual([
      ['a', 'x', true],
      ['b', 'x', true],
      ['c', 'x', true],
    ]);
  });

  it('reads scalars as Kubernetes does', () => {
    const pod = decodePodManifest(
      `${head}spec:
  hostPID: yes
  hostIPC: on
  containers:
  - name: c
    args: [12:30, 2001-01-01, "yes", ~, ., e5, 1e999, ...]
    env: [{name: "N", value: "1"}]
    resources: {requests: {cpu: 1e-1, memory: 1e9}}
    livenessProbe: {httpGet: {port: http}}
    readinessProbe: {tcpSocket: {port: 8_0}}
`,
      'web.yaml',
    );
    expect(pod.spec).toMatchObject({ hostPID: true, hostIPC: true });
    expect(pod.spec.containers[0]).toMatchObject({
      args: ['12:30', '2001-01-01', 'yes', '', '.', 'e5', '1e999', '...'],
      resources: { requests: { cpu: '100m', memory: '1G' } },
      livenessProbe: { httpGet: { port: 'http' } },
      readinessProbe: { tcpSocket: { port: 80 } },
    });
  });

  it('accepts JSON indented by tabs, a byte order mark and bytes', () => {
    const text = '\uFEFF{\n\t"apiVersion": "v1",\n\t"kind": "Pod",\n\t"metadata": {"name": "a\\u00e9\\/"}\n}\n';
    expect(decodePodManifest(new TextEncoder().encode(text), 'a.json').metadata.name).toBe('aé/');
    expect(() => decodePodManifest(new Uint8Array([0xff, 0xfe, 0x41]), 'a.json')).toThrow('a.json: not UTF-8 text');
  });

  it('does not share objects between documents', () => {
    const text = `${head}spec: {containers: [{name: c}]}`;
    expect(decodePodManifest(text, 'a').spec).not.toBe(decodePodManifest(text, 'a').spec);
  });
});

describe('with a listener for what is ignored', () => {
  const decode = (text: string): { readonly pod: Pod; readonly told: readonly string[] } => {
    const told: string[] = [];
    return { pod: decodePodManifest(text, 'web.yaml', (message) => told.push(message)), told };
  };

  it.each([
    ['an unknown field', `${head}spec: {colour: red, hostPID: true}`, 'web.yaml: spec.colour: unknown field'],
    [
      'all but the last of equal keys',
      `${head}spec:\n  hostPID: false\n  hostPID: true\n`,
      'web.yaml: spec.hostPID: duplicate key (line 6)',
    ],
    [
      'documents after the first, whatever they are',
      `${head}spec: {hostPID: true}\n---\nkind: List\n`,
      "web.yaml: holds 2 documents separated by '---', of which only the first is read",
    ],
  ])('%s', (_what, text, message) => {
    const { pod, told } = decode(text);
    expect([pod.spec, told]).toEqual([{ containers: [], hostPID: true }, [message]]);
  });

  it('says nothing of a manifest without such parts, and refuses what has another type', () => {
    expect(decode(`${head}spec: {hostPID: true}`).told).toEqual([]);
    expect(() => decode(`${head}spec: {a: 1, hostPID: 1}`)).toThrow('web.yaml: spec.hostPID: expected boolean');
  });

  it('takes lists', () => {
    const told: string[] = [];
    const list = '{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"a"},"x":1}]}';
    expect(decodePodList(list, 'http://x', (message) => told.push(message))).toHaveLength(1);
    expect(told).toEqual(['http://x: items[0].x: unknown field']);
  });
});

describe('decodePodList', () => {
  it('takes a list, or a single pod', () => {
    const list =
      '{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"a"}},{"kind":"Pod","metadata":{"name":"b"}}]}';
    expect(decodePodList(list, 'http://x').map((pod) => [pod.kind, pod.metadata.name])).toEqual([
      ['Pod', 'a'],
      ['Pod', 'b'],
    ]);
    expect(decodePodList(head, 'http://x')).toHaveLength(1);
    expect(decodePodList('{"apiVersion":"v1","kind":"PodList"}', 'http://x')).toEqual([]);
  });

  it.each([
    ['{"apiVersion":"v1","kind":"PodList","items":[{"spec":{"x":1}}]}', 'http://x: items[0].spec.x: unknown field'],
    [
      '{"apiVersion":"v1","kind":"PodList","items":[{"kind":"Node"}]}',
      'http://x: items[0]: expected a v1 Pod, got v1 Node',
    ],
    ['', 'http://x: is empty'],
  ])('refuses %s', (text, message) => {
    expect(() => decodePodList(text, 'http://x')).toThrow(message);
  });
});
