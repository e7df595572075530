import { formatQuantity, parseQuantity, quantityToMilli, quantityValue } from '@podwright/kube-types';
import { fuzzTarget } from '../fuzz-target.js';

export const target = fuzzTarget({
  name: 'quantities',
  reads: 'quantities of pods, nodes and configuration',
  seeds: () => ['100m', '1.5Gi', '2e3', '0', '-1', '12E', '1e-9', '.5Ki', '9223372036854775807', '0.0000000001', '+1n'],
  maxBytes: 1024,
  run: (input) => {
    const quantity = parseQuantity(input.toString());
    quantityValue(quantity);
    quantityToMilli(quantity);
    const again = parseQuantity(formatQuantity(quantity));
    if (again.nano !== quantity.nano) throw new Error('formatting changed the value');
  },
});
