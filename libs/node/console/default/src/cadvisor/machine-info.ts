import type { MachineInfo } from '@podwright/cgroup-stats-interface';
import type { MachineTopology } from '@podwright/machine';
import type { MachineDevices } from './machine-devices.js';

type Json = Readonly<Record<string, unknown>>;

/** The machine as cAdvisor's MachineInfo. Source: google/cadvisor v0.56 info/v1/machine.go. */
export function machineInfo(machine: MachineInfo, devices: MachineDevices): Json {
  const hugepages = devices.hugePages.map(({ pageKilobytes, count }) => ({
    page_size: pageKilobytes,
    num_pages: count,
  }));
  return {
    num_cores: machine.cores,
    num_physical_cores: machine.physicalCores,
    num_sockets: machine.sockets,
    cpu_frequency_khz: devices.cpuFrequencyKhz,
    memory_capacity: machine.memoryBytes,
    swap_capacity: machine.swapBytes,
    memory_dimm_count: machine.memoryModules.reduce((sum, { count }) => sum + count, 0),
    memory_by_type: Object.fromEntries(
      machine.memoryModules.map(({ type, bytes, count }) => [type, { Capacity: bytes, DimmCount: count }]),
    ),
    hugepages,
    machine_id: machine.machineId,
    system_uuid: machine.systemUuid,
    boot_id: machine.bootId,
    filesystems: devices.fileSystems.map(({ device, capacityBytes, type, inodes }) => ({
      ...{ device, capacity: capacityBytes, type, inodes, has_inodes: inodes > 0 },
    })),
    disk_map: Object.fromEntries(
      devices.disks.map(({ name, major, minor, sizeBytes, scheduler }) => [
        `${major}:${minor}`,
        { name, major, minor, size: sizeBytes, scheduler },
      ]),
    ),
    network_devices: devices.network.map(({ name, macAddress, speedMbit, mtu }) => ({
      ...{ name, mac_address: macAddress, speed: speedMbit, mtu },
    })),
    topology: devices.topology === undefined ? [] : topology(devices.topology),
    // The kubelet asks no metadata service.
    cloud_provider: 'Unknown',
    instance_type: 'Unknown',
    instance_id: 'None',
  };
}

function topology({ nodes }: MachineTopology): readonly Json[] {
  return nodes.map(({ id, memoryBytes, hugePages, cores, distances }) => ({
    node_id: id,
    memory: memoryBytes,
    hugepages: hugePages.map(({ sizeBytes, pages }) => ({ page_size: sizeBytes / 1024, num_pages: pages })),
    cores: cores.map(({ coreId, threads, socketId, uncoreCaches }) => ({
      ...{ core_id: coreId, thread_ids: threads, caches: null, socket_id: socketId },
      ...(uncoreCaches.length > 0 && {
        uncore_caches: uncoreCaches.map((cache) => ({
          ...{ id: cache.id, size: cache.sizeBytes, type: cache.type, level: cache.level },
        })),
      }),
    })),
    caches: null,
    ...(distances !== undefined && { distances }),
  }));
}
