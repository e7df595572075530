interface Node {
  tag: number;
  content: Buffer;
  readonly children: Node[] | undefined;
}

/** Copies of copies would grow without end. */
const mostNodes = 300;
/** More changes leave nothing that is worth reading, and each visits the whole tree. */
const mostChanges = 40;

/**
 * Changes values of a DER text at the places that the instructions name, and writes all lengths anew: a changed byte alone
 * seldom gets past the first length that is wrong. Three bytes an instruction: which value, what to do, with which byte.
 */
export function changedDer(der: Buffer, instructions: Buffer): Buffer {
  const [root] = parse(der);
  if (root === undefined) return der;
  for (let at = 0; at + 2 < Math.min(instructions.length, 3 * mostChanges); at += 3) {
    const [which = 0, what = 0, byte = 0] = instructions.subarray(at, at + 3);
    const nodes = all(root);
    const node = nodes[(which + 256 * (what >> 4)) % nodes.length] as Node;
    const place = node.content.length === 0 ? 0 : byte % node.content.length;
    const { children } = node;
    switch (what % 8) {
      case 0:
        node.tag = byte;
        break;
      case 1:
        if (node.content.length > 0) node.content = Buffer.from(node.content).fill(byte, place, place + 1);
        break;
      case 2:
        node.content = Buffer.concat([node.content, Buffer.alloc(1 + (byte % 64), byte)]);
        break;
      case 3:
        node.content = node.content.subarray(place);
        break;
      case 4:
        children?.splice(byte % (children.length + 1), 1);
        break;
      case 5:
        if (nodes.length < mostNodes) children?.push(copyOf(nodes[byte % nodes.length] as Node));
        break;
      case 6:
        children?.reverse();
        break;
      default:
        node.content = Buffer.alloc(0);
        children?.splice(0);
    }
  }
  return write(root);
}

function parse(bytes: Buffer): Node[] {
  const nodes: Node[] = [];
  for (let at = 0; at + 1 < bytes.length;) {
    const tag = bytes[at] as number;
    const first = bytes[at + 1] as number;
    const more = first < 0x80 ? 0 : first & 0x7f;
    if (more > 3 || at + 2 + more > bytes.length) return nodes;
    const start = at + 2 + more;
    const end = start + (more === 0 ? first : bytes.readUIntBE(at + 2, more));
    const content = Buffer.from(bytes.subarray(start, end));
    nodes.push({ tag, content, children: (tag & 0x20) !== 0 ? parse(content) : undefined });
    at = end;
  }
  return nodes;
}

const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];

const copyOf = ({ children, ...rest }: Node): Node => ({ ...rest, children: children?.map(copyOf) });

function write({ tag, content, children }: Node): Buffer {
  const body = children === undefined ? content : Buffer.concat(children.map(write));
  const length =
    body.length < 0x80 ? [body.length] : [0x83, body.length >> 16, (body.length >> 8) & 0xff, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
