import { Component, type ComponentChild, type ComponentType, type FunctionComponent, h } from 'preact';

/** A component that is drawn again only when one of its properties is another object. */
export function memo<P extends object>(draw: FunctionComponent<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const now = this.props as Readonly<Record<string, unknown>>;
      return Object.entries(next).some(([name, value]) => now[name] !== value);
    }
    override render(): ComponentChild {
      return h(draw, this.props);
    }
  };
}
