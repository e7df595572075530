import { createToken } from '@podwright/assembly-interface';
import type { MountTools } from '@podwright/filesystem';

/** The tools that volume plugins mount with; without a provider, the node's mount(8) and umount(8). */
export const MOUNT_TOOLS = createToken<MountTools>('kubelet.mount-tools/v1');
