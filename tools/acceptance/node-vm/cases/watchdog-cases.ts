import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { GuestCase } from '../guest-case.js';
import { run, runOutput } from '../guest-commands.js';

const DROP_IN = '/etc/systemd/system/kubelet.service.d/watchdog.conf';

async function property(name: string): Promise<string> {
  return (await runOutput('systemctl', 'show', '--value', '--property', name, 'kubelet.service')).trim();
}

const stalled: GuestCase = {
  name: 'systemd hears from the kubelet, and restarts one that stands still',
  boot: 1,
  extra: true,
  run: async (node) => {
    await mkdir(path.dirname(DROP_IN), { recursive: true });
    await writeFile(DROP_IN, '[Service]\nType=notify\nWatchdogSec=20\nTimeoutStartSec=300\nLimitCORE=0\n');
    await run('systemctl', 'daemon-reload');
    await run('systemctl', '--no-block', 'restart', 'kubelet.service');
    // Only READY=1 makes a service of this type active.
    await node.waitFor('the service is active', async () => (await property('ActiveState')) === 'active');
    assert.equal(await property('NotifyAccess'), 'main');
    const first = await property('WatchdogTimestampMonotonic');
    await node.waitFor('another notification', async () => (await property('WatchdogTimestampMonotonic')) !== first);
    const pid = await property('MainPID');
    await run('kill', '-STOP', pid);
    await node.waitFor('another process', async () => !['0', pid].includes(await property('MainPID')));
    await node.waitFor('the journal has the reason', async () =>
      (await runOutput('journalctl', '--no-pager', '-o', 'cat', '-u', 'kubelet.service')).includes(
        'Watchdog timeout (limit 20s)!',
      ),
    );
    await node.untilUp();
  },
};

/** At the end: the kubelet has a watchdog from here on. */
export const watchdogCases: readonly GuestCase[] = [stalled];
