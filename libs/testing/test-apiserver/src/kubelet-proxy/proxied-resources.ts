import type { GroupResource } from '@podwright/api-machinery';

export const pods: GroupResource = { group: '', plural: 'pods' };
export const nodes: GroupResource = { group: '', plural: 'nodes' };
