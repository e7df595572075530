export type Acceleration = 'kvm' | 'tcg';

export interface MachineShape {
  readonly kernel: string;
  /** Its changes are kept in a file without a name, until the machine ends. */
  readonly systemDisk: string;
  /** Read only. */
  readonly programsDisk: string;
  readonly memoryMib: number;
  readonly cpus: number;
  readonly acceleration: Acceleration;
  /** Where the console goes: a file's path, or the terminal QEMU was started in. */
  readonly console: { readonly file: string } | 'terminal';
  /** Further arguments of the kernel. */
  readonly kernelArguments?: readonly string[];
}

/** Arguments of an accelerator; the same for a probe as for the machine. */
export function accelerationArguments(acceleration: Acceleration): string[] {
  return acceleration === 'kvm'
    ? ['-accel', 'kvm', '-cpu', 'host']
    : // One thread per processor, and room for all that Node and Go programs get translated to.
      ['-accel', 'tcg,thread=multi,tb-size=512', '-cpu', 'max'];
}

/**
 * QEMU's arguments. No network: what comes in is on the second disk, what goes out are lines on standard output (the
 * second serial port), except where the terminal is the console. The kernel has NVMe and ext4 built in, so that it needs no initrd.
 */
export function qemuArguments(shape: MachineShape): string[] {
  const { console, kernelArguments = [] } = shape;
  const terminal = console === 'terminal';
  const kernel = ['root=/dev/nvme0n1', 'rw', 'console=ttyS0', 'quiet', 'psi=1', 'audit=0', 'panic=1'];
  const systemd = ['systemd.show_status=no', 'systemd.getty_auto=no', 'systemd.unified_cgroup_hierarchy=1'];
  return [
    ...['-nodefaults', '-no-user-config', '-display', 'none', '-nic', 'none'],
    ...accelerationArguments(shape.acceleration),
    ...['-m', String(shape.memoryMib), '-smp', String(shape.cpus)],
    ...['-kernel', shape.kernel, '-append', [...kernel, ...systemd, ...kernelArguments].join(' ')],
    ...disk('system', shape.systemDisk, 'snapshot=on'),
    ...disk('programs', shape.programsDisk, 'read-only=on'),
    ...['-serial', terminal ? 'mon:stdio' : `file:${console.file}`],
    // Without a way to leave QEMU by keys: they are nobody's.
    ...['-chardev', terminal ? 'null,id=report' : 'stdio,id=report,signal=off', '-serial', 'chardev:report'],
  ];
}

// A comma in a path would end it.
function disk(id: string, file: string, mode: string): string[] {
  const escaped = file.replaceAll(',', ',,');
  return ['-drive', `if=none,id=${id},file=${escaped},format=raw,${mode}`, '-device', `nvme,drive=${id},serial=${id}`];
}
