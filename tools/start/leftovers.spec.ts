import { describe, expect, it } from '@jest/globals';
import { describeLeftovers } from './leftovers.js';

const folder = { dir: '/tmp/run' };
const pod = { metadata: { name: 'web', uid: 'uid-1' }, spec: { containers: [] } };

describe('what --keep leaves', () => {
  it('is ended by the command of the private containerd, and by the removal of its folder', () => {
    const lab = {
      endpoint: 'unix:///lab',
      description: 'containerd at unix:///lab',
      endCommand: 'npm run lab -- down',
    };
    expect(describeLeftovers(folder, lab, [pod])).toEqual([
      'pods are left running on containerd at unix:///lab, with their files in /tmp/run; to end and remove them:',
      '  npm run lab -- down',
      '  rm -r /tmp/run',
    ]);
  });

  it('is ended pod by pod on a runtime that others use too', () => {
    const given = { endpoint: 'unix:///given', description: 'unix:///given' };
    const crictl = 'crictl --runtime-endpoint unix:///given';
    expect(describeLeftovers(folder, given, [pod]).slice(1)).toEqual([
      `  ${crictl} rmp -f $(${crictl} pods -q --label io.kubernetes.pod.uid=uid-1)`,
      '  rm -r /tmp/run',
    ]);
  });
});
