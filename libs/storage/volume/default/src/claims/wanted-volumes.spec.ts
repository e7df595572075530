import { expect, it } from '@jest/globals';
import { usedVolumes, type Pod, type Volume } from '@podwright/kube-types';
import { VolumeTable } from '../volume-table.js';
import { WantedVolumes } from './wanted-volumes.js';

it.each<[Omit<Volume, 'name'>]>([[{ persistentVolumeClaim: { claimName: 'db' } }], [{ ephemeral: {} }]])(
  'says that %j needs an API server',
  async (source) => {
    const pod: Pod = {
      metadata: { namespace: 'prod', name: 'web', uid: 'p1' },
      spec: {
        volumes: [{ name: 'data', ...source }],
        containers: [{ name: 'app', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      },
    };
    const wanted = new WantedVolumes({
      table: new VolumeTable(),
      plugins: () => [],
      labels: () => {
        throw new Error('no volume is mounted');
      },
      podDirOf: (uid) => `/pods/${uid}`,
    });
    expect(await wanted.find(pod, usedVolumes(pod), new AbortController().signal)).toEqual({
      records: [],
      faults: [
        {
          name: 'data',
          problem:
            'cannot look up the PersistentVolumeClaim of volume "data": this kubelet runs without an API server (it was started without --kubeconfig)',
        },
      ],
    });
  },
);
