/** Parsed and valid documents, the latest ones; with each goes what it was compiled to. */
import type { DocumentNode } from 'graphql';

/** Apollo's own store counts neither documents, nor what they are compiled to, nor the comments in their text. */
const MOST = 200;
const MOST_CHARACTERS = 500_000;

export class Documents {
  readonly #kept = new Map<string, DocumentNode>();
  #characters = 0;

  async get(key: string): Promise<DocumentNode | undefined> {
    const document = this.#kept.get(key);
    if (!document) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, document);
    return document;
  }

  async set(key: string, document: DocumentNode): Promise<void> {
    await this.delete(key);
    this.#kept.set(key, document);
    this.#characters += lengthOf(document);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST && this.#characters <= MOST_CHARACTERS) break;
      await this.delete(oldest);
    }
  }

  async delete(key: string): Promise<boolean> {
    const document = this.#kept.get(key);
    if (document) this.#characters -= lengthOf(document);
    return this.#kept.delete(key);
  }
}

const lengthOf = ({ loc }: DocumentNode): number => loc?.source.body.length ?? 0;
