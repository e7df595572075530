import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestApiServer } from '@podwright/test-apiserver';
import { createSeededRandom, createSystemClock } from '@podwright/time';
import { applyManifests } from './apply-manifests.js';
import { imagesOfPods, kubectlTarget, readClusterManifests } from './cluster-manifests.js';

const several = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: page, namespace: shop}, data: {a: b}}
  - apiVersion: v1
    kind: Pod
    metadata: {name: web, namespace: shop}
    spec: {containers: [{name: web, image: i:1}]}
---
`;

describe('manifests of --cluster', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'podwright-manifests-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const write = (name: string, text: string): void => writeFileSync(path.join(dir, name), text);
  const server = () => createTestApiServer({ clock: createSystemClock(), random: createSeededRandom('start') });

  it('are of any kind, several in a file, in the order of files and documents', () => {
    write('2.json', JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }));
    write('1.yaml', several);
    write('notes.txt', 'not a manifest');
    const manifests = readClusterManifests(dir);
    expect(manifests.map(({ object }) => object.kind)).toEqual(['Namespace', 'ConfigMap', 'Pod', 'Secret']);
    expect(imagesOfPods(manifests)).toEqual(['i:1']);
    expect(readClusterManifests(path.join(dir, '2.json'))).toHaveLength(1);
  });

  it('tell kubectl a container to try', () => {
    write('1.yaml', several);
    expect(kubectlTarget(readClusterManifests(dir))).toBe('-n shop web -c web');
    expect(kubectlTarget(readClusterManifests('examples/hello/manifests'))).toBe('hello -c web');
    write('1.yaml', '{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}');
    expect(kubectlTarget(readClusterManifests(dir))).toBeUndefined();
  });

  it.each([
    ['a: [', 'm.yaml'],
    ['just text', 'a document without apiVersion and kind'],
    ['{apiVersion: v1, kind: ConfigMap}', 'the ConfigMap has no metadata'],
    ['{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containerz: []}}', 'containerz'],
  ])('are refused with the file and a reason: %s', (text, says) => {
    write('m.yaml', text);
    expect(() => readClusterManifests(dir)).toThrow(says);
  });

  it('are applied so that kubectl can apply them again, and patch what is there', async () => {
    write('1.yaml', several);
    const transport = server().transport();
    const manifests = readClusterManifests(dir);
    const names = ['namespace/shop', 'configmap/page', 'pod/web'];
    await expect(applyManifests(transport, manifests, createSystemClock())).resolves.toEqual(names);
    await expect(applyManifests(transport, manifests, createSystemClock())).resolves.toEqual(names);
    const path = '/api/v1/namespaces/shop/configmaps/page';
    const { body } = await transport.send({ method: 'GET', path, headers: {} }, AbortSignal.timeout(5_000));
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const { metadata } = JSON.parse(Buffer.concat(chunks).toString()) as {
      metadata: { annotations: Record<string, string> };
    };
    const applied = metadata.annotations['kubectl.kubernetes.io/last-applied-configuration'] ?? '';
    expect(JSON.parse(applied)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'page', namespace: 'shop', annotations: {} },
      data: { a: 'b' },
    });
  });

  it.each([
    [
      '{apiVersion: example.com/v1, kind: Thing, metadata: {name: t}}',
      'does not know the kind Thing of example.com/v1',
    ],
    ['{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: none}}', 'Secret s is refused: namespaces "none"'],
  ])('end at what the server refuses: %s', async (text, says) => {
    write('m.yaml', text);
    const applied = applyManifests(server().transport(), readClusterManifests(dir), createSystemClock());
    await expect(applied).rejects.toThrow(says);
  });
});
