import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { Admission } from '../admission.js';

const pod = (part: Partial<Pod['spec']> = {}, labels?: Readonly<Record<string, string>>): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: 'u1', ...(labels && { labels }) },
  spec: { containers: [{ name: 'app' }], ...part },
});

/**
 * Every {@link Admission} passes this suite. `create` gives one of a Linux node with room for many pods without
 * requests.
 */
export function describeAdmissionContract(name: string, create: () => Promise<Admission>): void {
  describe(`${name} as an Admission`, () => {
    it.each([
      ['an ordinary pod', pod()],
      ['a pod that asks for Linux', pod({ os: { name: 'linux' } }, { 'kubernetes.io/os': 'linux' })],
    ])('admits %s', async (_name, of) => {
      const admission = await create();
      await expect(admission.admit(of, [])).resolves.toEqual({ admit: true });
      await expect(admission.admit(of, [{ ...pod(), metadata: { name: 'other', uid: 'u2' } }])).resolves.toEqual({
        admit: true,
      });
    });

    it.each([
      [
        'by its spec',
        pod({ os: { name: 'windows' } }),
        {
          admit: false,
          reason: 'PodOSNotSupported',
          message: "Failed to admit pod as the OS field doesn't match node OS",
        },
      ],
      [
        'by its label, which counts first',
        pod({ os: { name: 'windows' } }, { 'kubernetes.io/os': 'windows' }),
        {
          admit: false,
          reason: 'PodOSSelectorNodeLabelDoesNotMatch',
          message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
        },
      ],
    ])('refuses a pod of another operating system, %s', async (_name, of, expected) => {
      const admission = await create();
      await expect(admission.admit(of, [])).resolves.toEqual(expected);
    });
  });
}
