/** Cache of parsed and valid documents. The least recently used documents leave it first. */
import type { DocumentNode } from 'graphql';

/**
 * Limits of this cache. Apollo's own cache is not used: it counts the bytes of the parsed document,
 * but not the comments in the text.
 */
const MAX_DOCUMENTS = 200;
const MAX_CHARACTERS = 500_000;

export class Documents {
  readonly #documents = new Map<string, DocumentNode>();
  readonly #keys = new Map<string, string>();
  #characters = 0;

  async get(key: string): Promise<DocumentNode | undefined> {
    return this.#use(key);
  }

  /** The document with exactly this text. */
  withText(text: string): DocumentNode | undefined {
    const key = this.#keys.get(text);
    return key === undefined ? undefined : this.#use(key);
  }

  #use(key: string): DocumentNode | undefined {
    const document = this.#documents.get(key);
    if (!document) return undefined;
    this.#documents.delete(key);
    this.#documents.set(key, document);
    return document;
  }

  async set(key: string, document: DocumentNode): Promise<void> {
    await this.delete(key);
    this.#documents.set(key, document);
    this.#keys.set(textOf(document), key);
    this.#characters += textOf(document).length;
    for (const oldest of this.#documents.keys()) {
      if (this.#documents.size <= MAX_DOCUMENTS && this.#characters <= MAX_CHARACTERS) break;
      await this.delete(oldest);
    }
  }

  async delete(key: string): Promise<boolean> {
    const document = this.#documents.get(key);
    if (document) {
      this.#characters -= textOf(document).length;
      this.#keys.delete(textOf(document));
    }
    return this.#documents.delete(key);
  }
}

const textOf = ({ loc }: DocumentNode): string => loc?.source.body ?? '';
