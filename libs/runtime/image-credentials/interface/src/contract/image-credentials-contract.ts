import { describe, expect, it } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { Pod, Secret } from '@podwright/kube-types';
import type { ImageCredentials } from '../image-credentials.js';

/** One fresh instance on a node without credentials of its own. */
export interface ImageCredentialsHarness {
  readonly credentials: ImageCredentials;
}

const pod: Pod = { metadata: { uid: 'uid-1', name: 'web', namespace: 'prod' }, spec: { containers: [] } };
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const login = (username: string): { username: string; password: string } => ({ username, password: `${username}-pw` });

function secret(name: string, type: 'dockerconfigjson' | 'dockercfg', registries: readonly string[]): Secret {
  const auths = Object.fromEntries(registries.map((registry) => [registry, login(`${name}@${registry}`)]));
  const data = type === 'dockercfg' ? { '.dockercfg': base64(auths) } : { '.dockerconfigjson': base64({ auths }) };
  return { metadata: { uid: `uid-of-${name}`, namespace: 'prod', name }, type: `kubernetes.io/${type}`, data };
}

/** Every implementation of {@link ImageCredentials} passes this suite; `create` gives a new instance per case. */
export function describeImageCredentialsContract(name: string, create: () => Promise<ImageCredentialsHarness>): void {
  describe(`${name} as ImageCredentials`, () => {
    const started = async (): Promise<ImageCredentials> => {
      const { credentials } = await create();
      await credentials.start();
      return credentials;
    };
    const users = async (
      credentials: ImageCredentials,
      image: string,
      pullSecrets: readonly Secret[],
    ): Promise<readonly string[]> =>
      // jest treats [undefined] like an empty list
      (await credentials.lookup({ image, pod, pullSecrets })).map(({ auth }) => auth.username ?? 'nobody');

    it('finds nothing where there is nothing', async () => {
      expect(await users(await started(), 'quay.io/team/app:1', [])).toEqual([]);
    });

    it.each(['dockerconfigjson', 'dockercfg'] as const)('reads a pull secret of type %s', async (type) => {
      const credentials = await started();
      const [found, ...others] = await credentials.lookup({
        image: 'quay.io/team/app:1',
        pod,
        pullSecrets: [secret('one', type, ['quay.io', 'other.io'])],
      });
      expect(others).toEqual([]);
      expect(found).toEqual({
        auth: expect.objectContaining({ username: 'one@quay.io', password: 'one@quay.io-pw' }),
        source: { kind: 'secret', uid: 'uid-of-one', namespace: 'prod', name: 'one' },
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    });

    it('gives equal credentials of different secrets the same hash, and others another', async () => {
      const credentials = await started();
      const auths = (user: string): Pick<Secret, 'type' | 'data'> => ({
        type: 'kubernetes.io/dockercfg',
        data: { '.dockercfg': base64({ 'quay.io': login(user) }) },
      });
      const pullSecrets = ['u', 'u', 'v'].map((user, index) => ({ metadata: { name: `s${index}` }, ...auths(user) }));
      const found = await credentials.lookup({ image: 'quay.io/a', pod, pullSecrets });
      expect(new Set(found.map(({ hash }) => hash)).size).toBe(2);
      expect(found[0]?.hash).toBe(found[1]?.hash);
    });

    it('gives the most specific first, then in the order of the secrets', async () => {
      const secrets = [
        secret('one', 'dockercfg', ['quay.io', 'quay.io/team']),
        secret('two', 'dockerconfigjson', ['quay.io']),
      ];
      expect(await users(await started(), 'quay.io/team/app@sha256:'.concat('a'.repeat(64)), secrets)).toEqual([
        'one@quay.io/team',
        'one@quay.io',
        'two@quay.io',
      ]);
    });

    it('takes Docker’s own registry for a bare name', async () => {
      const secrets = [secret('hub', 'dockercfg', ['https://index.docker.io/v1/'])];
      expect(await users(await started(), 'busybox', secrets)).toEqual(['hub@https://index.docker.io/v1/']);
      expect(await users(await started(), 'quay.io/busybox', secrets)).toEqual([]);
    });

    it('passes over a secret of another type', async () => {
      const other = { ...secret('one', 'dockercfg', ['quay.io']), type: 'Opaque' };
      expect(await users(await started(), 'quay.io/app', [other])).toEqual([]);
    });

    it('names a secret that cannot be read, and tells nothing of what is in it', async () => {
      const broken = { ...secret('one', 'dockercfg', []), data: { '.dockercfg': base64({ 'quay.io': 'hunter2' }) } };
      const credentials = await started();
      const error: unknown = await users(credentials, 'quay.io/app', [broken]).catch((reason: unknown) => reason);
      expect(KubeletError.from(error)).toMatchObject({
        code: 'invalid-argument',
        message: expect.stringContaining('prod/one'),
      });
      expect(KubeletError.from(error).message).not.toContain('hunter2');
    });

    it('refuses what is no image name', async () => {
      const outcome = users(await started(), 'Not A Name', [secret('one', 'dockercfg', ['quay.io'])]);
      await expect(outcome).rejects.toMatchObject({ code: 'invalid-argument' });
    });

    it('stops more than once, also before its start', async () => {
      const { credentials } = await create();
      await credentials.stop();
      await credentials.stop();
    });
  });
}
