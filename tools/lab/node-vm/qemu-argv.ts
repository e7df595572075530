export type Acceleration = 'kvm' | 'tcg';

/** A network card whose cable ends in another machine on this host, and nowhere else. */
export interface MachineLink {
  /** Unix socket that joins both machines. */
  readonly socket: string;
  /** One of the two listens and starts first. */
  readonly role: 'listens' | 'connects';
}

export interface MachineShape {
  readonly kernel: string;
  /** Changes go to an unnamed temporary file and are lost when the machine stops. */
  readonly systemDisk: string;
  /** Mounted read-only. */
  readonly programsDisk: string;
  readonly memoryMib: number;
  readonly cpus: number;
  readonly acceleration: Acceleration;
  /** Output of the console: a file, or the terminal in which QEMU was started. */
  readonly console: { readonly file: string } | 'terminal';
  readonly link?: MachineLink;
  /** Further kernel arguments. */
  readonly kernelArguments?: readonly string[];
}

/** Arguments for an accelerator, for the probe and for the machine. */
export function accelerationArguments(acceleration: Acceleration): string[] {
  return acceleration === 'kvm'
    ? ['-accel', 'kvm', '-cpu', 'host']
    : // One thread per processor, and a cache for all translated code of Node and Go programs.
      ['-accel', 'tcg,thread=multi,tb-size=512', '-cpu', 'max'];
}

/**
 * QEMU's arguments. The machine has no network but its link: input is on the second disk, and output is lines on standard output
 * (the second serial port), unless the terminal is the console. The kernel has NVMe and ext4 built in, so it needs no
 * initrd.
 */
export function qemuArguments(shape: MachineShape): string[] {
  const { console, kernelArguments = [] } = shape;
  const terminal = console === 'terminal';
  const kernel = ['root=/dev/nvme0n1', 'rw', 'console=ttyS0', 'quiet', 'psi=1', 'audit=0', 'panic=1'];
  const systemd = ['systemd.show_status=no', 'systemd.getty_auto=no', 'systemd.unified_cgroup_hierarchy=1'];
  return [
    ...['-nodefaults', '-no-user-config', '-display', 'none'],
    ...(shape.link === undefined ? ['-nic', 'none'] : linkArguments(shape.link)),
    ...accelerationArguments(shape.acceleration),
    ...['-m', String(shape.memoryMib), '-smp', String(shape.cpus)],
    ...['-kernel', shape.kernel, '-append', [...kernel, ...systemd, ...kernelArguments].join(' ')],
    // The kernel probes NVMe disks side by side, so it would name two of them in any order.
    ...disk('system', shape.systemDisk, 'snapshot=on', 'nvme'),
    ...disk('programs', shape.programsDisk, 'read-only=on', 'virtio-blk-pci'),
    ...['-serial', terminal ? 'mon:stdio' : `file:${console.file}`],
    // Without QEMU's escape keys.
    ...['-chardev', terminal ? 'null,id=report' : 'stdio,id=report,signal=off', '-serial', 'chardev:report'],
  ];
}

function linkArguments({ socket, role }: MachineLink): string[] {
  const listens = role === 'listens';
  const server = listens ? 'server=on' : 'server=off,reconnect-ms=500';
  const address = `addr.type=unix,addr.path=${escaped(socket)},${server}`;
  const mac = `52:54:00:00:00:0${listens ? 1 : 2}`;
  return ['-netdev', `stream,id=link,${address}`, '-device', `virtio-net-pci,netdev=link,mac=${mac},romfile=`];
}

// A comma in a path would end the option.
const escaped = (file: string): string => file.replaceAll(',', ',,');

function disk(id: string, file: string, mode: string, device: 'nvme' | 'virtio-blk-pci'): string[] {
  const drive = `if=none,id=${id},file=${escaped(file)},format=raw,${mode}`;
  return ['-drive', drive, '-device', `${device},drive=${id},serial=${id}`];
}
