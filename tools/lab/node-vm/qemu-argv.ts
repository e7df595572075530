export type Acceleration = 'kvm' | 'tcg';

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
 * QEMU's arguments. The machine has no network: input is on the second disk, and output is lines on standard output
 * (the second serial port), unless the terminal is the console. The kernel has NVMe and ext4 built in, so it needs no
 * initrd.
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
    // Without QEMU's escape keys.
    ...['-chardev', terminal ? 'null,id=report' : 'stdio,id=report,signal=off', '-serial', 'chardev:report'],
  ];
}

// A comma in a path would end the option.
function disk(id: string, file: string, mode: string): string[] {
  const escaped = file.replaceAll(',', ',,');
  return ['-drive', `if=none,id=${id},file=${escaped},format=raw,${mode}`, '-device', `nvme,drive=${id},serial=${id}`];
}
