import { applyPatch } from '@podwright/api-machinery';
import { eachOf, fuzzTarget, refusesAs } from '../fuzz-target.js';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', labels: { x: 'y' }, finalizers: ['a', 'b'] },
  spec: { containers: [{ name: 'a', image: 'b', ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};
const before = JSON.stringify(pod);
const apply =
  (kind: string) =>
  (input: Buffer): void => {
    applyPatch(pod, `application/${kind}+json`, input);
    if (JSON.stringify(pod) !== before) throw new RangeError('the patched object itself has changed');
  };
const { run, seed } = eachOf({
  merge: apply('merge-patch'),
  strategic: apply('strategic-merge-patch'),
  json: apply('json-patch'),
});

export const target = fuzzTarget({
  name: 'patches',
  reads: 'JSON, merge and strategic merge patches of clients of the local API',
  seeds: () => [
    seed('merge', '{"metadata":{"labels":{"x":null,"__proto__":{"a":1}}},"spec":{"containers":[]}}'),
    seed('strategic', '{"spec":{"containers":[{"name":"a","image":"c","ports":[{"containerPort":81}]},{"name":"d"}]}}'),
    seed(
      'strategic',
      '{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"$retainKeys":["labels"]},"spec":{"$patch":"replace"}}',
    ),
    seed(
      'strategic',
      '{"status":{"$setElementOrder/conditions":[{"type":"B"},{"type":"Ready"}],"conditions":[{"type":"Ready","$patch":"delete"},{"type":"B"}]}}',
    ),
    seed(
      'json',
      '[{"op":"add","path":"/spec/containers/-","value":{}},{"op":"move","from":"/metadata/labels","path":"/spec/x"},{"op":"test","path":"/kind","value":"Pod"}]',
    ),
    seed(
      'json',
      '[{"op":"replace","path":"/spec/containers/0/name","value":"z"},{"op":"remove","path":"/status"},{"op":"copy","from":"/spec","path":"/metadata/a~1b~0c"}]',
    ),
  ],
  run,
  refuses: refusesAs('ApiError'),
});
