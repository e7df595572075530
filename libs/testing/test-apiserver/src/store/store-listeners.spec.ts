import { describe, expect, it } from '@jest/globals';
import type { ApiObject } from '@podwright/api-machinery';
import { ObjectStore } from './object-store.js';

const nodeName = (object: ApiObject): string => (object.spec as { nodeName?: string }).nodeName ?? '';
const pod = (node: string): ApiObject => ({ metadata: { name: 'p', namespace: 'n' }, spec: { nodeName: node } });

describe('listeners of the store', () => {
  it('hear the changes of objects that have the value of their field, or had it before', () => {
    const store = new ObjectStore({ historyLength: 10 });
    const heard: string[] = [];
    const watch = (node: string): (() => void) =>
      store.watch(({ type, object }) => heard.push(`${node}: ${type} ${nodeName(object)}`), {
        resource: 'pods',
        field: { name: 'spec.nodeName', value: node, of: nodeName },
      });
    const stop = [watch('n1'), watch('n2'), watch('n3')];
    store.watch(({ type, resource }) => heard.push(`pods: ${type} ${resource}`), { resource: 'pods' });
    store.put('pods', 'n/p', pod('n1'));
    store.put('pods', 'n/p', pod('n2'));
    store.put('nodes', 'n1', pod('n1'));
    stop[1]?.();
    store.remove('pods', 'n/p');
    stop[1] = watch('n2');
    store.put('pods', 'n/p', pod('n2'));
    expect(heard).toEqual([
      'pods: ADDED pods',
      'n1: ADDED n1',
      'pods: MODIFIED pods',
      'n2: MODIFIED n2',
      'n1: MODIFIED n2',
      'pods: DELETED pods',
      'pods: ADDED pods',
      'n2: ADDED n2',
    ]);
  });
});
