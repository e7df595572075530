import { ownCgroupOf } from '@podwright/cgroup-files';
import { meminfoBytes } from '../../../libs/foundation/machine/src/machine-facts.js';
import { formatCpuList } from '@podwright/machine';
import { parseCpuList } from '@podwright/kubelet-configuration';
import { mountsBelow } from '@podwright/filesystem';
import { parseMountTable } from '../../../libs/foundation/filesystem/src/mount-table.js';
import { parseBlkio, parseIoStat } from '../../../libs/node/cgroup-stats/default/src/read/block-io.js';
import { pidsOf } from '../../../libs/node/cgroup-stats/default/src/read/cgroup-reading.js';
import {
  kernelNumber,
  keyedNumbers,
  limitBytes,
} from '../../../libs/node/cgroup-stats/default/src/read/kernel-numbers.js';
import { parsePressure } from '../../../libs/node/cgroup-stats/default/src/read/pressure.js';
import { parseNetworkInterfaces } from '../../../libs/node/cgroup-stats/default/src/proc/network-interfaces.js';
import { parseRecord } from '../../../libs/node/oom-watcher/default/src/kernel-log.js';
import { killedPod } from '../../../libs/node/oom-watcher/default/src/killed-pod.js';
import { OomMessages } from '../../../libs/node/oom-watcher/default/src/oom-messages.js';
import { parseSubIds } from '../../../libs/runtime/user-namespace/default/src/host-id-range.js';
import { eachOf, fuzzTarget, text, type FuzzTarget } from '../fuzz-target.js';

const latin = (read: (text: string) => unknown): FuzzTarget['run'] => text(read, 'latin1');
const device = (): string => '';

const { run, seed } = eachOf({
  mountinfo: latin((table) => mountsBelow(parseMountTable(table), '/var')),
  cgroup: latin(ownCgroupOf),
  keyed: latin(keyedNumbers),
  number: latin((each) => [kernelNumber(each), limitBytes(each), pidsOf(each)]),
  io: latin((each) => [parseIoStat(each, device), parseBlkio({ serviced: each }, device)]),
  pressure: latin(parsePressure),
  network: latin(parseNetworkInterfaces),
  meminfo: latin((each) => meminfoBytes(each, 'MemTotal')),
  cpus: latin((each) => {
    const cpus = parseCpuList(each);
    if (parseCpuList(formatCpuList(cpus)).length !== cpus.length) throw new Error('formatting changed the list');
  }),
  kmsg: latin((log) => {
    const messages = new OomMessages();
    for (const line of log.split('\n')) {
      const kill = messages.next(parseRecord(line) ?? line);
      if (kill !== undefined) killedPod(kill.containerCgroup);
    }
  }),
  subids: latin(parseSubIds),
});

export const target = fuzzTarget({
  name: 'kernel-files',
  reads: 'files of /proc and of cgroups, lists of CPUs, messages of the kernel, subordinate ids',
  seeds: () => [
    seed(
      'mountinfo',
      '36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 - ext3 /dev/root rw,errors=continue,context="a,b"\n23 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n',
    ),
    seed('cgroup', '12:cpu,cpuacct:/a\n3:memory:/a\n1:name=systemd:/b\n0::/c\n'),
    seed('keyed', 'cache 1\nrss 18446744073709551615\ntotal_inactive_file 4096\n'),
    seed('number', 'max\n'),
    seed('number', '123\n7\n'),
    seed('io', '8:0 rbytes=1 wbytes=2 rios=3 wios=4 cost.usage=7\n8:0 Read 4096\n'),
    seed(
      'pressure',
      'some avg10=0.00 avg60=1.25 avg300=0.00 total=12\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n',
    ),
    seed(
      'network',
      'Inter-|   Receive |  Transmit\n face |bytes    packets errs drop fifo frame compressed multicast|bytes packets errs drop fifo colls carrier compressed\n  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n',
    ),
    seed('meminfo', 'MemTotal:       16384 kB\nSwapTotal:      0 kB\n'),
    seed('cpus', '0-3,7,9-11'),
    seed(
      'kmsg',
      '6,1,2,-;a invoked oom-killer: gfp_mask=0x1\n6,1,2,-;memory: usage 1kB, limit 2kB\n6,1,2,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=/kubepods/pod1,task_memcg=/kubepods/pod1/c,task=x,pid=1,uid=0\n6,1,2,-;Killed process 1 (x)\n',
    ),
    seed('subids', '0: kubelet 65536 2147483648\n'),
  ],
  run,
});
