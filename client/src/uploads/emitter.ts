/** Listeners of named events. */
export class Emitter<Events extends { [name: string]: unknown }> {
  readonly #listeners: { [Name in keyof Events]?: Set<(value: Events[Name]) => void> } = {};

  /** @returns a function that removes the listener */
  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    const listeners = (this.#listeners[name] ??= new Set());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of this.#listeners[name] ?? []) listener(value);
  }
}
