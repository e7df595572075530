import type { GroupResource } from '../resources/api-resource.js';

export const pods: GroupResource = { group: '', plural: 'pods' };
export const nodes: GroupResource = { group: '', plural: 'nodes' };
