import { describe, expect, it } from '@jest/globals';
import { runPlugin } from './run-plugin.js';

describe('runPlugin', () => {
  const env = { PATH: process.env['PATH'] };
  const run = (script: string, signal = new AbortController().signal): Promise<string> =>
    runPlugin({ file: 'sh', args: ['-c', script], env, input: 'in\n' }, signal);

  it('resolves with what the plugin answers', async () => {
    expect(await run('read line; echo "$line?"; echo talk >&2')).toBe('in?\n');
  });

  it.each([
    ['echo why >&2; exit 3', 'exit status 3: why\n'],
    ['kill -9 $$', 'signal: killed: '],
    ['head -c 2000000 /dev/zero', 'it wrote more than 1048576 bytes: '],
  ])('tells how it ended: %s', async (script, message) => {
    await expect(run(script)).rejects.toMatchObject({ message, code: 'unavailable' });
  });

  it('tells that its time is over, and that it cannot be started', async () => {
    await expect(run('sleep 1000', AbortSignal.abort())).rejects.toThrow('context deadline exceeded: ');
    const command = { file: '/no/plugin', args: [], env, input: '' };
    await expect(runPlugin(command, new AbortController().signal)).rejects.toThrow(
      /^fork\/exec \/no\/plugin: no such file or directory/,
    );
  });
});
