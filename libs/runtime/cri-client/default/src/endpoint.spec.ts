import { describe, expect, it } from '@jest/globals';
import { socketPathOf } from './endpoint.js';

describe('socketPathOf', () => {
  it.each([
    ['unix:///run/containerd/containerd.sock', '/run/containerd/containerd.sock'],
    ['unix:/run/crio/crio.sock', '/run/crio/crio.sock'],
    ['/var/run/cri.sock', '/var/run/cri.sock'],
  ])('%s is %s', (endpoint, path) => expect(socketPathOf(endpoint)).toBe(path));

  it.each([
    'tcp://127.0.0.1:1234',
    'npipe:////./pipe/x',
    'http://x',
    'run/relative.sock',
    'unix://relative',
    '',
    `/${'x'.repeat(107)}`,
  ])('refuses %j', (endpoint) => expect(() => socketPathOf(endpoint)).toThrow(/cannot be used/));
});
